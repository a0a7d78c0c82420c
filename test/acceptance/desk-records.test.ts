// The records of a front desk other than patients: appointments, images, tags, custom fields, providers and diagnoses.
import { randomUUID } from 'node:crypto'
import { CandidApi, type CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf, someAppointment, someCoverage, someImage, somePatient, someProvider } from './requests.ts'

let server: StartedServer
let client: CandidApiClient
let appointments: CandidApiClient['preEncounter']['appointments']['v1']
let images: CandidApiClient['preEncounter']['images']['v1']
let tags: CandidApiClient['preEncounter']['tags']['v1']
let schemas: CandidApiClient['preEncounter']['metadataSchemas']['v1']
let providers: CandidApiClient['preEncounter']['organizationExternalProviders']['v1']

beforeAll(async () => {
  server = await startServerOnClone()
  client = publishedClient(server, await server.newCredentials())
  appointments = client.preEncounter.appointments.v1
  images = client.preEncounter.images.v1
  tags = client.preEncounter.tags.v1
  schemas = client.preEncounter.metadataSchemas.v1
  providers = client.preEncounter.organizationExternalProviders.v1
})
afterAll(() => server?.stop())

const { PatientId, AppointmentId, MetadataSchemaId, PageToken, TagId } = CandidApi.preEncounter
const { ImageId } = CandidApi.preEncounter.images.v1
const { OrganizationExternalProviderId } = CandidApi.preEncounter.organizationExternalProviders.v1

const newPatientId = async () => bodyOf(await client.preEncounter.patients.v1.create({ body: somePatient() })).id
const newAppointment = async () => bodyOf(await appointments.create(someAppointment(await newPatientId())))
const newImage = async () => bodyOf(await images.create(someImage(await newPatientId())))
const newCoverageImage = async () => {
  const { id } = bodyOf(await client.preEncounter.coverages.v1.create(someCoverage(await newPatientId())))
  return bodyOf(await images.create(someImage(await newPatientId(), { coverage: { id, side: 'FRONT' } })))
}
const newProvider = async () => bodyOf(await providers.create(someProvider()))
const someSchema = () => ({ name: `Intake ${randomUUID()}`, fields: [{ key: 'pharmacy', type: 'STRING' as const }] })
const someTag = () => ({ value: `Needs interpreter ${randomUUID()}` })
const newDiagnosis = async (codeType: 'ABK' | 'ABF' = 'ABF', encounterId = CandidApi.EncounterId(randomUUID())) =>
  bodyOf(await client.diagnoses.create({ encounterId, codeType, code: 'I10' }))

describe('an appointment', () => {
  test('is created, changed, deactivated and reactivated by the next update', async () => {
    const made = await newAppointment()
    expect(made).toMatchObject({ version: 1, status: 'PENDING' })
    expect(bodyOf(await appointments.get(made.id))).toEqual(made)
    const body = someAppointment(made.patientId, { status: 'NOT_READY', workQueue: 'NEW_PATIENT' })
    expect(bodyOf(await appointments.update(made.id, '2', body))).toMatchObject({ version: 2, status: 'NOT_READY' })
    bodyOf(await appointments.deactivate(made.id, '2'))
    expect(bodyOf(await appointments.update(made.id, '4', body))).toMatchObject({ version: 4, deactivated: false })
    const versions = bodyOf(await appointments.getHistory(made.id)).map((each) => [each.version, each.deactivated])
    expect(versions).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, false],
    ])
    const changes = bodyOf(await appointments.scan({ since: made.updatedAt }))
    expect(changes.find(({ id }) => id === made.id)).toMatchObject({ version: 4 })
  })
})

describe('an image', () => {
  test('is created, uploaded to its signed URL, read from there, listed and deactivated', async () => {
    const made = await newImage()
    const bytes = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(64, 7)])
    const sent = await fetch(made.signedUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: bytes })
    expect(sent.status).toBe(200)
    const body = someImage(made.patient?.id ?? PatientId(''), { status: 'UPLOADED' })
    const uploaded = bodyOf(await images.update(made.id, '1', body))
    expect(uploaded.status).toBe('UPLOADED')
    const { signedUrl } = bodyOf(await images.get(made.id))
    expect(Buffer.from(await (await fetch(signedUrl)).arrayBuffer())).toEqual(bytes)
    const listed = bodyOf(await images.getMulti({ patientId: made.patient?.id, sortField: 'fileName' }))
    expect(listed.map(({ id }) => id)).toEqual([made.id])
    bodyOf(await images.deactivate(made.id, String(uploaded.version)))
    expect(bodyOf(await images.getMulti({ patientId: made.patient?.id }))).toEqual([])
  })
})

describe('a tag', () => {
  test('is created once for a value, changed, listed and deactivated', async () => {
    const body = someTag()
    const made = bodyOf(await tags.create(body))
    expect(bodyOf(await tags.create(body))).toEqual(made)
    const changed = bodyOf(await tags.update(made.id, '1', { ...body, alert: true }))
    expect(changed).toMatchObject({ version: 2, alert: true })
    expect(bodyOf(await tags.getAll({ limit: 1000 })).items).toContainEqual(changed)
    bodyOf(await tags.deactivate(made.id, '2'))
    expect(bodyOf(await tags.get(made.id))).toMatchObject({ version: 3, deactivated: true })
  })
})

describe('a metadata schema', () => {
  test('is extended, listed, deactivated and reactivated', async () => {
    const body = someSchema()
    const made = bodyOf(await schemas.create(body))
    const fields = [...body.fields, { key: 'found_us', type: 'ENUM' as const, enumValues: ['FRIEND', 'SEARCH'] }]
    const grown = bodyOf(await schemas.update(made.id, '1', { ...body, fields }))
    expect(grown).toMatchObject({ version: 2, fields })
    expect(bodyOf(await schemas.getAll()).items).toContainEqual(grown)
    bodyOf(await schemas.deactivate(made.id, '2'))
    bodyOf(await schemas.reactivate(made.id, '3'))
    expect(bodyOf(await schemas.get(made.id))).toMatchObject({ version: 4, deactivated: false })
  })
})

describe('an external provider', () => {
  test('is created, found by NPI, changed, deactivated and returned by the change feed', async () => {
    const made = await newProvider()
    const found = bodyOf(await providers.getMulti({ npi: made.npi, type: 'REFERRING' }))
    expect(found).toMatchObject({ items: [made], total: 1 })
    const changed = bodyOf(await providers.update(made.id, '2', someProvider({ npi: made.npi, licenseType: 'OTR/L' })))
    expect(changed).toMatchObject({ version: 2, licenseType: 'OTR/L' })
    bodyOf(await providers.deactivate(made.id, '3'))
    expect(bodyOf(await providers.get(made.id))).toMatchObject({ version: 3, deactivated: true })
    const changes = bodyOf(await providers.scan({ since: made.updatedAt, maxResults: 1000 }))
    expect(changes.find(({ id }) => id === made.id)).toMatchObject({ version: 3 })
  })
})

describe('a diagnosis', () => {
  test('is created, changed and deleted', async () => {
    const made = await newDiagnosis()
    const changed = bodyOf(await client.diagnoses.update(made.diagnosisId, { code: 'E11.9' }))
    expect(changed).toMatchObject({ diagnosisId: made.diagnosisId, code: 'E11.9', codeType: 'ABF' })
    bodyOf(await client.diagnoses.delete(made.diagnosisId))
    expect((await client.diagnoses.delete(made.diagnosisId)).ok).toBe(false)
  })
})

/** Every refusal that an operation declares, as the published client sees it. Source: rules.md 1.6. */
describe('a refusal arrives as the typed error of the published client:', () => {
  const notFound = { errorName: 'NotFoundError', content: { message: expect.any(String) } }
  const bad = { errorName: 'BadRequestError', content: { message: expect.any(String) } }
  const stale = { errorName: 'VersionConflictError', content: { latestVersion: 1 } }
  const inUse = { errorName: 'VersionConflictError', content: { message: expect.any(String) } }
  const unknownDiagnosis = { errorName: 'DiagnosisNotFoundHTTPError', content: { message: expect.any(String) } }
  const unknownAppointment = AppointmentId(randomUUID())
  const unknownImage = ImageId(randomUUID())
  const unknownProvider = OrganizationExternalProviderId(randomUUID())
  const unknownPatient = PatientId(randomUUID())

  test.each<[string, object, () => Promise<{ ok: boolean; error?: unknown }>]>([
    [
      'appointments.create for an unknown patient',
      notFound,
      () => appointments.create(someAppointment(unknownPatient)),
    ],
    ['appointments.create, placer id in use', inUse, async () => createWithPlacerIdOf(await newAppointment())],
    ['appointments.get', notFound, () => appointments.get(unknownAppointment)],
    ['appointments.getHistory', notFound, () => appointments.getHistory(unknownAppointment)],
    ['appointments.update of an unknown id', notFound, async () => updateAppointment(unknownAppointment, '2')],
    ['appointments.update, stale', stale, async () => updateAppointment((await newAppointment()).id, '9')],
    ['appointments.deactivate of an unknown id', notFound, () => appointments.deactivate(unknownAppointment, '1')],
    ['appointments.deactivate, stale', stale, async () => appointments.deactivate((await newAppointment()).id, '9')],
    ['images.create, side taken', inUse, async () => createOnTheSideOf(await newCoverageImage())],
    ['images.get', notFound, () => images.get(unknownImage)],
    [
      'images.update of an unknown id',
      notFound,
      async () => images.update(unknownImage, '1', someImage(await newPatientId())),
    ],
    ['images.update, stale', stale, async () => updateStaleImage()],
    ['images.deactivate of an unknown id', notFound, () => images.deactivate(unknownImage, '1')],
    ['images.deactivate, stale', stale, async () => images.deactivate((await newImage()).id, '9')],
    ['metadataSchemas.getAll, filters', bad, () => schemas.getAll({ filters: filter('nothing|is|this') })],
    ['organizationExternalProviders.get', notFound, () => providers.get(unknownProvider)],
    ['organizationExternalProviders.create, NPI', bad, async () => createWithNpiOf(await newProvider())],
    [
      'organizationExternalProviders.update of an unknown id',
      notFound,
      () => providers.update(unknownProvider, '2', someProvider()),
    ],
    [
      'organizationExternalProviders.update, stale',
      stale,
      async () => providers.update((await newProvider()).id, '9', someProvider()),
    ],
    ['organizationExternalProviders.update, NPI', bad, async () => updateWithNpiOf(await newProvider())],
    [
      'organizationExternalProviders.deactivate of an unknown id',
      notFound,
      () => providers.deactivate(unknownProvider, '2'),
    ],
    [
      'organizationExternalProviders.deactivate, stale',
      stale,
      async () => providers.deactivate((await newProvider()).id, '9'),
    ],
    [
      'diagnoses.update of an unknown id',
      unknownDiagnosis,
      () => client.diagnoses.update(CandidApi.DiagnosisId(randomUUID()), { code: 'I10' }),
    ],
    [
      'diagnoses.delete of an unknown id',
      unknownDiagnosis,
      () => client.diagnoses.delete(CandidApi.DiagnosisId(randomUUID())),
    ],
    [
      'diagnoses.update to a second primary',
      { errorName: 'DisallowMultiplePrimaryDiagnosisHTTPError', content: { message: expect.any(String) } },
      () => makeSecondPrimary(),
    ],
  ])('%s', async (_, expected, call) => {
    const answer = await call()
    expect(answer.ok).toBe(false)
    expect(answer.error).toMatchObject(expected)
  })

  // These declare no error: the client passes the body through, and it is the same envelope.
  test.each<[string, number, () => Promise<{ ok: boolean; error?: unknown }>]>([
    ['tags.get', 404, () => tags.get(unknownTag)],
    ['tags.update of an unknown id', 404, () => tags.update(unknownTag, '1', someTag())],
    ['tags.update, stale', 409, async () => tags.update((await newTag()).id, '9', someTag())],
    ['tags.deactivate of an unknown id', 404, () => tags.deactivate(unknownTag, '1')],
    ['tags.deactivate, stale', 409, async () => tags.deactivate((await newTag()).id, '9')],
    ['metadataSchemas.get', 404, () => schemas.get(unknownSchema)],
    ['metadataSchemas.update of an unknown id', 404, () => schemas.update(unknownSchema, '1', someSchema())],
    ['metadataSchemas.update, stale', 409, async () => schemas.update((await newSchema()).id, '9', someSchema())],
    ['metadataSchemas.deactivate of an unknown id', 404, () => schemas.deactivate(unknownSchema, '1')],
    ['metadataSchemas.deactivate, stale', 409, async () => schemas.deactivate((await newSchema()).id, '9')],
    ['metadataSchemas.create, name in use', 409, async () => createWithNameOf(await newSchema())],
    ['metadataSchemas.create, key twice', 400, () => schemas.create(withKeyTwice(someSchema()))],
    ['metadataSchemas.update, field gone', 400, async () => schemas.update((await newSchema()).id, '1', otherField())],
    ['organizationExternalProviders.getMulti, page token', 400, () => providers.getMulti({ pageToken: notOurs })],
    ['diagnoses.create of a second primary', 422, async () => createPrimaryBeside(await newDiagnosis('ABK'))],
    ['metadataSchemas.reactivate of an unknown id', 404, () => schemas.reactivate(unknownSchema, '1')],
    ['metadataSchemas.reactivate, stale', 409, async () => schemas.reactivate((await newSchema()).id, '9')],
  ])('%s, undeclared, with its status and envelope', async (_, status, call) => {
    expect(await call()).toMatchObject({
      ok: false,
      error: { content: { reason: 'status-code', statusCode: status, body: { errorName: errorNames[status] } } },
    })
  })

  const errorNames: Record<number, string> = {
    400: 'BadRequestError',
    404: 'NotFoundError',
    409: 'VersionConflictError',
    422: 'DisallowMultiplePrimaryDiagnosisHTTPError',
  }
  const notOurs = PageToken('not a token')
  const createWithNameOf = ({ name }: { name: string }) => schemas.create({ ...someSchema(), name })
  const withKeyTwice = (body: ReturnType<typeof someSchema>) => ({ ...body, fields: [...body.fields, ...body.fields] })
  const otherField = () => ({ ...someSchema(), fields: [{ key: 'other', type: 'STRING' as const }] })
  const createPrimaryBeside = ({ encounterId }: Awaited<ReturnType<typeof newDiagnosis>>) =>
    client.diagnoses.create({ encounterId, codeType: 'ABK', code: 'I10' })
  const unknownTag = TagId(randomUUID())
  const unknownSchema = MetadataSchemaId(randomUUID())
  const newTag = async () => bodyOf(await tags.create(someTag()))
  const newSchema = async () => bodyOf(await schemas.create(someSchema()))
  const { FilterQueryString: filter } = CandidApi.preEncounter
  type Appointment = Awaited<ReturnType<typeof newAppointment>>
  type Provider = Awaited<ReturnType<typeof newProvider>>
  type Image = Awaited<ReturnType<typeof newImage>>
  const createWithPlacerIdOf = ({ patientId, placerAppointmentId }: Appointment) =>
    appointments.create(someAppointment(patientId, { placerAppointmentId }))
  const updateAppointment = async (id: typeof unknownAppointment, version: string) =>
    appointments.update(id, version, someAppointment(await newPatientId()))
  const createOnTheSideOf = async ({ coverage }: Image) => images.create(someImage(await newPatientId(), { coverage }))
  const updateStaleImage = async () => {
    const { id, patient } = await newImage()
    return images.update(id, '9', someImage(patient?.id ?? unknownPatient))
  }
  const createWithNpiOf = ({ npi }: Provider) => providers.create(someProvider({ npi }))
  const updateWithNpiOf = async ({ npi }: Provider) =>
    providers.update((await newProvider()).id, '2', someProvider({ npi }))
  const makeSecondPrimary = async () => {
    const { encounterId } = await newDiagnosis('ABK')
    const { diagnosisId } = await newDiagnosis('ABF', encounterId)
    return client.diagnoses.update(diagnosisId, { codeType: 'ABK' })
  }
})
