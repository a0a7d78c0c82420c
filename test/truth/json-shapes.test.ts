// Answers in JSON whose parts have other shapes than the description says: nothing that keeps a visit from READY is lost with them.
import { expect, test } from 'vitest'
import { type JsonObject, readJsonObject } from '../../src/clearinghouses/json-values.ts'
import { throughForm } from '../support/answer-doors.ts'

const REQUEST = {
  payerId: 'P1',
  provider: { npi: '1999999984' },
  subscriber: { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
  dateOfService: '2026-03-09',
  serviceTypeCodes: ['30'],
}
const PEOPLE = {
  payer: { name: 'NORTHWIND', payorIdentification: 'P1' },
  subscriber: { memberId: 'NW-100200', firstName: 'IRIS', lastName: 'MARLOWE', dateOfBirth: '19840229' },
}
const ACTIVE = { code: '1', name: 'Active Coverage', serviceTypeCodes: ['30'], planCoverage: 'GOLD PPO' }
const ENDED = 'COVERAGE TERMINATED 02/28/2026'

async function isReady(json: JsonObject): Promise<boolean> {
  const { parsedResponse, readinessIssues = [] } = await throughForm('benefits', json, REQUEST)
  return parsedResponse?.eligibility_status === 'ACTIVE' && readinessIssues.length === 0
}

test('as described, active coverage is ready and ended coverage is not', async () => {
  expect(await isReady({ ...PEOPLE, benefitsInformation: [ACTIVE] })).toBe(true)
  expect(
    await isReady({ ...PEOPLE, benefitsInformation: [ACTIVE], planDateInformation: { planEnd: '20251231' } }),
  ).toBe(false)
})

test.each<[string, JsonObject]>([
  ['a message as a text', { benefitsInformation: [{ ...ACTIVE, additionalInformation: ENDED }] }],
  [
    'a message in a list within a list',
    { benefitsInformation: [{ ...ACTIVE, additionalInformation: [[{ description: ENDED }]] }] },
  ],
  [
    'a message as a list of texts',
    { benefitsInformation: [{ ...ACTIVE, additionalInformation: [{ description: [ENDED] }] }] },
  ],
  ['a message under another key', { benefitsInformation: [{ ...ACTIVE, additionalInformation: [{ text: ENDED }] }] }],
  ['benefits in a list within a list', { benefitsInformation: [[ACTIVE, { code: 'I', serviceTypeCodes: ['98'] }]] }],
  ['a benefit that is a text', { benefitsInformation: [ACTIVE, '{"code":"I","serviceTypeCodes":["98"]}'] }],
  [
    'benefits as a text beside the older status',
    { benefitsInformation: '[…]', planStatus: [{ statusCode: '1', serviceTypeCodes: ['30'] }] },
  ],
  ['a day in a list', { benefitsInformation: [ACTIVE], planDateInformation: { planEnd: ['20251231'] } }],
  ['a day as an object', { benefitsInformation: [ACTIVE], planDateInformation: { planEnd: { date: '20251231' } } }],
  [
    'dates in a list',
    { benefitsInformation: [ACTIVE], planDateInformation: [{ planBegin: '20250101' }, { planEnd: '20251231' }] },
  ],
  ['a code in small letters', { benefitsInformation: [ACTIVE, { code: 'i', serviceTypeCodes: ['98'] }] }],
  ['a service with blanks', { benefitsInformation: [ACTIVE, { code: 'I', serviceTypeCodes: [' 98 '] }] }],
])('%s is read', async (_, json) => {
  expect(await isReady({ ...PEOPLE, ...json })).toBe(false)
})

test.each<[string, JsonObject[], JsonObject]>([
  ['a status as a text', ['Active Coverage', 'Inactive'] as unknown as JsonObject[], {}],
  ['a message as an object', [{ status: 'ACTIVE_COVERAGE', messages: [{ text: ENDED }] }], {}],
  [
    'a period in a list',
    [{ status: 'ACTIVE_COVERAGE' }],
    { dates: { plan: [{ start: '2025-01-01', end: '2025-12-31' }] } },
  ],
])('%s of the newer form is read', async (_, statuses, more) => {
  const json = {
    payer: { name: 'NORTHWIND' },
    subscriber: { ...PEOPLE.subscriber, dateOfBirth: '1984-02-29', ...more },
    plans: [{ name: 'GOLD', benefits: { statuses } }],
  }
  const { parsedResponse, readinessIssues = [] } = await throughForm('plans', json, REQUEST)
  expect([parsedResponse?.eligibility_status === 'ACTIVE', readinessIssues.length === 0]).not.toEqual([true, true])
})

test('a byte order mark before JSON is skipped', () => {
  expect(readJsonObject('\uFEFF{"a":1}')).toEqual({ a: 1 })
})
