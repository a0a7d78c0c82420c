// Answers in JSON whose parts have other shapes than the description says: nothing that keeps a visit from READY is lost with them.
import { expect, test } from 'vitest'
import { type JsonObject, readJsonObject } from '../../src/clearinghouses/json-values.ts'
import { throughForm, throughText } from '../support/answer-doors.ts'
import { REQUEST } from '../support/answers.ts'
import { figuresOf } from '../support/figures-of.ts'

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

const DENIED = { code: 'I', serviceTypeCodes: ['98'] }
const OTHER_PRIMARY = {
  code: 'R',
  serviceTypeCodes: ['30'],
  benefitsRelatedEntities: [{ entityIdentifier: 'Primary Payer', entityName: 'AETNA' }],
}
const held = async (form: 'benefits' | 'plans' | 'availity', text: string) => {
  const { parsedResponse, readinessIssues = [] } = await throughText(form, text, REQUEST)
  return parsedResponse?.eligibility_status !== 'ACTIVE' || readinessIssues.length > 0
}

test.each<[string, string]>([
  ['benefits under a name that comes twice', `"benefitsInformation":[${JSON.stringify(DENIED)}],`],
  [
    'an end of the plan under a name that comes twice',
    '"planDateInformation":{"planEnd":"20251231"},"planDateInformation":{},',
  ],
  ['benefits within another object', `"data":{"more":[{"benefitsInformation":[${JSON.stringify(DENIED)}]}]},`],
  ['benefits in JSON within a text', `"payload":${JSON.stringify(JSON.stringify({ benefitsInformation: [DENIED] }))},`],
  ['a sentence under an unknown name', `"disclaimer":{"lines":["${ENDED}"]},`],
  ['a second dependent', '"dependents":[{"firstName":"A","lastName":"B"},{"firstName":"IRIS","lastName":"MARLOWE"}],'],
  ['an error without a reason of X12', '"errors":[{"code":"PARTIAL","description":"Some benefits are missing"}],'],
  [
    'a warning that the answer is incomplete',
    '"warnings":[{"code":"W1","description":"Partial response: try again"}],',
  ],
  ['two ends of the plan', '"planDateInformation":{"plan":["20250101","20251231"]},'],
  ['two birth dates', '"subscriber":{"dateOfBirth":"19500101"},'],
])('%s beside active coverage leaves no visit READY', async (_, more) => {
  const { subscriber, payer } = PEOPLE
  const rest = JSON.stringify({ payer, subscriber, benefitsInformation: [ACTIVE] }).slice(1)
  expect(await held('benefits', `{${rest}`)).toBe(false)
  expect(await held('benefits', `{${more}${rest}`)).toBe(true)
})

test.each<[string, unknown]>([
  ['a text', JSON.stringify(ENDED)],
  ['an amount that is no number', { ...ACTIVE, code: 'Y', benefitAmount: '12.34.56' }],
  ['another network in words', { ...ACTIVE, code: 'B', benefitAmount: '25', inPlanNetworkIndicatorCode: 'PREFERRED' }],
  ['codes as names', { name: 'Non-Covered', serviceTypeCodes: ['Professional (Physician) Visit - Office'] }],
  ['a code whose name alone is known', { code: 'NONCOV', name: 'Non-Covered', serviceTypeCodes: ['98'] }],
  ['a name in place of the code', { code: 'Non-Covered', serviceTypeCodes: ['98'] }],
  ['names in snake case', { code: 'I', service_type_codes: '98' }],
  ['services with their descriptions', { code: 'I', serviceTypeCodes: [{ code: '98', description: 'Office' }] }],
  [
    'a payer in capitals',
    Object.fromEntries(Object.entries(OTHER_PRIMARY).map(([key, value]) => [key.toUpperCase(), value])),
  ],
])('a benefit with %s leaves no visit READY', async (_, benefit) => {
  expect(await held('benefits', JSON.stringify({ ...PEOPLE, benefitsInformation: [ACTIVE, benefit] }))).toBe(true)
})

test('what cannot be read is named, and never quoted', async () => {
  const json = { ...PEOPLE, benefitsInformation: [ACTIVE, { ...ACTIVE, code: 'B', benefitAmount: '25.00.1' }] }
  const { readinessIssues = [] } = await throughText('benefits', JSON.stringify(json), REQUEST)
  expect(readinessIssues.map(({ note }) => note)).toEqual([
    'a part of the answer has an unexpected shape and cannot be read (benefitsInformation.1.benefitAmount): ask the payer',
  ])
})

test.each<[unknown, number]>([
  [25, 25],
  ['25.00', 25],
  ['$25', 25],
  ['25,00', 25],
  [' 25 ', 25],
  ['1,000', 1000],
  ['2.5e1', 25],
  [{ amount: 25, currency: 'USD' }, 25],
])('an amount of %j is %d dollars', async (benefitAmount, dollars) => {
  const copay = { code: 'B', coverageLevelCode: 'IND', serviceTypeCodes: ['98'], inPlanNetworkIndicatorCode: 'Y' }
  const json = { ...PEOPLE, benefitsInformation: [ACTIVE, { ...copay, benefitAmount }] }
  const { parsedResponse } = await throughText('benefits', JSON.stringify(json), REQUEST)
  const [figure] = figuresOf(parsedResponse ?? {})
  expect(figure).toMatchObject({ service: '98', slot: 'copay', value: dollars })
})

test('an object that names its prototype has no members of it', async () => {
  const json = `{"payer":{"name":"NORTHWIND"},"subscriber":${JSON.stringify(PEOPLE.subscriber)},"benefitsInformation":[{"__proto__":{"code":"1"},"serviceTypeCodes":["30"]}]}`
  expect(await held('benefits', json)).toBe(true)
  expect(({} as JsonObject).code).toBeUndefined()
})

test('an answer that nests thousands of levels is refused, and not read', async () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  const { status, errors } = await throughText('plans', deep, REQUEST)
  expect([status, errors.length]).toEqual(['FAILED', 1])
})

test('a byte order mark before JSON is skipped', () => {
  expect(readJsonObject('\uFEFF{"a":1}')).toEqual({ a: 1 })
})
