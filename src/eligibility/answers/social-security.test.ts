import { expect, test } from 'vitest'
import { answerText, readAnswer, SUBSCRIBER } from '../../../test/support/answers.ts'
import type { Clearinghouse, ClearinghouseAnswer } from '../../clearinghouses/clearinghouse.ts'
import { ClearinghouseError } from '../../clearinghouses/clearinghouse.ts'
import type { CheckRequest } from '../inquiries/check-inquiry.ts'
import { runCheck } from '../inquiries/run-check.ts'
import { renderResponse } from './render-response.ts'
import { maskTexts, withoutSocialSecurityNumbers } from './social-security.ts'

const SSN = '917654329'
const SPELLED = ['917654329', '917-65-4329', '917 65 4329']
const CHECK_ID = '0199a3c1-0000-7000-8000-000000000001'
const asked: CheckRequest = {
  payerId: 'NWH01',
  provider: { npi: '1999999984' },
  subscriber: { memberId: 'NW-100200', firstName: 'IRIS', lastName: 'MARLOWE', dateOfBirth: '1984-02-29' },
  dateOfService: '2026-03-01',
  serviceTypeCodes: ['30'],
}
const active = 'EB*1**30**TEST PLAN~'

async function check(answer: ClearinghouseAnswer | Error, request = asked) {
  const clearinghouse: Clearinghouse = {
    name: 'scripted',
    checkEligibility: async () => {
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const outcome = await runCheck(clearinghouse, request, {
    organizationId: 'ORGANIZATION',
    checkId: CHECK_ID,
    controlNumber: 1,
    at: new Date(),
  })
  const { rawResponse = '', rawInquiry: _, answerForm, ...shown } = outcome
  const again =
    answerForm &&
    (await renderResponse({ text: rawResponse, form: answerForm }, request, {
      organizationId: 'ORGANIZATION',
      id: CHECK_ID,
    }))
  return { outcome, rawResponse, shown, again }
}

const x12: [what: string, text: string][] = [
  ['REF*SY of the subscriber', answerText(active, `${SUBSCRIBER}REF*SY*${SSN}~`)],
  ['REF*SY with hyphens', answerText(active, `${SUBSCRIBER}REF*SY*917-65-4329~`)],
  [
    'an id with qualifier 34',
    answerText(
      active,
      SUBSCRIBER.replace('****MI*NW-100200', `****34*${SSN}`).replace('*Q***MI*NW-100200', `*Q***34*${SSN}`),
    ),
  ],
  [
    'REF*SY and the same number elsewhere',
    answerText(`${active}MSG*MEMBER ${SSN} CALL US~REF*1L*${SSN}~`, `${SUBSCRIBER}REF*SY*${SSN}~`),
  ],
  ['a free text that says so', answerText(`${active}MSG*SSN: 917-65-4329 ON FILE~`)],
  ['a free text with nine digits behind a label', answerText(`${active}MSG*SOCIAL SECURITY NUMBER IS ${SSN}~`)],
  ['a number as such numbers are written', answerText(`${active}MSG*REFER TO 917-65-4329~`)],
  ['other delimiters', answerText(active, `${SUBSCRIBER}REF*SY*${SSN}~`).replaceAll('*', '|').replaceAll('~', '!')],
  ['a related entity', answerText(`${active}LS*2120~NM1*P3*1*DOC*ANN****34*${SSN}~LE*2120~`)],
  ['an III text', answerText(`${active}III**44*SS# ${SSN}~`)],
]

test.each(x12)('a social security number in %s is only in the stored message', async (_, text) => {
  const { rawResponse, shown, again } = await check({ rawInquiry: 'asked', rawResponse: text })
  expect(rawResponse).toBe(text)
  for (const spelled of SPELLED) expect(JSON.stringify([shown, again])).not.toContain(spelled)
  expect(shown.parsedResponse?.eligibility_status).toBe('ACTIVE')
  expect(JSON.stringify(shown)).toContain('XXXXXXXXX')
  expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(shown.response)))
})

test('JSON of a clearinghouse is shown unchanged except for the numbers', async () => {
  const json = {
    subscriber: { memberId: 'NW-100200', ssn: SSN, firstName: 'IRIS', social_security_number: 917654329 },
    planInformation: { socialSecurityNumber: '917-65-4329', groupNumber: 'G-1' },
    benefitsInformation: [
      {
        code: '1',
        additionalInformation: [{ description: `SSN ${SSN}` }],
        eligibilityAdditionalInformation: { idQualifier: 'SY', value: SSN },
      },
    ],
    x12: answerText(active, `${SUBSCRIBER}REF*SY*${SSN}~`),
  }
  const { rawResponse, shown, again } = await check({ rawResponse: json.x12, json })
  expect(rawResponse).toContain(SSN)
  for (const spelled of SPELLED) expect(JSON.stringify([shown, again])).not.toContain(spelled)
  expect(shown.response).toMatchObject({ planInformation: { groupNumber: 'G-1' }, subscriber: { firstName: 'IRIS' } })
  expect(again).toEqual(shown.response)
})

test('the text of a failing clearinghouse is shown without the number it quotes', async () => {
  const failing = new ClearinghouseError(`cannot find SSN ${SSN}`, {
    code: 'HTTP 400',
    retryable: false,
    detail: `SSN ${SSN}`,
    rawResponse: JSON.stringify({ ssn: SSN, message: 'no' }),
  })
  const { shown, again } = await check(failing)
  for (const spelled of SPELLED) expect(JSON.stringify([shown, again])).not.toContain(spelled)
})

test('the member id of the inquiry stays, even when it is such a number, and so do other numbers', async () => {
  const request = { ...asked, subscriber: { ...asked.subscriber, memberId: SSN } }
  const text = answerText(`${active}MSG*CALL 800-555-0199 REF 2026-03-10~`, SUBSCRIBER.replace('NW-100200', SSN))
  const { shown } = await check({ rawResponse: text }, request)
  expect(shown.parsedResponse?.plan_metadata?.member_id).toBe(SSN)
  expect(JSON.stringify(shown)).toContain('CALL 800-555-0199 REF 2026-03-10')
  expect(shown.requestCorrections ?? []).toEqual([])
})

test('the member id of the inquiry stays where an answer calls the same number a social security number elsewhere', () => {
  const answer = { memberId: SSN, note: `member ${SSN}`, ssn: SSN }
  const of = (memberId: string) => maskTexts(answer, { subscriber: { memberId } })
  expect(of(SSN)).toEqual({ ...answer, ssn: 'XXXXXXXXX' })
  expect(of('NW-100200')).toEqual({ memberId: 'XXXXXXXXX', note: 'member XXXXXXXXX', ssn: 'XXXXXXXXX' })
})

test('a number is masked in its own segment, and an amount of a month that is the same stays', () => {
  const header = answerText('').slice(0, answerText('').indexOf('GS*'))
  const masked = maskTexts(`${header}EB*B*IND*30**GOLD*34*4329.50~NM1*IL*1*DOE*JANE****34*4329~REF*0F*SY*43~REF*SY*43~`)
  expect(masked).toContain('GOLD*34*4329.50~NM1*IL*1*DOE*JANE****34*XXXXXXXXX~REF*0F*SY*43~REF*SY*XXXXXXXXX~')
})

test('numbers in segments in lower case, or broken over lines, are masked in their place', () => {
  const header = answerText('').slice(0, answerText('').indexOf('GS*'))
  expect(maskTexts(`${header}ref*sy*4329~msg*call 4329~`)).toContain('ref*sy*XXXXXXXXX~msg*call 4329~')
  const broken = header.replace('NORTHWIND', 'NORTH\nWIND')
  expect(maskTexts(`${broken}REF*S\nY*43\n29~REF*1L*4329~`)).toContain('REF*SY*XXXXXXXXX~REF*1L*4329~')
})

const isa = answerText('').slice(0, answerText('').indexOf('GS*'))
const count = 80_000
const each = <T>(build: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => build(index))
const numberOf = (index: number) => String(917_000_000 + index)

// Work that grows with the square of the answer would run into the time limit of the tests.
test.each<[string, () => unknown]>([
  ['one number in every segment', () => isa + each(() => `REF*SY*${SSN}~`).join('')],
  ['another number in every segment', () => isa + each((index) => `REF*SY*${numberOf(index)}~`).join('')],
  ['another ending in every segment', () => isa + each((index) => `REF*SY*A${index}~`).join('')],
  ['names without end', () => isa + 'NM1'.repeat(6 * count)],
  ['JSON with a number in every item', () => each((index) => ({ ssn: numberOf(index), note: 'none' }))],
  ['JSON of one object with numbers', () => Object.fromEntries(each((index) => [`f${index}`, '4329']))],
])('an answer that holds %s is masked to its end', (_, build) => {
  const masked = JSON.stringify(maskTexts(build()))
  expect(masked).not.toContain(numberOf(7))
  expect(masked).not.toContain('A7~')
})

test('a large answer is masked in turns: each of its parts is searched, and then masked, in its own', async () => {
  const { patients } = readAnswer(answerText(`${active}MSG*SSN ${SSN}~`))
  const response = { controlNumber: '1', warnings: [], rejections: [], patients }
  let turns = 0
  const turn = () => {
    turns += 1
    return undefined
  }
  const note = 'COVERED. '.repeat(50_000)
  const masked = await withoutSocialSecurityNumbers(
    { rawResponse: `${SSN} ${note}`, responses: Array(3000).fill(response), json: [SSN, 7, note] },
    asked,
    turn,
  )
  expect(turns).toBeGreaterThanOrEqual(6)
  expect(masked).toMatchObject({ rawResponse: `XXXXXXXXX ${note}`, json: ['XXXXXXXXX', 7, note] })
  expect(JSON.stringify(masked)).not.toContain(SSN)
})
