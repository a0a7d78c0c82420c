// Who may not be billed. Source: 42 U.S.C. 1396a(n)(3)(B); decisions/0172-what-nobody-may-miss.md.
import { expect, it } from 'vitest'
import { answerAbout } from '../../../../test/support/answers.ts'
import { PROHIBITION_TO_BILL } from '../../../contract/answer-notes.ts'
import { decodePatient } from '../decode.ts'

const MEDICAID = 'EB*1**30*MC*MEDICAID~'

const answerOf = (rows: string) => decodePatient(answerAbout(rows), { dateOfService: '2026-03-01' })
const forbids = (rows: string) => answerOf(rows).benefits?.notes?.includes(PROHIBITION_TO_BILL) ?? false

it.each([
  ['its type', `${MEDICAID}EB*1**30*QM~`],
  ['its name', `${MEDICAID}EB*1**30**QMB~`],
  ['a message', `${MEDICAID}EB*D**30~MSG*MEMBER IS A QUALIFIED MEDICARE BENEFICIARY~`],
  ['a message that says "no copay"', `${MEDICAID}MSG*QMB: NO COPAY~`],
  ['a message with a place whose name begins with "no"', `${MEDICAID}MSG*QMB - NORTH DAKOTA MEDICAID~`],
  ['a text of III', `${MEDICAID}III*ZZ*11*44*MQMB~`],
  ['the name in a reference', `${MEDICAID}REF*M7*24*QMB PLUS~`],
  ['the name of a party', `${MEDICAID}EB*R**30*MC~LS*2120~NM1*PR*2*STATE QMB~LE*2120~`],
])('forbids to bill a patient whom a row names a QMB by %s', (_, rows) => expect(forbids(rows)).toBe(true))

it.each([
  'NON-QMB',
  'MEMBER IS NOT A QMB',
  'NO QMB ON FILE',
  'QMB: N',
  'QMB STATUS: NO',
  'QMB IND = N',
  'QMB: NONE',
  'QMB COVERAGE ENDED 12/31/2025',
  'QMB: INACTIVE',
  'FORMER QMB',
])('forbids nothing where the payer says that the patient is none, or was one: %s', (text) =>
  expect(forbids(`${MEDICAID}MSG*${text}~`)).toBe(false),
)

it.each([
  ['an ended plan', `${MEDICAID}EB*1**30*QM*QMB~DTP*291*RD8*20250101-20251231~`],
  ['an inactive row', `${MEDICAID}EB*6**30*QM*QMB~`],
])('forbids nothing for %s', (_, rows) => expect(forbids(rows)).toBe(false))

it('forbids to bill also where the rest of the coverage is not active', () => {
  const rows = 'EB*6**30*MC*MEDICAID~EB*R**30*QM~'
  expect(answerOf(rows).eligibility_status).toBe('INACTIVE')
  expect(forbids(rows)).toBe(true)
})
