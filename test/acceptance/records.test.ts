// Tokens, notes, patients and coverages through the published client, and the refusals that it reads. One server and one organization serve the whole file;
// each test creates its own records.
import { randomUUID } from 'node:crypto'
import { CandidApi, CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type Credentials, type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf, errorOf, someCoverage, somePatient } from './requests.ts'

let server: StartedServer
let credentials: Credentials
let client: CandidApiClient
let patients: CandidApiClient['preEncounter']['patients']['v1']
let coverages: CandidApiClient['preEncounter']['coverages']['v1']
let notes: CandidApiClient['preEncounter']['notes']['v1']

beforeAll(async () => {
  server = await startServerOnClone()
  credentials = await server.newCredentials()
  client = publishedClient(server, credentials)
  patients = client.preEncounter.patients.v1
  coverages = client.preEncounter.coverages.v1
  notes = client.preEncounter.notes.v1
})
afterAll(() => server?.stop())

const beginningOfTime = new Date('2020-01-01T00:00:00.000Z')
const unknownPatient = CandidApi.preEncounter.PatientId(randomUUID())
const unknownCoverage = CandidApi.preEncounter.CoverageId(randomUUID())
const unknownNote = CandidApi.preEncounter.NoteId(randomUUID())

const newPatient = async () => bodyOf(await patients.create({ body: somePatient() }))
const newCoverage = async () => bodyOf(await coverages.create(someCoverage((await newPatient()).id)))
const newNote = async () => bodyOf(await notes.create({ value: 'Call back on Monday' }))

describe('a token', () => {
  const ask = (body: string, headers: Record<string, string>) =>
    fetch(`${server.url}/api/auth/v2/token`, { method: 'POST', headers, body })

  test('is issued to the published client and lasts five hours', async () => {
    const answer = await client.auth.default.getToken({
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
    })
    expect(bodyOf(answer)).toMatchObject({ tokenType: 'Bearer', expiresIn: 18_000 })
  })

  test.each([
    ['JSON', 'application/json', (given: Credentials) => JSON.stringify(given)],
    [
      'a form',
      'application/x-www-form-urlencoded',
      ({ client_id, client_secret }: Credentials) => new URLSearchParams({ client_id, client_secret }).toString(),
    ],
  ])('is issued for %s and opens the interface', async (_, type, write) => {
    const answer = await ask(write(credentials), { 'content-type': type })
    const { access_token } = (await answer.json()) as { access_token: string }
    const read = await fetch(`${server.url}/patients/v1/updates/scan?since=2020-01-01T00:00:00.000Z`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect([answer.status, read.status]).toEqual([200, 200])
  })

  test('is refused with the typed error for another content type', async () => {
    const answer = await ask('client_id=x', { 'content-type': 'text/plain' })
    expect([answer.status, await answer.json()]).toMatchObject([415, { errorName: 'InvalidContentTypeError' }])
    const request = { clientId: credentials.client_id, clientSecret: credentials.client_secret }
    const read = await client.auth.default.getToken(request, { headers: { 'Content-Type': 'text/plain' } })
    expect(errorOf(read)).toMatchObject({ errorName: 'InvalidContentTypeError' })
  })

  test('is refused with 401 for a wrong secret', async () => {
    const answer = await ask(JSON.stringify({ ...credentials, client_secret: 'wrong' }), {
      'content-type': 'application/json',
    })
    expect([answer.status, await answer.json()]).toMatchObject([401, { errorName: 'UnauthorizedError' }])
  })

  test('is required: without one the published client gets a 401', async () => {
    const stranger = new CandidApiClient({ baseUrl: server.url, token: 'not a token', maxRetries: 0 })
    const error = errorOf(await stranger.preEncounter.notes.v1.get(unknownNote))
    expect(error.content).toMatchObject({ reason: 'status-code', statusCode: 401 })
  })
})

describe('a note', () => {
  test('is created at version 1 and read back unchanged', async () => {
    const made = bodyOf(
      await notes.create({ value: 'Bring the new card', type: 'ELIGIBILITY', authorName: 'Front desk' }),
    )
    expect(made).toMatchObject({ version: 1, deactivated: false, type: 'ELIGIBILITY', authorName: 'Front desk' })
    expect(made.organizationId).toBe(credentials.organization_id)
    expect(bodyOf(await notes.get(made.id))).toEqual(made)
  })

  test('is replaced by an update that names its current version', async () => {
    const made = await newNote()
    const changed = bodyOf(await notes.update(made.id, '1', { value: 'Called' }))
    expect(changed).toMatchObject({ id: made.id, version: 2, value: 'Called' })
    expect(changed.updatedAt.getTime()).toBeGreaterThanOrEqual(made.updatedAt.getTime())
  })

  test('can still be read once it is deactivated', async () => {
    const { id } = await newNote()
    bodyOf(await notes.deactivate(id, '1'))
    expect(bodyOf(await notes.get(id))).toMatchObject({ deactivated: true, version: 2 })
  })
})

describe('a patient', () => {
  test('gets a generated MRN and is found by it', async () => {
    const made = await newPatient()
    expect(made.mrn).toMatch(/^\d{10,}$/)
    expect(bodyOf(await patients.getByMrn(made.mrn))).toEqual(made)
    expect(bodyOf(await patients.get(made.id))).toEqual(made)
  })

  test('keeps the MRN that the caller sends', async () => {
    const mrn = randomUUID().slice(0, 20)
    const made = bodyOf(await patients.createWithMrn({ body: { ...somePatient(), mrn } }))
    expect(bodyOf(await patients.getByMrn(mrn))).toMatchObject({ id: made.id, mrn })
  })

  test('is updated, deactivated and reactivated, and its history has every version', async () => {
    const { id, name } = await newPatient()
    expect(bodyOf(await patients.update(id, '2', somePatient({ name, language: 'es' })))).toMatchObject({ version: 2 })
    bodyOf(await patients.deactivate(id, '3'))
    bodyOf(await patients.reactivate(id, '4'))
    const versions = bodyOf(await patients.getHistory(id)).map((each) => [
      each.version,
      each.deactivated,
      each.language,
    ])
    expect(versions).toEqual([
      [1, false, undefined],
      [2, false, 'es'],
      [3, true, 'es'],
      [4, false, 'es'],
    ])
  })

  test('appears in the change feed at its latest version', async () => {
    const before = await newPatient()
    const { id, name } = await newPatient()
    bodyOf(await patients.update(id, '2', somePatient({ name, language: 'fr' })))
    const changes = bodyOf(await patients.scan({ since: before.updatedAt, maxResults: 1000 }))
    expect(changes.filter((each) => each.id === id).map((each) => each.version)).toEqual([2])
  })

  test('that may be a duplicate is refused with the existing patient, unless the caller skips the check', async () => {
    const { id, name, mrn } = await newPatient()
    const error = errorOf(await patients.create({ body: somePatient({ name }) }))
    expect(error).toMatchObject({ errorName: 'VersionConflictError' })
    expect(error.content).toMatchObject({ data: [{ existing_patient_id: id, existing_patient_mrn: mrn }] })
    expect(bodyOf(await patients.create({ skipDuplicateCheck: true, body: somePatient({ name }) })).id).not.toBe(id)
  })
})

describe('a coverage', () => {
  test('is created with its defaults, read, listed and found in the change feed', async () => {
    const patient = await newPatient()
    const made = bodyOf(await coverages.create(someCoverage(patient.id)))
    expect(made).toMatchObject({ version: 1, orcon: false, autoUpdateEnabled: true, patient: patient.id })
    expect(bodyOf(await coverages.get(made.id))).toEqual(made)
    expect(bodyOf(await coverages.getMulti({ patientId: patient.id }))).toEqual([made])
    const changes = bodyOf(await coverages.scan({ since: made.updatedAt }))
    expect(changes.map((each) => each.id)).toContain(made.id)
  })

  test('is replaced by an update that names its next version, and keeps its history', async () => {
    const { id, patient, insurancePlan } = await newCoverage()
    const cancelled = someCoverage(patient, { status: 'CANCELLED', insurancePlan })
    expect(bodyOf(await coverages.update(id, '2', cancelled))).toMatchObject({ version: 2, status: 'CANCELLED' })
    expect(bodyOf(await coverages.getHistory(id)).map((each) => each.status)).toEqual(['ACTIVE', 'CANCELLED'])
    const newestFirst = await coverages.getHistory(id, { sortDirection: 'desc', limit: 1 })
    expect(bodyOf(newestFirst).map((each) => each.version)).toEqual([2])
  })
})

/** Every refusal that an operation declares, as the published client sees it. Source: rules.md 1.6. */
describe('a refusal arrives as the typed error of the published client:', () => {
  const notFound = { errorName: 'NotFoundError', content: { message: expect.any(String) } }
  const stale = { errorName: 'VersionConflictError', content: { latestVersion: 1 } }
  const bad = { errorName: 'BadRequestError', content: { message: expect.any(String) } }

  test.each<[string, object, () => Promise<{ ok: boolean; error?: unknown }>]>([
    ['patients.get', notFound, () => patients.get(unknownPatient)],
    ['patients.getByMrn', notFound, () => patients.getByMrn('nobody')],
    ['patients.getHistory', notFound, () => patients.getHistory(unknownPatient)],
    ['patients.update of an unknown id', notFound, () => patients.update(unknownPatient, '2', somePatient())],
    ['patients.deactivate of an unknown id', notFound, () => patients.deactivate(unknownPatient, '2')],
    ['patients.reactivate of an unknown id', notFound, () => patients.reactivate(unknownPatient, '2')],
    ['patients.update, stale', stale, async () => patients.update((await newPatient()).id, '1', somePatient())],
    ['patients.deactivate, stale', stale, async () => patients.deactivate((await newPatient()).id, '7')],
    ['patients.reactivate, stale', stale, async () => patients.reactivate((await newPatient()).id, '7')],
    [
      'patients.createWithMrn, MRN too long',
      bad,
      () => patients.createWithMrn({ body: { ...somePatient(), mrn: 'x'.repeat(21) } }),
    ],
    [
      'patients.createWithMrn, MRN in use',
      { errorName: 'VersionConflictError' },
      async () => patients.createWithMrn({ body: { ...somePatient(), mrn: (await newPatient()).mrn } }),
    ],
    ['coverages.update of an unknown id', notFound, async () => updateNobodysCoverage()],
    ['coverages.getHistory of an unknown id', notFound, () => coverages.getHistory(unknownCoverage)],
    [
      'coverages.getHistory, dates the wrong way round',
      bad,
      async () => coverages.getHistory((await newCoverage()).id, { start: '2026-02-01', end: '2026-01-01' }),
    ],
    ['coverages.update, stale', stale, async () => updateStaleCoverage()],
  ])('%s', async (_, expected, call) => {
    const answer = await call()
    expect(answer.ok).toBe(false)
    expect(answer.error).toMatchObject(expected)
  })

  const updateNobodysCoverage = async () =>
    coverages.update(unknownCoverage, '2', someCoverage((await newPatient()).id))
  const updateStaleCoverage = async () => {
    const { id, patient } = await newCoverage()
    return coverages.update(id, '9', someCoverage(patient))
  }

  // These declare no error: the client passes the body through, and it is the same envelope.
  test.each<[string, number, string, () => Promise<{ ok: boolean; error?: unknown }>]>([
    ['notes.get', 404, 'NotFoundError', () => notes.get(unknownNote)],
    ['notes.update of an unknown id', 404, 'NotFoundError', () => notes.update(unknownNote, '1', { value: 'x' })],
    ['notes.deactivate of an unknown id', 404, 'NotFoundError', () => notes.deactivate(unknownNote, '1')],
    [
      'notes.update, stale',
      409,
      'VersionConflictError',
      async () => notes.update((await newNote()).id, '2', { value: 'x' }),
    ],
    ['notes.deactivate, stale', 409, 'VersionConflictError', async () => notes.deactivate((await newNote()).id, '2')],
    [
      'notes.update, version is a word',
      400,
      'BadRequestError',
      () => notes.update(unknownNote, 'latest', { value: 'x' }),
    ],
    ['coverages.get', 404, 'NotFoundError', () => coverages.get(unknownCoverage)],
    [
      'coverages.create for an unknown patient',
      404,
      'NotFoundError',
      () => coverages.create(someCoverage(unknownPatient)),
    ],
  ])('%s, undeclared, with its status and envelope', async (_, status, errorName, call) => {
    const answer = await call()
    expect(answer).toMatchObject({
      ok: false,
      error: { content: { reason: 'status-code', statusCode: status, body: { errorName } } },
    })
  })

  test('records of another organization do not exist', async () => {
    const [note, patient] = await Promise.all([newNote(), newPatient()])
    const stranger = publishedClient(server, await server.newCredentials()).preEncounter
    expect(errorOf(await stranger.patients.v1.get(patient.id))).toMatchObject({ errorName: 'NotFoundError' })
    expect((await stranger.notes.v1.get(note.id)).ok).toBe(false)
    expect(bodyOf(await stranger.patients.v1.scan({ since: beginningOfTime }))).toEqual([])
  })
})

describe('a URL', () => {
  test.each([
    ['without a slash', (id: string) => `/coverages/v1/${id}`],
    ['with a slash at the end', (id: string) => `/coverages/v1/${id}/`],
    ['with a double slash', (id: string) => `/coverages/v1//${id}`],
    ['with both and a query', (id: string) => `//coverages/v1//${id}/?x=1`],
  ])('%s reaches the coverage', async (_, path) => {
    const { id } = await newCoverage()
    const { accessToken } = bodyOf(
      await client.auth.default.getToken({ clientId: credentials.client_id, clientSecret: credentials.client_secret }),
    )
    const answer = await fetch(server.url + path(id), { headers: { authorization: `Bearer ${accessToken}` } })
    expect([answer.status, await answer.json()]).toMatchObject([200, { id }])
  })

  test('that does not exist is answered in the envelope, as JSON', async () => {
    const answer = await fetch(`${server.url}/nothing/here`)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await answer.json()).toMatchObject({ errorName: expect.stringMatching(/Error$/) })
  })
})
