// Every operation creates one audit event, regardless of its outcome: who did what to which record. Source: 45 CFR
// 164.312(b); decisions/0013-audit-trail.md
import { describe, expect, it } from 'vitest'
import { type AuditEvent, SERVICE_TRAIL } from '../../src/platform/audit/event.ts'
import { readTrail } from '../../src/platform/audit/read-trail.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { appointmentBody, coverageBody, eligibilityRequestBody, patientBody } from '../support/bodies.ts'
import { bodiesFor, endpoints, kindOf, operate, pathVersion, urlOf, validBody } from '../support/operations.ts'
import { type Caller, deadClearinghouses, type Reply, send, testService } from '../support/service.ts'

const service = testService(() => ({ clearinghouses: deadClearinghouses }))

async function eventsOf(organizationId: string, operation: string): Promise<AuditEvent[]> {
  await service.deps.audit.flush(organizationId)
  const events = await readTrail(service.database, organizationId, { operation, limit: 1000 })
  return events.filter((event) => event.operation === operation)
}

/** The events of an operation that a call added to a trail. */
async function eventsOfCall(organizationId: string, operation: string, call: () => Promise<Reply>) {
  const before = new Set((await eventsOf(organizationId, operation)).map(({ id }) => id))
  const reply = await call()
  const events = (await eventsOf(organizationId, operation)).filter(({ id }) => !before.has(id))
  return { reply, events }
}

/** A record that the operation addresses, where it addresses one, and a valid body. */
async function prepare(endpoint: Endpoint, owner: Caller) {
  const kind = kindOf(endpoint)
  const creation = kind?.endpoint('create')
  const record = kind && creation && (await operate(owner, creation, { body: await kind.make(owner) })).body
  const write = endpoint.operation.split('.')[1] as 'update'
  const isBatch = endpoint.operation === 'eligibilityChecks.batch'
  const target = endpoint.body && !isBatch && (await bodiesFor(endpoint).target?.(owner))
  const version = kind ? pathVersion(kind, write, 1) : 1
  // Only a deactivated record can be reactivated.
  const body = isBatch ? [eligibilityRequestBody()] : await validBody(endpoint, owner)
  return { kind, record, params: { ...record, ...target, version }, body }
}

const guarded = endpoints.filter(({ access }) => access !== 'public')

describe('every operation', () => {
  it.each(guarded)(
    '$operation creates exactly one event with caller, address, record, patient and outcome',
    async (endpoint) => {
      const owner = await service.newCaller()
      const { kind, record, params, body } = await prepare(endpoint, owner)
      const { reply, events } = await eventsOfCall(owner.organizationId, endpoint.operation, () =>
        operate(owner, endpoint, { params, body }),
      )
      expect(events, JSON.stringify(events)).toHaveLength(1)
      const [event] = events
      expect(event).toMatchObject({
        client_id: owner.credentials.client_id,
        user_id: expect.any(String),
        address: '127.0.0.1',
        status: reply.status,
        request_id: expect.any(String),
        ...(reply.status >= 400 && { error_name: reply.body.errorName }),
      })
      if (!kind || reply.status !== 200) return
      const isWrite = reply.body?.version !== undefined && endpoint.method !== 'GET'
      const subject = isWrite ? reply.body : record
      if (isWrite) expect(event?.version).toBe(reply.body.version)
      const isAddressed = /\/:(id|recommendation_id)(\/|$)/.test(endpoint.path) && !ofChecks.test(endpoint.operation)
      if (isWrite || isAddressed) expect(event).toMatchObject({ record_type: kind.name, record_ids: [subject.id] })
      const isShown = isAddressed || reply.text.includes(subject.id)
      const patientIds = await patientsOf(owner, kind.name, subject)
      if (isShown) expect(event?.patient_ids ?? []).toEqual(expect.arrayContaining(patientIds))
    },
  )

  it.each(guarded)(
    "$operation leaves one event when it is refused: 401 in the service's trail, 404 in the caller's",
    async (endpoint) => {
      const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
      const { params, body } = await prepare(endpoint, owner)
      const times = async () =>
        (await eventsOf(SERVICE_TRAIL, endpoint.operation)).reduce((sum, event) => sum + (event.times ?? 1), 0)
      const before = await times()
      const { status } = await send(service.app, { method: endpoint.method, url: urlOf(endpoint, params) })
      expect(status).toBe(401)
      expect(await times()).toBe(before + 1)
      const [refused] = await eventsOf(SERVICE_TRAIL, endpoint.operation)
      expect(refused).toMatchObject({ status: 401, error_name: 'UnauthorizedError', address: '127.0.0.1' })

      const owned = (await eventsOf(owner.organizationId, endpoint.operation)).length
      const call = () => operate(stranger, endpoint, { params, body })
      const { reply, events } = await eventsOfCall(stranger.organizationId, endpoint.operation, call)
      expect(events, JSON.stringify(events)).toHaveLength(1)
      expect(events[0]).toMatchObject({ client_id: stranger.credentials.client_id, status: reply.status })
      expect((await eventsOf(owner.organizationId, endpoint.operation)).length).toBe(owned)
    },
  )
})

/** The record of these operations is the check. */
const ofChecks = /^coverages\.(checkEligibility|getEligibility)$/

async function patientsOf(owner: Caller, kind: string, record: Record<string, unknown>): Promise<string[]> {
  if (kind === 'patient') return [String(record.id)]
  const { patient, patient_id } = record as { patient?: string | { id?: string }; patient_id?: string }
  const mrns = [record.alternative_patient_mrn, record.primary_patient_mrn]
  const rows = await service.database.rows(
    `select id from patient where organization_id = $1 and body ->> 'mrn' = any($2)`,
    [owner.organizationId, mrns],
  )
  const named = patient_id ?? (typeof patient === 'string' ? patient : patient?.id)
  return [...rows.map(([id]) => id ?? ''), ...(named === undefined ? [] : [named])]
}

it('a stale version creates an event with the conflict and the patient', async () => {
  const { call, organizationId } = await service.newCaller()
  const { body: patient } = await call('POST', '/patients/v1', patientBody())
  const { events } = await eventsOfCall(organizationId, 'patients.update', () =>
    call('PUT', `/patients/v1/${patient.id}/7`, patientBody()),
  )
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({ status: 409, error_name: 'VersionConflictError', patient_ids: [patient.id] })
})

it("a call without the scope creates an event with the client's name", async () => {
  const { call, organizationId, credentials } = await service.newCaller({ scopes: ['notes:read'] })
  const { events } = await eventsOfCall(organizationId, 'audit.getMulti', () => call('GET', '/anteroom/v1/audit'))
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    client_id: credentials.client_id,
    status: 403,
    error_name: 'UnauthorizedError',
  })
})

it("token requests create an event: granted ones in the organization's trail, refused ones in the service's", async () => {
  const { organizationId, credentials } = await service.newCaller()
  const ask = (client_secret: string) =>
    send(service.app, {
      method: 'POST',
      url: '/api/auth/v2/token',
      payload: { client_id: credentials.client_id, client_secret },
    })
  const given = await eventsOfCall(organizationId, 'auth.getToken', () => ask(credentials.client_secret))
  expect(given.events).toHaveLength(1)
  expect(given.events[0]).toMatchObject({ client_id: credentials.client_id, status: 200 })
  const refused = await eventsOfCall(SERVICE_TRAIL, 'auth.getToken', () => ask('wrong'))
  expect(refused.events).toHaveLength(1)
  expect(refused.events[0]).toMatchObject({ client_id: credentials.client_id, status: 401 })
})

it('a read by MRN names the patient, and not the MRN', async () => {
  const { call, organizationId } = await service.newCaller()
  const { body: patient } = await call('POST', '/patients/v1', patientBody())
  const { events } = await eventsOfCall(organizationId, 'patients.getByMrn', () =>
    call('GET', `/patients/v1/mrn/${patient.mrn}`),
  )
  expect(events[0]?.patient_ids).toEqual([patient.id])
  const merges = await eventsOfCall(organizationId, 'patientMerges.getStatus', () =>
    call('GET', `/patient-merge/v1/status/${patient.mrn}`),
  )
  expect(merges.events[0]?.patient_ids).toEqual([patient.id])
})

it('a list names every patient that it shows, and no other', async () => {
  const { call, organizationId } = await service.newCaller()
  const ids: string[] = []
  for (const family of ['One', 'Two', 'Three']) {
    const { body } = await call('POST', '/patients/v1', patientBody({ name: { family, given: ['A'], use: 'USUAL' } }))
    ids.push(body.id)
  }
  const { reply, events } = await eventsOfCall(organizationId, 'lists.getPatientList', () =>
    call('GET', '/lists/v1/patient?limit=2'),
  )
  const shown = reply.body.items.map(({ patient }: { patient: { id: string } }) => patient.id)
  expect(events[0]?.patient_ids?.toSorted()).toEqual(shown.toSorted())
  expect(shown).toHaveLength(2)
})

it.each([
  ['/lists/v1/patient', 'lists.getPatientList'],
  ['/lists/v1/appointment', 'lists.getAppointmentList'],
  ['/anteroom/v1/lists/board', 'board.getVisits'],
  ['/anteroom/v1/lists/patients', 'patientSearch.find'],
])("%s names the patient of a coverage that stands in another's filing order", async (path, operation) => {
  const { call, organizationId } = await service.newCaller()
  const family = (name: string) => patientBody({ name: { family: name, given: ['A'], use: 'USUAL' } })
  const { body: insured } = await call('POST', '/patients/v1', family('One'))
  const { body: coverage } = await call('POST', '/coverages/v1', coverageBody(insured.id.toUpperCase()))
  const { body: other } = await call('POST', '/patients/v1', family('Two'))
  // Records from before the rule that a filing order contains only the patient's own coverages.
  await service.database.rows(
    `update patient set body = jsonb_set(body, '{filing_order,coverages}', to_jsonb(array[$3::text])) where organization_id = $1 and id = $2`,
    [organizationId, other.id, coverage.id],
  )
  await call('POST', '/appointments/v1', appointmentBody(other.id))
  const { reply, events } = await eventsOfCall(organizationId, operation, () =>
    call('GET', `${path}?limit=1&filters=patient.id%7Ceq%7C${other.id}`),
  )
  expect(reply.body.items[0].primary_coverage.insurance_plan.payer_name, reply.text).toBe(
    coverage.insurance_plan.payer_name,
  )
  expect(events[0]?.patient_ids?.toSorted()).toEqual([insured.id, other.id].sort())
})

it('the trail contains nothing that identifies a patient by name', async () => {
  const { call, organizationId } = await service.newCaller()
  const canary = 'Canaryfamily'
  const body = patientBody({
    name: { family: canary, given: ['Canarygiven'], use: 'USUAL' },
    social_security_number: '987654320',
    email: 'canary@example.org',
  })
  const { body: patient } = await call('POST', '/patients/v1', body)
  await call('GET', `/patients/v1/mrn/${patient.mrn}`)
  await call('GET', `/patients/v1/mrn/${canary}`)
  await call('GET', `/patients/v1?similar_name_ordering=${canary}`)
  await call('PUT', `/patients/v1/${canary}/2`, body)
  await call('PUT', `/patients/v1/${patient.id}/2`, { ...body, birth_date: canary })
  await service.deps.audit.flush(organizationId)
  const rows = await service.database.rows('select events from audit_block union all select act from audit_pending')
  const text = rows.map(([each]) => each).join('\n')
  expect(text).toContain(patient.id)
  for (const value of ['Canary', 'canary', '987654320', 'Rivera', 'W123456789', 'Elm St', `"${patient.mrn}"`]) {
    expect(text).not.toContain(value)
  }
})
