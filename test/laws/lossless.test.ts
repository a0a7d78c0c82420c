// Every EB row and MSG of an answer is contained in the parsed response. Source: x12-271.md 7, corrected.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodePatient } from '../../src/eligibility/answers/decode.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { readTransactions } from '../../src/x12/envelope.ts'
import type { BenefitRow } from '../../src/x12/model.ts'
import { readResponse } from '../../src/x12/response-reader.ts'
import { answerAbout, answerText, readAnswer } from '../support/answers.ts'

const folder = join(packageRoot, '..', 'shared', 'eligibility', 'samples', '271')
const samples = existsSync(folder)
  ? readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
  : []
if (samples.length === 0) console.info('No sample messages beside the repository: only generated messages are tested.')

const CODES = [
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  'A',
  'B',
  'C',
  'CB',
  'D',
  'E',
  'F',
  'G',
  'H',
  'I',
  'J',
  'K',
  'L',
  'M',
  'MC',
  'N',
  'O',
  'P',
  'Q',
  'R',
  'S',
  'T',
  'U',
  'V',
  'W',
  'X',
  'Y',
  'ZZ',
]
const SERVICES = ['30', '', '98', '88', 'EF', '33^98^ZQ', '30^98']
const HANGING = [
  '',
  'MSG*TEXT ONE~MSG*TEXT TWO~',
  'HSD*VS*1***7*1~MSG*ONE VISIT A DAY~',
  'III*ZZ*02~MSG*TELEHEALTH~',
  'REF*9F*REFERRAL77~DTP*292*RD8*20260101-20261231~',
  'LS*2120~NM1*13*2*HARBOR PHARMACY****SV*P-77~PER*IC**TE*2075550100~LE*2120~MSG*ONLY AT THIS PHARMACY~',
]
/** Every code, about the plan and about services, with every segment that may stand below a row. */
const generated = CODES.flatMap((code) =>
  SERVICES.map((service) => {
    const rows = HANGING.map(
      (hanging, index) =>
        `EB*${code}*IND*${service}**LABEL ${index}*27*${700 + index}*${code === 'A' ? '.35' : ''}*VS*${40 + index}*Y*N~${hanging}`,
    )
    return [`EB*${code}**${service}`, answerText(`EB*1**30**PLAN~${rows.join('')}`)] as const
  }),
)

/** The parts of a row that must be readable: its texts and names, and the figures of its kind. */
function piecesOf(row: BenefitRow, isSole: boolean): string[] {
  const names = row.entities.flatMap(({ lastName }) => lastName ?? [])
  const label = isSole ? [] : [row.planDescription]
  const figures = ['A', 'B', 'C', 'F', 'G', 'I', 'E'].includes(row.code)
    ? [row.code === 'A' ? undefined : row.amount, row.quantity]
    : [row.amount, row.quantity]
  const isWordy = row.code === 'I' || row.code === 'E'
  return [
    ...row.messages,
    ...names,
    ...label,
    ...(isWordy ? [row.amount] : figures.map((text) => text && String(Number(text)))),
  ].filter((text) => text !== undefined)
}

test.each([...samples, ...generated])('%s', (_, text) => {
  const lost = [...readTransactions(text)]
    .filter(({ setId }) => setId === '271')
    .flatMap((transaction) => readResponse(transaction).patients)
    .flatMap((patient) => {
      const shown = JSON.stringify(decodePatient(patient)).replaceAll('\\"', '"')
      const pieces = patient.benefits.flatMap((row) => piecesOf(row, patient.benefits.length < 3))
      return pieces.filter((piece) => !shown.includes(piece))
    })
  expect(lost).toEqual([])
})

test('every meaningful row affects the parsed response', () => {
  const rows = [
    'EB*N**88~LS*2120~NM1*13*2*HARBOR PHARMACY~LE*2120~',
    'EB*J**98~',
    'EB*D**98***7*****VS*1~',
    'EB*X**45~DTP*292*D8*20260201~',
    'EB*K**47***32****LA*60~',
    'EB*1**33~',
    'EB*H**98~',
    'EB*M**30~',
    'EB*Q**2~',
    'EB*S**35~',
    'EB*T**30~',
    'EB*W**30~',
    'EB*CB**30~',
    'EB*U**30~',
    'EB*ZZ**98~',
  ]
  const parse = (text: string) => JSON.stringify(decodePatient(answerAbout(`EB*1**30~${text}`)))
  for (const row of rows) expect(parse(row), row).not.toBe(parse(''))
  expect(parse(rows[0]!)).toContain(
    'Services Restricted to Following Provider: Pharmacy; Contracted Service Provider HARBOR PHARMACY',
  )
})

test.each([
  'EB*1**30*QM~',
  'EB*R**30*QM~',
  'EB*D**30~MSG*QUALIFIED MEDICARE BENEFICIARY~',
  'EB*C**30*QM**23*0~',
  'EB*1**30**QMB ONLY~',
  'EB*P**30~MSG*PATIENT HAS QMB STATUS. DO NOT BILL.~',
])('a Qualified Medicare Beneficiary is prominently noted: %s', (row) => {
  const [patient] = readAnswer(answerText(`EB*1**30*MA~${row}`)).patients
  expect(decodePatient(patient!, { dateOfService: '2026-03-01' }).benefits?.notes?.split('\n')[0]).toBe(
    'ATTENTION: Qualified Medicare Beneficiary (QMB): billing the patient for Medicare cost sharing is against the law',
  )
})

test.each(['EB*1**30*QM~DTP*290*RD8*20240101-20241231~', 'EB*D**30~MSG*NOT A QMB~', 'EB*D**30~MSG*NON-QMB SLMB~'])(
  'somebody else is not noted as a Qualified Medicare Beneficiary: %s',
  (row) => {
    const patient = answerAbout(`EB*1**30*MA~${row}`)
    expect(decodePatient(patient, { dateOfService: '2026-03-01' }).benefits?.notes ?? '').not.toContain('ATTENTION')
  },
)
