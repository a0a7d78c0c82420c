// The answer, 271. Source: 005010X279A1, written from the guide and not from our writer.
import {
  benefitDates,
  contactKinds,
  deliveryPatterns,
  followUps,
  insuranceTypes,
  levelDates,
  periods,
  procedureQualifiers,
  providerCodes,
  serviceRejections,
  serviceTypes,
} from './code-lists.ts'
import { type LoopRule, loop, segment } from './notation.ts'
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
  rejection,
  street,
  traces,
} from './shared-segments.ts'

const contacts = (max: number, kinds: string) =>
  segment('PER', 'S', max, `R2 IC | S1-60 | S2 ${kinds} | S1-256 | S2 EX ${kinds} | S1-256 | S2 EX ${kinds} | S1-256`, {
    notes: 'P0304 P0506 P0708',
  })

const relatedEntity = (level: 'C' | 'D') =>
  loop(
    `2120${level}`,
    'R',
    23,
    segment(
      'NM1',
      'R',
      1,
      `R2-3 13 1I 1P 2B 36 73 FA GP GW I3 IL LR OC P3 P4 P5 PR PRP SEP TTP VER VN VY X3 Y2
        | R1 1 2 | S1-60 | S1-35 | S1-25 | N | S1-10
        | S1-2 24 34 46 FA FI II MI NI PI PP SV XV XX | S2-80 | S2 01 02 27 41 48 65 72`,
      { key: 1, notes: 'P0809 C1003' },
    ),
    street,
    segment('N4', 'S', 1, 'R2-30 | S2 | S3-15 | S2-3 | S1-2 RJ | S1-30 | S1-3', { notes: 'E0207 C0605 C0704' }),
    contacts(3, `${contactKinds} WP`),
    provider(`${providerCodes} SB`, 'PXC'),
  )

/** A dependent's row has no employee level and no medical assistance category. */
const benefit = (level: 'C' | 'D') =>
  loop(
    `2110${level}`,
    'S',
    Number.POSITIVE_INFINITY,
    segment(
      'EB',
      'R',
      1,
      `R1-2 1 2 3 4 5 6 7 8 A B C CB D E F G H I J K L M MC N O P Q R S T U V W X Y
        | S3 CHD DEP ECH ${level === 'C' ? 'EMP' : ''} ESP FAM IND SPC SPO
        | S1-2^99 ${serviceTypes}
        | S1-3 ${insuranceTypes}
        | S1-50
        | S1-2 ${periods} 36
        | S1-18r
        | S1-10r
        | S2 8H 99 CA CE D3 DB DY HS LA LE M2 MN P6 QA S7 S8 VS YY
        | S1-15r
        | S1 N U Y
        | S1 N U W Y
        | S{R2 ${procedureQualifiers} / R1-48 / S2 / S2 / S2 / S2 / N / S1-48}
        | S{R1-2n / S1-2n / S1-2n / S1-2n}`,
      { notes: 'P0910' },
    ),
    segment(
      'HSD',
      'S',
      9,
      `S2 DY FL HS MN VS | S1-15r | S2 DA MO VS WK YR | S1-6r | S1-2 ${periods} | S1-3n
        | S1-2 ${deliveryPatterns} | S1 A B C D E F G Y`,
      { notes: 'P0102 C0605' },
    ),
    reference('S', 9, `18 1L 1W 49 6P 9F ALS CLI F6 FO G1 IG ${level === 'C' ? 'M7' : ''} N6 NQ`, 'S'),
    date('S', 20, benefitDates),
    rejection(serviceRejections, 'C N R W X Y'),
    segment('MSG', 'S', 10, 'R1-264'),
    loop(
      `2115${level}`,
      'S',
      10,
      segment('III', 'R', 1, 'S1-3 GR NI ZZ | S1-30 | S2 44 | S1-264', { notes: 'P0102 L030405' }),
    ),
    loop('LS', 'S', 1, segment('LS', 'R', 1, 'R1-4 2120'), relatedEntity(level), segment('LE', 'R', 1, 'R1-4 2120')),
  )

const military = segment(
  'MPI',
  'S',
  1,
  `R1 A C L O P S T | R2 AE AO AS AT AU CC DD HD IR LX PE RE RM RR RU
    | R1 A B C D E F G H I J K L M N O Q R S U W | S1-80 | S2 | S2-3 D8 RD8 | S1-35`,
  { notes: 'P0607' },
)

/** INS05 to INS16 are not used; INS17 is the order of birth. */
const insured = (who: string, relationships: string) =>
  segment(
    'INS',
    'S',
    1,
    `R1 ${who} | R2 ${relationships} | S3 001 | S2-3 25 | ${Array(12).fill('N').join(' | ')} | S1-9n`,
    {
      notes: 'P0304',
    },
  )

/** 2100C and 2100D from NM1 on. */
const person = (
  level: 'C' | 'D',
  { who, references, reasons, relation }: { who: 'Y' | 'N'; references: string; reasons: string; relation: string },
): LoopRule =>
  loop(
    `2100${level}`,
    'R',
    1,
    patientName(level),
    reference('S', 9, references, 'S'),
    street,
    city,
    rejection(reasons, followUps),
    provider(providerCodes, 'PXC'),
    demographics('F M U'),
    insured(who, relation),
    diagnoses,
    date('S', 9, levelDates),
    military,
    benefit(level),
  )

const dependent = loop(
  '2000D',
  'S',
  Number.POSITIVE_INFINITY,
  hierarchy('23', 'R2', '0'),
  traces(3, '1 2'),
  person('D', {
    who: 'N',
    references: '18 1L 1W 49 6P CE CT EA EJ F6 GH HJ IF IG MRC N6 NQ Q4 SY Y4',
    reasons: '15 35 42 43 45 47 48 49 51 52 56 57 58 60 61 62 63 64 65 66 67 68 71 77',
    relation: '01 19 20 21 39 40 53 G8',
  }),
)

const subscriber = loop(
  '2000C',
  'S',
  Number.POSITIVE_INFINITY,
  hierarchy('22', 'R2', '0 1'),
  traces(3, '1 2'),
  person('C', {
    who: 'Y',
    references: '18 1L 1W 3H 49 6P CE CT EA EJ F6 GH HJ IF IG N6 NQ Q4 SY Y4',
    reasons: '15 35 42 43 45 47 48 49 51 52 56 57 58 60 61 62 63 71 72 73 74 75 76 78',
    relation: '18',
  }),
  dependent,
)

const receiver = loop(
  '2000B',
  'S',
  Number.POSITIVE_INFINITY,
  hierarchy('21', 'R2', '0 1'),
  loop(
    '2100B',
    'R',
    1,
    ...informationReceiver('S'),
    rejection('15 41 43 44 45 46 47 48 50 51 79 97 T4', followUps),
    provider(`${providerCodes} SB`, 'PXC'),
  ),
  subscriber,
)

export const guide271 = loop(
  '271',
  'R',
  1,
  segment('BHT', 'R', 1, 'R4 0022 | R2 06 11 | S1-50 | R8 | R4-8'),
  loop(
    '2000A',
    'R',
    Number.POSITIVE_INFINITY,
    hierarchy('20', 'N', '0 1'),
    rejection('04 41 42 79', 'C N P R S Y'),
    loop(
      '2100A',
      'R',
      1,
      informationSource,
      contacts(3, contactKinds),
      rejection('04 41 42 79 80 T4', 'C N P R S W X Y'),
    ),
    receiver,
  ),
)
