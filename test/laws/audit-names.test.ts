// An event names exactly the patients whose data were shown or changed: a request alone names no patient, but a refusal
// that shows one does. decisions/0013-audit-trail.md
import { describe, expect, it } from 'vitest'
import { records } from '../../src/main/resources.ts'
import type { AuditEvent } from '../../src/platform/audit/event.ts'
import { readTrail } from '../../src/platform/audit/read-trail.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { deactivateMany } from '../../src/records/bulk.ts'
import { coverageBody, eligibilityRequestBody, imageBody, nameBody, patientBody } from '../support/bodies.ts'
import { endpoints, operate, recordKinds, urlOf, validBody } from '../support/operations.ts'
import { type Caller, deadClearinghouses, type Reply, testService } from '../support/service.ts'

const service = testService(() => ({ clearinghouses: deadClearinghouses }))

interface Patient {
  id: string
  mrn: string
}

/** The answer to a call, and its one audit event. */
async function watch({ organizationId }: Caller, call: () => Promise<Reply>) {
  const read = async () => {
    await service.deps.audit.flush(organizationId)
    return readTrail(service.database, organizationId, { limit: 1000 })
  }
  const before = new Set((await read()).map(({ id }) => id))
  const reply = await call()
  const events = (await read()).filter(({ id, client_id }) => !before.has(id) && client_id !== undefined)
  expect(events, JSON.stringify(events)).toHaveLength(1)
  return { reply, named: (events[0] as AuditEvent).patient_ids ?? [] }
}

async function newPatient({ call }: Caller, family = crypto.randomUUID()): Promise<Patient> {
  const { body } = await call('POST', '/patients/v1', patientBody({ name: nameBody(family) }))
  return body
}

const bodyOf = async (endpoint: Endpoint, caller: Caller) =>
  endpoint.operation === 'eligibilityChecks.batch' ? [eligibilityRequestBody()] : validBody(endpoint, caller)

const shows = ({ text }: Reply, { id, mrn }: Patient) => text.includes(id) || text.includes(`"${mrn}"`)

/** The URLs with a patient in every path parameter, and in every query parameter that may be an id. */
function addressesWith(endpoint: Endpoint, { id, mrn }: Patient): string[] {
  const address = urlOf(endpoint)
  const names = Object.keys((endpoint.query as { properties?: object } | undefined)?.properties ?? {})
  const asked = [...new Set(['patient_id', 'patient', 'id', ...names.filter((name) => /id$|filters/.test(name))])]
  const query = (value: string) =>
    asked
      .map((name) => `${name}=${encodeURIComponent(name === 'filters' ? `patient.id|eq|${value}` : value)}`)
      .join('&')
  const filled = (value: string) => endpoint.path.replaceAll(/:(\w+)/g, (_, name) => (name === 'version' ? '9' : value))
  return [`${address}${address.includes('?') ? '&' : '?'}${query(id)}`, filled(id), filled(mrn)]
}

/** A successful answer to a patient's URL reveals something about the patient, if only that nothing is known. */
function isAddressedBy({ path }: Endpoint, url: string, { id, mrn }: Patient): boolean {
  const address = url.split('?')[0] ?? ''
  return address.includes(id) || (path.includes(':mrn') && address.includes(mrn))
}

// The trail itself shows events and not patients: it is tested below.
const reading = endpoints.filter(({ method, operation }) => method === 'GET' && operation !== 'audit.getMulti')

describe('a patient who is requested but not shown is not named', () => {
  it.each(reading)('$operation', async (endpoint) => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    for (const url of addressesWith(endpoint, patient)) {
      const { reply, named } = await watch(caller, () => caller.call('GET', url))
      const isExpected = shows(reply, patient) || (reply.status === 200 && isAddressedBy(endpoint, url, patient))
      expect(named, `${url} ${reply.text.slice(0, 300)}`).toEqual(isExpected ? [patient.id] : [])
    }
  })

  it.each(endpoints)('$operation, when the caller lacks the scope or the record', async (endpoint) => {
    const owner = await service.newCaller()
    const patient = await newPatient(owner)
    const barred = await service.newCaller({ beside: owner, scopes: [] })
    const stranger = await service.newCaller()
    const body = await bodyOf(endpoint, owner)
    for (const caller of [barred, stranger]) {
      for (const url of addressesWith(endpoint, patient)) {
        const reply = await caller.call(endpoint.method, url, body)
        if (caller === barred) expect(reply.status).toBe(403)
      }
      await service.deps.audit.flush(caller.organizationId)
      const events = await readTrail(service.database, caller.organizationId, { limit: 1000 })
      const own = events.filter(({ client_id }) => client_id === caller.credentials.client_id)
      expect(own.length).toBeGreaterThan(0)
      expect(own.filter(({ patient_ids = [] }) => patient_ids.includes(patient.id))).toEqual([])
    }
  })
})

describe('a patient whom a refusal shows is named', () => {
  it.each(endpoints.filter(({ body, method }) => body && method === 'POST'))(
    '$operation, sent twice',
    async (endpoint) => {
      const caller = await service.newCaller()
      const patients = [await newPatient(caller), await newPatient(caller)]
      const body = await bodyOf(endpoint, caller)
      const first = await caller.call('POST', urlOf(endpoint), body)
      if (first.body?.mrn) patients.push(first.body)
      const { reply, named } = await watch(caller, () => caller.call('POST', urlOf(endpoint), body))
      if (reply.status < 400) return
      expect(named.toSorted()).toEqual(
        patients
          .filter((each) => shows(reply, each))
          .map(({ id }) => id)
          .toSorted(),
      )
    },
  )

  it('each of the existing patients whom a new one would duplicate', async () => {
    const caller = await service.newCaller()
    const url = '/patients/v1?skip_duplicate_check=true'
    const body = patientBody({ name: nameBody('Twice') })
    const known: Patient[] = []
    for (let count = 0; count < 2; count++) known.push((await caller.call('POST', url, body)).body)
    const { reply, named } = await watch(caller, () => caller.call('POST', '/patients/v1', body))
    expect(reply.status).toBe(409)
    expect(known.every((each) => shows(reply, each))).toBe(true)
    expect(named.toSorted()).toEqual(known.map(({ id }) => id).toSorted())
  })
})

describe('a patient whom an answer shows without an id is named', () => {
  it("an image of a coverage names the coverage's patient when it is uploaded, read, listed and changed", async () => {
    const caller = await service.newCaller()
    const { id } = await newPatient(caller)
    const { body: coverage } = await caller.call('POST', '/coverages/v1', coverageBody(id))
    const card = imageBody({ coverage: { id: coverage.id, side: 'FRONT' } })
    const created = await watch(caller, () => caller.call('POST', '/images/v1', card))
    expect(created.named).toEqual([id])
    const { id: image, signed_url } = created.reply.body
    const content = new URL(signed_url)
    const calls: (() => Promise<Reply>)[] = [
      () => caller.call('GET', `/images/v1/${image}`),
      () => caller.call('GET', '/images/v1'),
      () => caller.call('PUT', `/images/v1/${image}/1`, { ...card, display_name: 'Front' }),
      () => caller.call('PUT', `/images/v1/${image}/1`, card),
    ]
    for (const call of calls) expect((await watch(caller, call)).named).toEqual([id])
    // There is no upload yet, so nothing is shown.
    const missing = await watch(caller, () => caller.call('GET', `${content.pathname}${content.search}`))
    expect([missing.reply.status, missing.named]).toEqual([404, []])
  })

  it('merged patients are named with the one whose entry shows their MRNs', async () => {
    const caller = await service.newCaller()
    const [kept, gone] = [await newPatient(caller), await newPatient(caller)]
    const merge = { primary_patient_mrn: kept.mrn, alternative_patient_mrn: gone.mrn }
    expect((await caller.call('POST', '/patient-merge/v1', merge)).status).toBe(200)
    const both = [kept.id, gone.id].toSorted()
    for (const url of [
      `/patient-merge/v1/status/${kept.mrn}`,
      `/patient-merge/v1/status/${gone.id}`,
      `/patient-merge/v1/all/${gone.mrn}`,
      `/lists/v1/patient?limit=1&filters=patient.id%7Ceq%7C${kept.id}`,
      `/lists/v1/patient?limit=1&filters=patient.id%7Ceq%7C${gone.id}`,
    ]) {
      const { reply, named } = await watch(caller, () => caller.call('GET', url))
      expect([reply.status, named.toSorted()], `${url} ${reply.text}`).toEqual([200, both])
    }
  })
})

const ofPatients = records.filter(({ patients }) => patients !== 'none')

describe.each(ofPatients)('$name', (record) => {
  const kind = recordKinds.find(({ name }) => name === record.name)!

  it('names its patient when it is created, when a stale version is refused, and when many are written at once', async () => {
    const caller = await service.newCaller()
    const body = await kind.make(caller)
    const made = await watch(caller, () => operate(caller, kind.endpoint('create'), { body }))
    expect(made.reply.status, made.reply.text).toBe(200)
    const write = kind.endpoint('update') ?? kind.endpoint('deactivate')
    const change = write?.body && { body: kind.change(body, crypto.randomUUID()) }
    const params = { id: made.reply.body.id, version: 9 }
    const refused = await watch(caller, () => operate(caller, write, { params, ...change }))
    expect([refused.reply.status, refused.named.toSorted()]).toEqual([409, made.named.toSorted()])
    const writer = { organizationId: caller.organizationId, userId: crypto.randomUUID() }
    expect(await deactivateMany(service.deps, record, writer, [made.reply.body.id])).toBe(1)
    await service.deps.audit.flush(caller.organizationId)
    const [event] = await readTrail(service.database, caller.organizationId, { limit: 1 })
    expect(event).toMatchObject({ operation: `system.${record.name}.deactivate_many`, record_type: record.name })
    expect((event?.patient_ids ?? []).toSorted()).toEqual(made.named.toSorted())
    // The patient field of a recommendation may be any text of its sender.
    if (kind.name !== 'eligibility_recommendation') expect(made.named.length).toBeGreaterThan(0)
  })
})

it("reading a patient's trail is recorded in it; reading the whole trail names no patient", async () => {
  const caller = await service.newCaller()
  const { id } = await newPatient(caller)
  const unknown = crypto.randomUUID()
  for (const [query, expected] of [
    ['', []],
    [`?patient_id=${id}`, [id]],
    [`?patient_id=${unknown}`, []],
  ] as const) {
    const { named } = await watch(caller, () => caller.call('GET', `/anteroom/v1/audit${query}`))
    expect(named, query).toEqual(expected)
  }
})
