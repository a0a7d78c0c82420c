import { expect, test, vi } from 'vitest'
import { answerText, interchangeOf, readAnswer } from '../../../../test/support/answers.ts'
import type { Response } from '../../../x12/model.ts'
import { findPatient, type MatchRequest } from './match.ts'

const request: MatchRequest = {
  reference: 'REF-9',
  traceNumber: 'TRACE-9',
  subscriber: { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
}
function matchPatient(responses: Response | Response[], asked: MatchRequest) {
  const match = findPatient(Array.isArray(responses) ? responses : [responses], asked)
  return match.kind === 'found' ? match.patient : undefined
}

const ours = 'NM1*IL*1*MARLOWE*IRIS****MI*NW-100200~DMG*D8*19840229*F~'
const stranger = 'NM1*IL*1*HALE*NORA****MI*XX-1~DMG*D8*19700101*F~'
const twin = 'NM1*IL*1*MARLOWE*IVY****MI*NW-100200~DMG*D8*19840229*F~'

const member = (trace: string, identity: string) => `HL*3*2*22*0~TRN*2*${trace}*9ANTEROOM1~${identity}EB*1**30~`
const answer = (...members: string[]) => readAnswer(answerText('', members.join('')))
const found = (response: ReturnType<typeof answer>, asked = request) =>
  matchPatient(response, asked)?.subscriber.firstName

test('the patient that echoes our trace is ours among many', () => {
  expect(found(answer(member('T-1', stranger), member('TRACE-9', ours), member('T-2', twin)))).toBe('IRIS')
})

test.each([
  ['a corrected member id', ours.replace('NW-100200', 'NW-777')],
  ['a corrected birth date', ours.replace('19840229', '19840228')],
  ['another last name', ours.replace('MARLOWE', 'HALE')],
  ['a typing error in the first name', ours.replace('IRIS', 'IRIA')],
])('our trace with %s still identifies our patient', (_, identity) => {
  expect(matchPatient(answer(member('TRACE-9', identity)), request)).toBeDefined()
})

test.each([
  ['a stranger', stranger],
  ['another last name and birth date', ours.replace('MARLOWE', 'HALE').replace('19840229', '19700101')],
  ['a twin', twin],
  ['a father of the same name', ours.replace('19840229', '19550101')],
  ['a parent with the same last name', ours.replace('IRIS', 'NORA').replace('19840229', '19550101')],
])('our trace on %s does not identify our patient', (_, identity) => {
  expect(matchPatient(answer(member('TRACE-9', identity)), request)).toBeUndefined()
})

test('our reference finds the patient when the payer echoes no trace', () => {
  const response = answer(member('THEIRS', ours.replace('MARLOWE', 'HALE').replace('****MI*NW-100200', '')))
  expect(matchPatient(response, request)).toBeUndefined()
  expect(found(response, { ...request, reference: 'REF-1' })).toBe('IRIS')
  expect(matchPatient(answer(member('THEIRS', stranger)), { ...request, reference: 'REF-1' })).toBeUndefined()
})

test('without trace and reference, names with member id or birth date decide, and twins are distinguished', () => {
  expect(found(answer(member('A', stranger), member('B', twin), member('C', ours)))).toBe('IRIS')
  expect(found(answer(member('A', ours.replace('NW-100200', 'NW-777'))))).toBe('IRIS')
  expect(matchPatient(answer(member('A', twin)), request)).toBeUndefined()
  expect(matchPatient(answer(member('A', ours.replace('19840229', '19550101'))), request)).toBeUndefined()
})

test('a member who got a new id is still found by the one we sent, which the payer repeats', () => {
  const renumbered = `${ours.replace('NW-100200', '100200-00').replace('DMG*D8*19840229*F~', '')}REF*Q4*NW-100200~`
  expect(found(answer(member('A', renumbered), member('B', stranger)))).toBe('IRIS')
  expect(matchPatient(answer(member('A', renumbered.replace('Q4*NW-1', 'Q4*NW-2'))), request)).toBeUndefined()
})

test('two answers that match equally well are not accepted', () => {
  expect(matchPatient(answer(member('A', ours), member('B', ours)), request)).toBeUndefined()
})

test("a dependent is found in its own place and in the subscriber's", () => {
  const child = { firstName: 'Finn', lastName: 'Marlowe', dateOfBirth: '2015-05-04' }
  const finn = 'NM1*03*1*MARLOWE*FINN~DMG*D8*20150504*M~'
  const asked = { ...request, dependent: child }
  const placed = answer(`HL*3*2*22*1~${ours}HL*4*3*23*0~TRN*2*TRACE-9~${finn}EB*1**30~`)
  expect(matchPatient(placed, asked)?.dependent?.firstName).toBe('FINN')
  const moved = answer(member('TRACE-9', finn.replace('NM1*03', 'NM1*IL')))
  expect(found(moved, asked)).toBe('FINN')
  expect(matchPatient(answer(member('TRACE-9', ours)), asked)).toBeUndefined()
})

test('a rejection that names no one else is ours only when it is the only answer and has no benefit', () => {
  const refusal = readAnswer(interchangeOf('HL*1**20*1~NM1*PR*2*NORTHWIND HEALTH*****PI*NWH01~AAA*N**42*R~'))
  expect(matchPatient(refusal, request)?.rejections).toHaveLength(1)
  expect(matchPatient([refusal, refusal], request)).toBeUndefined()
  const refused = (id: string) => answer(`HL*3*2*22*0~NM1*IL*1******MI*${id}~AAA*N**73*C~`)
  expect(matchPatient(refused('NW100200'), request)).toBeDefined()
  expect(matchPatient(refused('XX-1'), request)).toBeUndefined()
  expect(matchPatient(readAnswer(interchangeOf('HL*3**22*0~EB*1**30~')), request)).toBeUndefined()
})

test('our patient is found across the transactions of a batch', () => {
  const batch = [answer(member('A', stranger)), answer(member('TRACE-9', ours))]
  expect(matchPatient(batch, request)).toBe(batch[1]?.patients[0])
})

test.each([
  ['first name', 'IRIS'],
  ['last name', 'MARLOWE'],
  ['member id', 'NW-100200'],
])('of a %s of a megabyte no more is read than any has', (_, stated) => {
  const long = ours.replace(stated, 'e\u0301'.repeat(500_000))
  const read = vi.spyOn(String.prototype, 'normalize')
  found(answer(member('T-1', stranger), member('TRACE-9', long)))
  const lengths = read.mock.contexts.map((text) => String(text).length)
  read.mockRestore()
  expect(lengths.length).toBeGreaterThan(0)
  expect(lengths.filter((length) => length > 1000)).toEqual([])
})
