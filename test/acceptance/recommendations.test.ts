// Recommendations of checks, and users' votes on them.
import { randomUUID } from 'node:crypto'
import { CandidApi, type CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type Credentials, type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { activeCheck, bodyOf, errorOf } from './requests.ts'

type Checks = CandidApiClient['preEncounter']['eligibilityChecks']['v1']
type NewRecommendation = CandidApi.preEncounter.eligibilityChecks.v1.PostEligibilityRecommendationRequest

let server: StartedServer
let client: CandidApiClient
let checks: Checks
let credentials: Credentials

beforeAll(async () => {
  server = await startServerOnClone()
  credentials = await server.newCredentials()
  client = publishedClient(server, credentials)
  checks = client.preEncounter.eligibilityChecks.v1
})
afterAll(() => server?.stop())

const { FilterQueryString, PatientId, UserId } = CandidApi.preEncounter
const filters = (text: string) => ({ filters: FilterQueryString(text) })

/** The id of a new check, which no answer of the published interface contains. */
async function newCheckId(): Promise<string> {
  bodyOf(await checks.post(activeCheck()))
  const { client_id: clientId, client_secret: clientSecret } = credentials
  const { accessToken } = bodyOf(await client.auth.default.getToken({ clientId, clientSecret }))
  const answer = await fetch(`${server.url}/anteroom/v1/eligibility-checks?limit=1`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const { items } = (await answer.json()) as { items: { check_id: string }[] }
  return items[0]?.check_id ?? ''
}

/** For a new patient every time. */
async function someRecommendation(overrides: Partial<NewRecommendation> = {}): Promise<NewRecommendation> {
  return {
    eligibilityCheckId: await newCheckId(),
    patient: {
      id: PatientId(randomUUID()),
      mrn: randomUUID(),
      lastName: 'Marlowe',
      firstName: 'Iris',
      dateOfBirth: '1984-02-29',
      memberId: randomUUID(),
    },
    recommendation: { type: 'MEDICARE_ADVANTAGE', payload: { payerName: 'HUMANA', payerId: '61101', memberId: 'H1' } },
    ...overrides,
  }
}

describe('a recommendation', () => {
  test('is created and found by the patient, the member and the check; the latest of each type', async () => {
    const body = await someRecommendation()
    bodyOf(await checks.createRecommendation(body))
    const made = bodyOf(await checks.createRecommendation(body))
    expect(made).toMatchObject({ ...body, version: 1, deactivated: false })
    const copay = bodyOf(
      await checks.createRecommendation({
        ...body,
        recommendation: {
          type: 'COPAY_ESTIMATION',
          payload: { structuredResponse: 2500, exposition: 'The payer states $25.' },
        },
      }),
    )
    for (const filter of [
      `patient.id|eq|${body.patient.id}`,
      `patient.mrn|eq|${body.patient.mrn}`,
      `patient.memberId|eq|${body.patient.memberId},patient.lastName|ieq|marlowe,patient.dateOfBirth|eq|1984-02-29`,
      `eligibilityCheckId|eq|${body.eligibilityCheckId},patient.id|eq|${body.patient.id}`,
    ])
      expect(bodyOf(await checks.recommendation(filters(filter))), filter).toEqual([made, copay])
    expect(bodyOf(await checks.recommendation(filters('patient.id|eq|nobody')))).toEqual([])
  })

  test.each<NewRecommendation['recommendation']>([
    { type: 'MEDICAID_MANAGED_CARE', payload: { maBenefit: { code: 'MC' }, payerName: 'HARBOR CARE' } },
    { type: 'COORDINATION_OF_BENEFITS', payload: { primacy: 'UNDETERMINED', other_payers: [{ payer_name: 'CIGNA' }] } },
    {
      type: 'USER_CONFIGURED_PROMPTS',
      payload: {
        results: [{ userPromptId: 'p', promptName: 'n', structuredResponse: { yes: true }, exposition: 'It is so.' }],
      },
    },
  ])('of type $type comes back as it was sent', async (recommendation) => {
    const made = bodyOf(await checks.createRecommendation(await someRecommendation({ recommendation })))
    expect(made.recommendation).toMatchObject(recommendation)
  })

  test('receives one vote for each user', async () => {
    const { id, patient } = bodyOf(await checks.createRecommendation(await someRecommendation()))
    const [ann, bob] = [UserId('ann'), UserId('bob')]
    bodyOf(await checks.voteRecommendation(id, '2', { userId: ann, value: 'UPVOTE' }))
    bodyOf(await checks.voteRecommendation(id, '3', { userId: bob, value: 'UPVOTE' }))
    const voted = bodyOf(await checks.voteRecommendation(id, '4', { userId: ann, value: 'DOWNVOTE' }))
    expect(voted).toMatchObject({
      version: 4,
      votes: [
        { userId: 'ann', value: 'DOWNVOTE' },
        { userId: 'bob', value: 'UPVOTE' },
      ],
    })
    expect(bodyOf(await checks.recommendation(filters(`patient.id|eq|${patient.id}`)))).toEqual([voted])
  })
})

describe('a refusal', () => {
  test('of a vote arrives as the typed error: not found, or a version conflict', async () => {
    const { id } = bodyOf(await checks.createRecommendation(await someRecommendation()))
    const vote = { userId: UserId('ann'), value: 'UPVOTE' } as const
    expect(errorOf(await checks.voteRecommendation(randomUUID(), '2', vote)).errorName).toBe('NotFoundError')
    expect(errorOf(await checks.voteRecommendation(id, '3', vote))).toMatchObject({
      errorName: 'VersionConflictError',
      content: { latestVersion: 1 },
    })
  })

  test('of an unknown check or an invalid filter arrives in the envelope', async () => {
    const unknown = await checks.createRecommendation({
      ...(await someRecommendation()),
      eligibilityCheckId: randomUUID(),
    })
    expect(errorOf(unknown).content).toMatchObject({ statusCode: 404, body: { errorName: 'NotFoundError' } })
    const wrong = await checks.recommendation(filters('patient.identifier|eq|x'))
    expect(errorOf(wrong).content).toMatchObject({ statusCode: 400, body: { errorName: 'BadRequestError' } })
  })
})
