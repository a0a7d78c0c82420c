// Everything that locks several rows, at once and on the same rows: no transaction may have to give way to another (40P01).
// Source: decisions/0021-lock-order.md
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { beginCheck, toQuestion } from '../../src/checks/answer-check.ts'
import { releaseChecks, renewChecks, takeChecks } from '../../src/checks/check-queue.ts'
import { finishChecks } from '../../src/checks/finish-check.ts'
import { forgetOldMessages } from '../../src/checks/message-retention.ts'
import { runCheck } from '../../src/eligibility/check.ts'
import { verifyAppointments } from '../../src/verification/verify-appointments.ts'
import { eligibilityRequestBody, planGroupBody } from '../support/bodies.ts'
import { newCoverage, newPatient, readCoverage, withDeductible } from '../support/coverage-checks.ts'
import { type Caller, testService } from '../support/service.ts'
import { toldPayer } from '../support/told-payer.ts'

// A machine under load takes its time.
vi.setConfig({ testTimeout: 240_000 })

const payer = toldPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))
const log = pino({ level: 'silent' })
const COVERAGES = 6
const ROUNDS = 20

it('finishers, takers, postponers, people, bulk updates, merges and the verification never wait for each other in a circle', async () => {
  const caller = await service.newCaller()
  const patients = await Promise.all(Array.from({ length: 3 }, () => newPatient(caller)))
  const group = randomUUID()
  const coverages = await Promise.all(
    Array.from({ length: COVERAGES }, async (_, index) => {
      const memberId = randomUUID()
      const plan = { member_id: memberId, payer_id: '60054', payer_name: 'Aetna', payer_plan_group_id: group }
      const { id } = await newCoverage(caller, { patient: patients[index % 3].id, insurance_plan: plan })
      return { id, memberId }
    }),
  )
  for (const { memberId } of coverages) payer.answers.set(memberId, withDeductible(500))
  let isOver = false
  const failures: unknown[] = []
  let finished = 0
  /** Does it again and again until the finishers are done. */
  const meanwhile = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work().catch((error: unknown) => failures.push(error))
      await delay(1)
    }
  }
  const finishers = Array.from({ length: 4 }, (_, turn) => finishInGroups(caller, coverages, turn))
  const others = [
    meanwhile(async () => renewChecks(service.deps, await heldChecks(caller, 'id'))),
    meanwhile(async () =>
      releaseChecks(service.deps, (await heldChecks(caller, 'id desc')).slice(0, 2), { delayMs: 0 }),
    ),
    meanwhile(async () => releaseChecks(service.deps, await takeChecks(service.deps, 3), { delayMs: 50 })),
    meanwhile(async () => {
      const { id } = coverages[Math.floor(Math.random() * COVERAGES)]!
      const current = await readCoverage(caller, id)
      const { status } = await caller.call('PUT', `/coverages/v1/${id}/${current.version + 1}`, current)
      if (status !== 200 && status !== 409) throw new Error(`PUT answered ${status}`)
    }),
    meanwhile(async () => {
      const { status } = await caller.call(
        'POST',
        `/coverages/v1/batch-update-ppg/${group}`,
        planGroupBody({ payer_plan_group_id: group, payer_name: `P${Math.random()}` }),
      )
      if (status !== 200) throw new Error(`batch-update-ppg answered ${status}`)
    }),
    meanwhile(async () => {
      const [one, other] = [patients[0].mrn, patients[1].mrn].toSorted(() => Math.random() - 0.5)
      const { status, body } = await caller.call('POST', '/patient-merge/v1', {
        alternative_patient_mrn: one,
        primary_patient_mrn: other,
      })
      if (status === 200) await caller.call('DELETE', `/patient-merge/v1/${body.id}/2`)
      else if (status !== 400) throw new Error(`merge answered ${status}`)
    }),
    meanwhile(() => verifyAppointments(service.deps, { organizationId: caller.organizationId, days: 3, log })),
    meanwhile(() => forgetOldMessages(service.deps)),
  ]
  for (const count of await Promise.all(finishers)) finished += count
  isOver = true
  await Promise.all(others)
  expect(failures.slice(0, 3)).toEqual([])
  expect(finished, 'groups of answers were stored').toBeGreaterThan(0)
  const [deadlocks] =
    (await service.database.row('select deadlocks from pg_stat_database where datname = current_database()')) ?? []
  expect(deadlocks).toBe('0')
})

/** Stores answers to checks of the coverages, several of them in one transaction and in an order of its own. @throws for a deadlock. */
async function finishInGroups(
  { organizationId }: Caller,
  coverages: { id: string; memberId: string }[],
  turn: number,
): Promise<number> {
  const { deps } = service
  const actor = { organizationId, userId: organizationId, clientId: organizationId }
  let stored = 0
  for (let round = 0; round < ROUNDS; round++) {
    const asked = coverages.toSorted(() => (turn % 2 === 0 ? 1 : -1) * (Math.random() - 0.3)).slice(0, 4)
    const answers = await Promise.all(
      asked.map(async ({ id: coverageId, memberId }) => {
        const subscriber = { member_id: memberId, first_name: 'ANA', last_name: 'RIVERA' }
        const question = await toQuestion(deps, actor, eligibilityRequestBody({ subscriber }))
        const check = await beginCheck(deps, actor, question, { coverageId })
        const { clearinghouse } = await deps.clearinghouses.forPayer(organizationId, '60054')
        return {
          check,
          outcome: await runCheck(clearinghouse, check.asked, { checkId: check.id, controlNumber: 1, at: new Date() }),
        }
      }),
    )
    stored += (await finishChecks(deps, organizationId, answers)).length
  }
  return stored
}

async function heldChecks({ organizationId }: Caller, order: string) {
  const held = `select id, attempt from eligibility_check where organization_id = $1 and status = 'PENDING' order by ${order} limit 20`
  const rows = await service.database.rows(held, [organizationId])
  return rows.map(([id = '', attempt]) => ({ organizationId, id, attempt: Number(attempt) }))
}
