// The inquiry, 270. Source: 005010X279A1, written from the guide and not from our writer.
import { procedureQualifiers, providerCodes, serviceTypes } from './code-lists.ts'
import { loop, segment } from './notation.ts'
import {
  city,
  date,
  demographics,
  diagnoses,
  hierarchy,
  informationReceiver,
  informationSource,
  patientName,
  provider,
  reference,
  street,
  traces,
} from './shared-segments.ts'

const eligibility = (level: 'C' | 'D') =>
  loop(
    `2110${level}`,
    'S',
    99,
    segment(
      'EQ',
      'R',
      1,
      `S1-2^99 ${serviceTypes}
        | S{R2 ${procedureQualifiers} / R1-48 / S2 / S2 / S2 / S2}
        | S3 FAM
        | N
        | S{R1-2n / S1-2n / S1-2n / S1-2n}`,
      { notes: 'R0102' },
    ),
    segment('AMT', 'S', 1, 'R1-3 R | R1-18r', { key: 1 }),
    segment('AMT', 'S', 1, 'R1-3 PB | R1-18r', { key: 1 }),
    segment('III', 'S', 1, 'R1-3 ZZ | R1-30'),
    reference('S', 1, '9F G1', 'N'),
    date('S', 1, '291'),
  )

/** INS07 to INS16 are not used; INS17 is the order of birth. */
const birthOrder = (usage: 'R' | 'S') => `${Array(14).fill('N').join(' | ')} | ${usage}1-9n`

/** 2100C and 2100D from NM1 on. */
const person = (level: 'C' | 'D', { references, insured }: { references: string; insured: string }) =>
  loop(
    `2100${level}`,
    'R',
    1,
    patientName(level),
    reference('S', 9, references, 'N'),
    street,
    city,
    provider(providerCodes, '9K D3 EI HPI PXC SY TJ'),
    demographics('F M'),
    segment('INS', 'S', 1, insured),
    diagnoses,
    date('S', 2, '102 291'),
    eligibility(level),
  )

const dependent = loop(
  '2000D',
  'S',
  Number.POSITIVE_INFINITY,
  hierarchy('23', 'R2', '0'),
  traces(2, '1'),
  person('D', {
    references: '18 1L 1W 6P CT EA EJ F6 GH HJ IF IG MRC N6 SY Y4',
    insured: `R1 N | R2 01 19 34 | ${birthOrder('S')}`,
  }),
)

const subscriber = loop(
  '2000C',
  'R',
  Number.POSITIVE_INFINITY,
  hierarchy('22', 'R2', '0 1'),
  traces(2, '1'),
  person('C', {
    references: '18 1L 1W 3H 6P CT EA EJ F6 GH HJ IG N6 NQ SY Y4',
    insured: `R1 Y | R2 18 | ${birthOrder('R')}`,
  }),
  dependent,
)

const receiver = loop(
  '2000B',
  'R',
  Number.POSITIVE_INFINITY,
  hierarchy('21', 'R2', '1'),
  loop('2100B', 'R', 1, ...informationReceiver('R'), provider(`${providerCodes} SB`, 'PXC')),
  subscriber,
)

export const guide270 = loop(
  '270',
  'R',
  1,
  segment('BHT', 'R', 1, 'R4 0022 | R2 01 13 | S1-50 | R8 | R4-8 | S2 RT'),
  loop(
    '2000A',
    'R',
    Number.POSITIVE_INFINITY,
    hierarchy('20', 'N', '1'),
    loop('2100A', 'R', 1, informationSource),
    receiver,
  ),
)
