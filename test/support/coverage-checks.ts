// Checks of coverages over HTTP, for the tests of a coverage's eligibility.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Body, coverageBody, coverageCheckBody, nameBody, patientBody } from './bodies.ts'
import { endpoints, expectDeclaredAnswer } from './operations.ts'
import type { Caller, Reply } from './service.ts'

/** Active coverage with a deductible and this amount remaining. */
export const withDeductible = (dollars: number) => `EB*1**30**TEST PLAN~EB*C*IND*30***23*${dollars}~`

export async function ok(caller: Caller, method: 'GET' | 'POST' | 'PUT', url: string, sent?: unknown) {
  const reply = await caller.call(method, url, sent)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

export const newPatient = (caller: Caller, overrides: Body = {}) =>
  ok(caller, 'POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()), ...overrides }))

/** A coverage with the data that an inquiry needs. */
export async function newCoverage(caller: Caller, overrides: Body = {}) {
  const memberId = randomUUID()
  const insurance_plan = { member_id: memberId, payer_id: '60054', payer_name: 'Aetna' }
  const patient = overrides.patient ?? (await newPatient(caller)).id
  const coverage = await ok(caller, 'POST', '/coverages/v1', coverageBody(patient, { insurance_plan, ...overrides }))
  return { memberId, id: coverage.id as string, coverage }
}

const [asked, read] = ['coverages.checkEligibility', 'coverages.getEligibility'].map(
  (name) => endpoints.find(({ operation }) => operation === name)!,
)

/** The metadata of a new check. */
export async function checkCoverage(caller: Caller, id: string, overrides: Body = {}) {
  const reply = await caller.call('POST', `/coverages/v1/${id}/eligibility`, coverageCheckBody(overrides))
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(asked!, reply)
  return reply.body
}

export async function readCheck(caller: Caller, id: string, checkId: string): Promise<Reply['body']> {
  const reply = await caller.call('GET', `/coverages/v1/${id}/eligibility/${checkId}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(read!, reply)
  return reply.body
}

export const readCoverage = (caller: Caller, id: string) => ok(caller, 'GET', `/coverages/v1/${id}`)

/** The versions of the history, oldest first. */
export async function versionsOf(caller: Caller, id: string, query = ''): Promise<number[]> {
  const history = await ok(caller, 'GET', `/coverages/v1/${id}/history${query}`)
  return history.map(({ version }: { version: number }) => version)
}

/** Type and payload of a patient's timeline events about eligibility and coverages, newest first. */
export async function timelineEventsOf(caller: Caller, patientId: string) {
  const { items } = await ok(caller, 'GET', `/patients/v1/${patientId}/eligibility-timeline`)
  return items as (Body & { event_type: string; payload: Body })[]
}
