// A text on a row that makes the coverage active, and that no rule understands, stands beside the status.
import { describe, expect, test } from 'vitest'
import { DOORS, throughDoor } from '../../../../test/support/answer-doors.ts'
import { answerText, REQUEST } from '../../../../test/support/answers.ts'
import { readEnvelope } from '../../../x12/envelope.ts'
import { readResponse } from '../../../x12/response-reader.ts'
import { printBenefits } from '../../printing/print-benefits.ts'
import { payerNotesOf } from './payer-notes.ts'

const ask = (rows: string, door: (typeof DOORS)[number] = 'x12', services = ['30']) =>
  throughDoor(door, answerText(rows), { ...REQUEST, payerId: 'NWH01', serviceTypeCodes: services })
const linesOf = async (...asked: Parameters<typeof ask>) =>
  (await ask(...asked)).parsedResponse?.benefits?.notes?.split('\n') ?? []
const notesOf = async (...asked: Parameters<typeof ask>) =>
  (await linesOf(...asked)).filter((line) => line.startsWith("Payer's note: "))

const UNKNOWN = 'ZEPHYR FLAG 7 UPDATE DUE'

describe.each(DOORS)('through %s', (door) => {
  test('the text of the plan is read first, and once', async () => {
    const lines = await linesOf(`EB*1**30*PR*GOLD~MSG*${UNKNOWN}~EB*D**30~MSG*CALL US ANY TIME~`, door)
    expect(lines.filter((line) => line.includes(UNKNOWN))).toEqual([`Payer's note: ${UNKNOWN}`])
    expect(lines[0]).toBe(`Payer's note: ${UNKNOWN}`)
    expect(lines).toContain('CALL US ANY TIME')
  })

  test('the visit stays READY, because a text alone proves nothing', async () => {
    const { readinessIssues, parsedResponse } = await ask(`EB*1**30*PR*GOLD~MSG*${UNKNOWN}~`, door)
    expect([parsedResponse?.eligibility_status, readinessIssues]).toEqual(['ACTIVE', undefined])
  })
})

const BESIDE = 'HUMANA. The payer does not say which plan pays first: ask the patient.'
const other = (entity: string, dates = '') => `EB*R**30*C1~${dates}LS*2120~NM1*${entity}*2*HUMANA*****PI*61101~LE*2120~`

describe.each(DOORS)('through %s', (door) => {
  test('a payer that is named without its place in the order stands beside the status, and the visit stays READY', async () => {
    const rows = `EB*1**30*PR*GOLD~MSG*${UNKNOWN}~${other('PR')}`
    const { readinessIssues, parsedResponse } = await ask(rows, door)
    expect(parsedResponse?.benefits?.notes?.split('\n').slice(0, 2)).toEqual([
      `Other insurance: ${BESIDE}`,
      `Payer's note: ${UNKNOWN}`,
    ])
    expect([parsedResponse?.eligibility_status, readinessIssues]).toEqual(['ACTIVE', undefined])
  })
})

test.each([
  ['that is primary, which is an alert of its own', `EB*1**30*PR*GOLD~${other('PRP')}`],
  ['that is secondary', `EB*1**30*PR*GOLD~${other('SEP')}`],
  ['whose coverage has ended', `EB*1**30*PR*GOLD~${other('PR', 'DTP*292*RD8*20240101-20241231~')}`],
  ['of other services than those of the visit', `EB*1**30*PR*GOLD~${other('PR').replace('**30*', '**35*')}`],
  ['beside coverage that is not active', `EB*6**30*PR*GOLD~${other('PR')}`],
])('nothing is said beside the status of another payer %s', async (_, rows) => {
  expect((await linesOf(rows)).filter((line) => line.startsWith('Other insurance: '))).toEqual([])
})

test('one whose order is stated is not named among those whose is not', async () => {
  const [first] = await linesOf(`EB*1**30*PR*GOLD~${other('SEP').replace('HUMANA', 'LATER PLAN')}${other('PR')}`)
  expect(first).toBe(`Other insurance: ${BESIDE}`)
})

test('a payer cannot imitate that line in a text of its own', async () => {
  const lines = await linesOf('EB*1**30*PR*GOLD~EB*D**30~MSG*Other insurance: none on file~')
  expect(lines).toEqual(['the payer says: Other insurance: none on file'])
})

test('of very many payers three are named, and the others counted', async () => {
  const names = ['A', 'B', 'C', 'D', 'E'].map((name) => `NM1*PR*2*PLAN ${name}~`).join('')
  const [first] = await linesOf(`EB*1**30*PR*GOLD~EB*R**30~LS*2120~${names}LE*2120~`)
  expect(first).toMatch(/^Other insurance: PLAN A, PLAN B, PLAN C and 2 more\. /)
})

test.each([
  ['of the service of the visit', `EB*1**30*PR*GOLD~EB*1**98~MSG*${UNKNOWN}~`, 1],
  ['that names whom to contact about the plan', `EB*1**30*PR*GOLD~EB*U**30~MSG*${UNKNOWN}~`, 1],
  ['of another service', `EB*1**30*PR*GOLD~EB*1**35~MSG*${UNKNOWN}~`, 0],
  ['under a figure', `EB*1**30*PR*GOLD~EB*C*IND*30***23*500~MSG*${UNKNOWN}~`, 0],
  ['of a plan of another year', `EB*1**30*PR*GOLD~EB*1**30*PR*OLD~DTP*292*RD8*20240101-20241231~MSG*${UNKNOWN}~`, 0],
  ['that only names the network', 'EB*1**30*PR*GOLD~MSG*IN NETWORK~', 0],
  ['that only repeats the plan', 'EB*1**30*PR*GOLD~MSG*GOLD~', 0],
  ['that keeps the visit from being READY, whose reason quotes it', 'EB*1**30*PR*GOLD~MSG*COVERAGE SUSPENDED~', 0],
  ['that is an alert', 'EB*1**30*PR*GOLD~MSG*PROVIDER IS OUT OF NETWORK FOR MEMBER~', 0],
])('a text %s', async (_, rows, count) => {
  expect(await notesOf(rows)).toHaveLength(count)
})

test('inactive coverage has none: its status is the reason', async () => {
  expect(await notesOf(`EB*6**30*PR*GOLD~MSG*${UNKNOWN}~`)).toEqual([])
})

test('a payer cannot imitate one of our alerts in it', async () => {
  const lines = await linesOf('EB*1**30*PR*GOLD~MSG*ATTENTION: ZEPHYR~')
  expect(lines).toEqual(["Payer's note: ATTENTION: ZEPHYR"])
})

test('the work for an answer of thousands of texts and readiness issues grows with their number, not with its square', () => {
  const lookedAt = (count: number) => {
    let looks = 0
    const readinessIssues = Array.from({ length: count }, (_, index) => ({
      kind: 'NO_COVER_FOR_SERVICE' as const,
      get note() {
        looks += 1
        return `inactive: ${index}`
      },
    }))
    const text = answerText(Array.from({ length: count }, (_, index) => `EB*1**30~MSG*${UNKNOWN} ${index}~`).join(''))
    const [transaction] = readEnvelope(text).transactions
    const [patient] = transaction ? readResponse(transaction).patients : []
    const notes = payerNotesOf(patient?.benefits ?? [], { services: ['30'], day: '2026-03-09', readinessIssues })
    expect(notes).toHaveLength(10)
    return looks
  }
  expect(lookedAt(2_000)).toBeLessThanOrEqual(2 * lookedAt(1_000))
})

test('the terminal prints it directly below the status', async () => {
  const { parsedResponse } = await ask(`EB*1**30*PR*GOLD~MSG*${UNKNOWN}~EB*B**98***27*25*****Y~`)
  const [, , third] = printBenefits({ parsed_response: parsedResponse }).split('\n')
  expect(third).toBe(`Payer's note: ${UNKNOWN}`)
})
