// Organizations with patients, coverages and visits to verify, created over HTTP as a clinic's systems do.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { type Run, verifyAppointments } from '../../src/eligibility/verification/verify-appointments.ts'
import type { VerifiedVisit } from '../../src/eligibility/verification/verify-visit.ts'
import { appointmentBody, type Body, coverageBody, nameBody, patientBody } from './bodies.ts'
import type { Caller, TestService } from './service.ts'

export const CLINIC_NPI = '1234567893'
const VISIT_START = '2026-03-10T14:00:00.000Z'
export const silent = pino({ level: 'silent' })

interface ClinicSettings {
  npi?: string | null
  on?: boolean
  days?: number
  timeZone?: string
}

/** Creates clinics in a service and verifies their visits. */
export function clinicsOf(service: TestService) {
  /** An organization with verification enabled. */
  async function newClinic(settings: ClinicSettings = {}): Promise<Caller> {
    const { npi = CLINIC_NPI, on = true, days = 3, timeZone } = settings
    const caller = await service.newCaller(timeZone === undefined ? {} : { timeZone })
    await service.database.rows(
      'update organization set npi = $2, verification = $3, verification_days = $4 where id = $1',
      [caller.organizationId, npi, on, days],
    )
    return caller
  }

  /** Verifies the due visits of one clinic and returns them in the order of verification. */
  async function verify(caller: Caller, run: Partial<Run> = {}, deps: Deps = service.deps): Promise<VerifiedVisit[]> {
    const visits: VerifiedVisit[] = []
    const onVisit = (visit: VerifiedVisit) => visits.push(visit)
    await verifyAppointments(deps, { organizationId: caller.organizationId, log: silent, onVisit, ...run })
    return visits
  }

  /** Simulates that the time until the next attempt, or of a lease, is over. */
  async function makeDue({ organizationId }: Caller): Promise<void> {
    const sql = 'update appointment_verification set due_at = now() where organization_id = $1'
    await service.database.rows(sql, [organizationId])
  }

  return { newClinic, verify, makeDue, newPatient, fileCoverages, newVisit, read, historyOf, put, eventsOf }
}

async function created({ call }: Caller, path: string, body: object) {
  const reply = await call('POST', path, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** A patient with coverages by member id in the filing order; a coverage may have further fields. */
async function newPatient(caller: Caller, ...members: (string | [string, Body])[]) {
  const patient = await created(caller, '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
  const coverages: string[] = []
  for (const member of members) {
    const [member_id, overrides] = typeof member === 'string' ? [member, {}] : member
    const insurance_plan = { member_id, payer_id: '60054', payer_name: 'Aetna' }
    const body = coverageBody(patient.id, { insurance_plan, ...overrides })
    coverages.push((await created(caller, '/coverages/v1', body)).id)
  }
  await fileCoverages(caller, patient.id, coverages)
  return { id: patient.id as string, coverages }
}

/** Requests the verification of a visit and waits for its end: the request itself waits for payers for two seconds at most. */
export async function verifyVisit({ call }: Caller, visitId: string) {
  const address = `/anteroom/v1/appointments/${visitId}/verification`
  const asked = await call('POST', address)
  expect(asked.status, asked.text).toBe(200)
  return vi.waitFor(
    async () => {
      const { body } = await call('GET', address)
      expect(body.state).not.toBe('RUNNING')
      return body
    },
    { timeout: 120_000 },
  )
}

async function fileCoverages({ call }: Caller, patientId: string, coverages: string[]): Promise<void> {
  const { body } = await call('GET', `/patients/v1/${patientId}`)
  const changed = { ...body, filing_order: { coverages } }
  const reply = await call('PUT', `/patients/v1/${patientId}/${body.version + 1}`, changed)
  expect(reply.status, reply.text).toBe(200)
}

const newVisit = (caller: Caller, patientId: string, overrides: Body = {}) =>
  created(caller, '/appointments/v1', appointmentBody(patientId, { start_timestamp: VISIT_START, ...overrides }))

const read = async ({ call }: Caller, id: string) => (await call('GET', `/appointments/v1/${id}`)).body
const historyOf = async ({ call }: Caller, id: string) => (await call('GET', `/appointments/v1/${id}/history`)).body

/** Writes the current appointment with some fields changed. */
async function put({ call }: Caller, id: string, overrides: Body): Promise<void> {
  const { body } = await call('GET', `/appointments/v1/${id}`)
  const reply = await call('PUT', `/appointments/v1/${id}/${body.version + 1}`, { ...body, ...overrides })
  expect(reply.status, reply.text).toBe(200)
}

async function eventsOf({ call }: Caller, patientId: string, type: string): Promise<Body[]> {
  const { body } = await call('GET', `/patients/v1/${patientId}/eligibility-timeline?event_types=${type}`)
  return body.items
}
