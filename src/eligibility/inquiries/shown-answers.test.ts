import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ClearinghouseError, type CobInquiry, type DiscoveryInquiry } from '../../clearinghouses/clearinghouse.ts'
import { askCoverage, askDiscovery, askRegistry } from './shown-answers.ts'

const PAYER_SSN = '918227651'
const OWN_SSN = '917654329'
const SPELLED = [PAYER_SSN, OWN_SSN].flatMap((ssn) => [ssn, `${ssn.slice(0, 3)}-${ssn.slice(3, 5)}-${ssn.slice(5)}`])

/** A number in every position where a clearinghouse's JSON has been seen to have one. */
const answer = {
  subscriber: { memberId: 'NW-100200', ssn: PAYER_SSN, SSN: '918-22-7651', socialSecurityNumber: PAYER_SSN },
  patient: { patientSSN: Number(PAYER_SSN), id: Number(PAYER_SSN) },
  references: [{ referenceIdentificationQualifier: 'SY', value: PAYER_SSN }],
  benefitsRelatedEntities: [{ entityIdentification: '34', entityIdentificationValue: PAYER_SSN }],
  messages: [`SSN: 918-22-7651`, `CALL ABOUT ${PAYER_SSN}`, `YOU SENT ${OWN_SSN}`],
  x12: `ISA*00*~NM1*IL*1*DOE*JANE****MI*NW-100200~REF*SY*${PAYER_SSN}~`,
  [PAYER_SSN]: { status: 'known' },
}
const failure = new ClearinghouseError(`no member ${OWN_SSN}`, {
  code: 'HTTP 400',
  retryable: false,
  detail: `ssn ${OWN_SSN} not found`,
  rawResponse: JSON.stringify({ ssn: OWN_SSN, said: `no member has ${OWN_SSN}` }),
})

const person = { firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '19840229', ssn: OWN_SSN }
const discovery: DiscoveryInquiry = { provider: { npi: '1999999984' }, subscriber: person }
const cob: CobInquiry = {
  tradingPartnerServiceId: 'NWH01',
  provider: { npi: '1999999984' },
  subscriber: { ...person, memberId: 'NW-100200' },
  encounter: { dateOfService: '2026-03-01' },
}

const options = { organizationId: 'clinic' }
const ways: [what: string, ask: (fetchAnswer: () => Promise<Record<string, unknown>>) => Promise<unknown>][] = [
  ['discovery', (fetchAnswer) => askDiscovery(fetchAnswer, discovery, options)],
  ['coordination of benefits', (fetchAnswer) => askRegistry(fetchAnswer, cob, options)],
  ['a coverage', (fetchAnswer) => askCoverage(fetchAnswer, { memberId: 'NW-100200', patientSSN: OWN_SSN }, options)],
]

test.each(ways)('%s shows no social security number, of the payer or of the inquiry', async (_, ask) => {
  const shown = JSON.stringify(await ask(async () => structuredClone(answer)))
  for (const number of SPELLED) expect(shown).not.toContain(number)
  expect(shown).toContain('NW-100200')
})

test.each(ways)('%s that fails shows none either', async (_, ask) => {
  const error = await ask(() => Promise.reject(failure)).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ClearinghouseError)
  const { code, retryable, message, detail, rawResponse } = error as ClearinghouseError
  expect({ code, retryable }).toEqual({ code: 'HTTP 400', retryable: false })
  for (const number of SPELLED) expect(JSON.stringify([message, detail, rawResponse])).not.toContain(number)
})

test('an answer keeps the member id of the inquiry, even when it is the member’s social security number', async () => {
  const asked = { ...cob, subscriber: { ...cob.subscriber, memberId: PAYER_SSN } }
  const shown = await askRegistry(async () => ({ subscriber: { memberId: PAYER_SSN } }), asked, options)
  expect(shown).toEqual({ subscriber: { memberId: PAYER_SSN } })
})

test('no resource bypasses the masking of such answers', () => {
  const root = new URL('../..', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('clearinghouses/'),
  )
  const asking = files.filter((name) =>
    /\b(?:discoverInsurance|coordinateBenefits|fetchCoverage)\??\.?\(/.test(readFileSync(new URL(name, root), 'utf8')),
  )
  expect(asking).toEqual(['eligibility/inquiries/shown-answers.ts'])
})
