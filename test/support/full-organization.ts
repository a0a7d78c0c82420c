// Everything that an organization can have, created over HTTP, with a word in every text that no other organization may see.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { enrol } from '../../src/platform/auth/second-factor.ts'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { patient as patientRecord } from '../../src/resources/patients/patient.ts'
import {
  appointmentBody,
  type Body,
  connectorBody,
  coverageBody,
  coverageCheckBody,
  diagnosisBody,
  eligibilityRequestBody,
  imageBody,
  nameBody,
  patientBody,
  recommendationBody,
  userBody,
} from './bodies.ts'
import { imageSamples } from './image-samples.ts'
import type { Caller, TestService } from './service.ts'

export interface FullOrganization {
  owner: Caller
  /** A word that occurs in every record of the owner and that no other caller may see. */
  canary: string
  /** Ids that other organizations may try, by their kind. */
  ids: Record<Reference, string>
  /** The signed URL of an image. */
  signedUrl: string
}

export const references = [
  'patient',
  'mrn',
  'coverage',
  'appointment',
  'check',
  'coverageCheck',
  'batch',
  'recommendation',
  'tag',
  'note',
  'image',
  'metadataSchema',
  'provider',
  'merge',
  'alternativeMrn',
  'planGroup',
  'diagnosis',
  'user',
  'webhook',
  'person',
  'apiClient',
  'connector',
  'routedPayer',
] as const
export type Reference = (typeof references)[number]

const PROVIDER_NPI = '1234567893'

/** Creates two records of each paged list, so that each list has a second page. */
export async function fillOrganization(service: TestService, owner: Caller): Promise<FullOrganization> {
  const canary = `CANARY${randomUUID().slice(0, 8).toUpperCase()}`
  const make = makerFor(owner)
  // The webhook starts the event log, so that everything else has events.
  const webhookBody = () => ({ url: 'https://hooks.invalid/', description: canary, event_types: ['*'] })
  await make('/anteroom/v1/webhooks', webhookBody())
  const records = await makeRecords(make, canary)
  const checks = await makeChecks(service, make, { canary, ...records })
  const { image, ...ids } = records
  const webhook = await make('/anteroom/v1/webhooks', webhookBody())
  const administered = await administer(make, canary)
  await make(`/anteroom/v1/webhooks/${webhook.id}/replay`, { since: '2020-01-01T00:00:00.000Z' })
  await put(service, image.signed_url, imageSamples['image/png'])
  const person = await make('/anteroom/v1/users', { ...userBody(), name: canary })
  const key = { organizationId: owner.organizationId, id: person.id }
  await enrol({ database: service.database, vault: service.deps.vault, now: service.deps.now }, key, canary)
  const shown = await owner.call('GET', `/images/v1/${image.id}`)
  return {
    owner,
    canary,
    ids: { ...ids, ...checks, ...administered, image: image.id, webhook: webhook.id, person: person.id },
    signedUrl: shown.body.signed_url,
  }
}

/** An administrator's records, among them a connector without a route, which can be removed. */
async function administer(make: Make, canary: string) {
  const client = await make('/anteroom/v1/api-clients', { name: canary, scopes: ['*:read'] })
  const [routed, connector] = [connectorBody(), connectorBody({ username: canary })]
  for (const each of [routed, connector]) await make('/anteroom/v1/connectors', each)
  const routedPayer = `P${randomUUID().slice(0, 8)}`
  await make(`/anteroom/v1/payer-routes/${routedPayer}`, { connector: routed.name }, 'PUT')
  return { apiClient: String((client as Body).client_id), connector: connector.name, routedPayer }
}

type Make = (path: string, body: unknown, method?: 'PUT') => Promise<Body & { id: string }>

function makerFor({ call }: Caller): Make {
  return async (path, body, method) => {
    const reply = await call(method ?? 'POST', path, body)
    expect(reply.status, `${path} ${reply.text}`).toBe(200)
    return reply.body
  }
}

async function makeRecords(make: Make, canary: string) {
  const twice = async (path: string, body: (number: number) => unknown) => {
    await make(path, body(1))
    return make(path, body(2))
  }
  const tag = await twice('/tags/v1', (number) => ({ value: `${canary} ${number}` }))
  const note = await twice('/notes/v1', () => ({ value: canary }))
  const practitioner = { name: nameBody(canary), type: 'REFERRING', telecoms: [], addresses: [] }
  const provider = await twice('/organization-external-providers/v1', (number) => ({
    name: nameBody(canary),
    types: ['REFERRING'],
    ...(number === 2 && { npi: PROVIDER_NPI }),
  }))
  const metadataSchema = await twice('/metadata-schemas/v1', (number) => ({
    name: `${canary} ${number}`,
    fields: [{ key: 'color', type: 'STRING' }],
  }))
  const newMrn = () => `MRN-${randomUUID().slice(0, 8)}`
  const patient = await twice('/patients/v1/with_mrn?skip_duplicate_check=true', () =>
    Object.assign(patientBody(), {
      mrn: newMrn(),
      name: nameBody(canary),
      tag_ids: [tag.id],
      note_ids: [note.id],
      general_practitioners: [practitioner],
      external_provenance: { system_name: canary, external_id: randomUUID() },
    }),
  )
  const planGroup = randomUUID()
  const coverage = await twice('/coverages/v1', () =>
    coverageBody(patient.id, {
      insurance_plan: {
        member_id: canary,
        payer_id: '60054',
        payer_name: canary,
        group_number: canary,
        payer_plan_group_id: planGroup,
      },
    }),
  )
  const { id, version, ...body } = patient
  await make(
    `/patients/v1/${id}/${patientRecord.pathVersions.update === 'next' ? Number(version) + 1 : version}`,
    { ...body, filing_order: { coverages: [coverage.id] } },
    'PUT',
  )
  const appointment = await twice('/appointments/v1', (number) =>
    appointmentBody(patient.id, { notes: canary, start_timestamp: `2026-03-1${number}T14:00:00.000Z` }),
  )
  // One MRN that others may try, and one that they could learn only through a leak.
  const alternativeMrn = newMrn()
  for (const mrn of [canary, alternativeMrn]) {
    await make('/patients/v1/with_mrn', { ...patientBody({ name: nameBody(`${canary} ${mrn}`) }), mrn })
  }
  const merge = await twice('/patient-merge/v1', (number) => ({
    alternative_patient_mrn: number === 1 ? canary : alternativeMrn,
    primary_patient_mrn: patient.mrn,
  }))
  const image = await make(
    '/images/v1',
    imageBody({
      display_name: canary,
      file_name: `${canary}.png`,
      coverage: { id: coverage.id, side: 'FRONT' },
      patient: { id: patient.id },
    }),
  )
  const diagnosis = await make('/api/diagnoses/v2', diagnosisBody({ name: canary, encounter_id: appointment.id }))
  return {
    tag: tag.id,
    note: note.id,
    provider: provider.id,
    metadataSchema: metadataSchema.id,
    patient: patient.id,
    mrn: String(patient.mrn),
    coverage: coverage.id,
    appointment: appointment.id,
    merge: merge.id,
    alternativeMrn,
    planGroup,
    diagnosis: String(diagnosis.diagnosis_id ?? diagnosis.id),
    user: String(patient.updating_user_id),
    image: image as Body & { id: string; signed_url: string },
  }
}

async function makeChecks(
  service: TestService,
  make: Make,
  of: { canary: string; patient: string; coverage: string; appointment: string },
): Promise<Record<'check' | 'coverageCheck' | 'batch' | 'recommendation', string>> {
  const { canary } = of
  const subscriber = { member_id: canary, first_name: canary, last_name: canary, date_of_birth: '1984-02-29' }
  await make('/eligibility-checks/v1', eligibilityRequestBody({ subscriber }))
  const batch = await make('/eligibility-checks/v1/batch', [
    eligibilityRequestBody({ subscriber }),
    { payer_id: canary },
  ])
  const coverageCheck = await make(`/coverages/v1/${of.coverage}/eligibility`, coverageCheckBody())
  await make('/eligibility-checks/v1/eligibility', { encounter_id: of.appointment })
  await make(`/anteroom/v1/appointments/${of.appointment}/verification`, undefined)
  await service.deps.background.close()
  const limited = { eligibility_status: 'ACTIVE', benefits: { notes: `ATTENTION: active for ${canary} only` } }
  await service.database.rows('update eligibility_check set parsed_response = $2 where coverage_id = $1', [
    of.coverage,
    JSON.stringify(limited),
  ])
  const [check] = (await service.database.row(
    `select id from eligibility_check where status = 'COMPLETED' and raw_inquiry is not null and request #>> '{subscriber,member_id}' = $1`,
    [canary],
  )) as [string]
  const recommendation = await make(
    '/eligibility-checks/v1/recommendation',
    recommendationBody(check, { patient: { id: of.patient, last_name: canary, member_id: canary } }),
  )
  return {
    check,
    batch: String(batch.batch_id),
    coverageCheck: String(coverageCheck.check_id),
    recommendation: String(recommendation.recommendation_id ?? recommendation.id),
  }
}

/** Sends bytes to a signed URL. */
export async function put({ app }: TestService, url: string, payload?: Buffer): Promise<number> {
  const { pathname, search } = new URL(url)
  const reply = await app.inject({ method: 'PUT', url: pathname + search, ...(payload && { payload }) })
  return reply.statusCode
}

/** All data of an organization in the database, one digest for each table. The audit trail contains all earlier calls. */
export async function allDataOf(service: TestService, { organizationId }: Caller): Promise<Map<string, string>> {
  await service.deps.audit.flush()
  const digests = (await ownedTables(service)).map(
    ([table, key]) =>
      `select '${table}', count(*) || ' rows ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') from ${table} t where ${key} = $1`,
  )
  const rows = await service.database.rows(digests.join(' union all '), [organizationId])
  return new Map(rows.map(([table, digest]) => [table ?? '', digest ?? '']))
}

type OwnedTable = [table: string, key: string]
const known = new WeakMap<SystemDatabase, Promise<OwnedTable[]>>()

/** Cached by database, because no test changes the schema and reading the catalog takes longer than all digests. */
function ownedTables({ database }: TestService): Promise<OwnedTable[]> {
  const tables =
    known.get(database) ??
    (database.rows(
      `select table_name, column_name from information_schema.columns where table_schema = 'public'
        and (column_name = 'organization_id' or table_name = 'organization' and column_name = 'id') order by 1`,
    ) as Promise<OwnedTable[]>)
  known.set(database, tables)
  return tables
}

/** The same without the audit trail, which also records calls that change nothing. */
export async function recordsOf(service: TestService, owner: Caller): Promise<Map<string, string>> {
  const belongings = await allDataOf(service, owner)
  return new Map([...belongings].filter(([table]) => !table.startsWith('audit_')))
}
