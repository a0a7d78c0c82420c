// Everything that locks several rows, run concurrently on the same rows: no transaction may be cancelled by a deadlock
// (40P01). Source: decisions/0021-lock-order.md
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { beginCheck, prepareInquiry } from '../../src/eligibility/checks/answer-check.ts'
import { checkLeases, takeChecks } from '../../src/eligibility/checks/check-queue.ts'
import { finishChecks } from '../../src/eligibility/checks/finish-check.ts'
import { deleteOldMessages } from '../../src/eligibility/checks/message-retention.ts'
import { runCheck } from '../../src/eligibility/inquiries/run-check.ts'
import { verifyAppointments } from '../../src/eligibility/verification/verify-appointments.ts'
import { records } from '../../src/main/resources.ts'
import { rotateSigningKey } from '../../src/platform/auth/signing-keys.ts'
import { createVault } from '../../src/platform/crypto/encryption.ts'
import { fixedRing } from '../../src/platform/crypto/key-ring.ts'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { isConnectionFailure } from '../../src/platform/database/errors.ts'
import { encryptedColumns } from '../../src/platform/key-rotation/encrypted-columns.ts'
import { reencryptColumn } from '../../src/platform/key-rotation/re-encrypt.ts'
import { eligibilityRequestBody, planGroupBody } from '../support/bodies.ts'
import { newCoverage, newPatient, readCoverage, withDeductible } from '../support/coverage-checks.ts'
import { scriptedPayer } from '../support/scripted-payer.ts'
import { type Caller, dataKey, testService } from '../support/service.ts'

const payer = scriptedPayer()
/** Both keys decrypt; alternating between the two vaults gives the re-encryption work each time. */
const keys = [dataKey, randomBytes(32)]
const vaults = [createVault(fixedRing(keys)), createVault(fixedRing(keys.toReversed()))]
const service = testService(() => ({ clearinghouses: payer.clearinghouses, vault: vaults[0]! }))
const log = pino({ level: 'silent' })
const COVERAGES = 6
const ROUNDS = 20

it('finishing, taking and postponing checks, users, bulk updates, merges, verification, retention and key rotations never deadlock', async () => {
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
  /** Repeats `work` until all checks are finished. */
  const meanwhile = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work().catch((error: unknown) => {
        // A busy machine may have no connection in time, and cancels nothing for it.
        if (!isConnectionFailure(error)) failures.push(error)
      })
      await delay(1)
    }
  }
  const finishers = Array.from({ length: 4 }, (_, turn) => finishInGroups(caller, coverages, turn))
  const others = [
    meanwhile(async () => checkLeases.renew(service.deps, await heldChecks(caller, 'id'))),
    meanwhile(async () =>
      checkLeases.release(service.deps, (await heldChecks(caller, 'id desc')).slice(0, 2), {
        delayMs: 0,
      }),
    ),
    meanwhile(async () => checkLeases.release(service.deps, await takeChecks(service.deps, 3), { delayMs: 50 })),
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
    meanwhile(() => deleteOldMessages(later(), service.app.log)),
    ...vaults.map((vault) =>
      meanwhile(async () => {
        for (const target of encryptedColumns(records)) await reencryptColumn(service.database, vault, target)
      }),
    ),
  ]
  for (const count of await Promise.all(finishers)) finished += count
  isOver = true
  await Promise.all(others)
  expect(failures.slice(0, 3)).toEqual([])
  expect(await failedWork()).toEqual([])
  expect(finished, 'groups of answers were stored').toBeGreaterThan(0)
  const [deadlocks] =
    (await service.database.row('select deadlocks from pg_stat_database where datname = current_database()')) ?? []
  expect(deadlocks).toBe('0')
})

/** Work that leaves out an organization in which it fails, with how often it did. */
async function failedWork() {
  const { values } = await service.deps.metrics.organizationFailures.get()
  return values.filter(({ value }) => value > 0)
}

/** The messages of every check have expired. */
const later = () => ({ ...service.deps, config: { ...service.deps.config, CHECK_MESSAGE_DAYS: -1 } })

describe('a write of many rows locks them in key order, regardless of their order in the table', () => {
  // More than the planner expects in a list of changes, so that it scans the table instead of following the list.
  const ROWS = 300

  async function newSigningKeys(): Promise<void> {
    const rows = Array.from({ length: ROWS }, () => randomUUID()).map((kid) => ({
      kid,
      private_key: vaults[0]!.encrypt('{}', { table: 'signing_key', column: 'private_key', id: kid }),
      public_key: {},
    }))
    await service.database.rows(
      `insert into signing_key (kid, private_key, public_key)
        select * from jsonb_to_recordset($1) as r(kid text, private_key text, public_key jsonb)`,
      [JSON.stringify(rows)],
    )
  }

  // The service reloads its keys from time to time, and could not sign with these.
  afterEach(() => service.database.rows(`delete from signing_key where public_key = '{}'`))

  it('a rotation of the encryption key', async () => {
    await newSigningKeys()
    const target = encryptedColumns(records).find(({ table }) => table === 'signing_key')!
    const rotate = (database: SystemDatabase) => reencryptColumn(database, vaults[1]!, target)
    // The service's own key may have been re-encrypted before.
    await expectInOrder('signing_key', 'kid', rotate, "public_key = '{}'")
  })

  it('a new signing key', async () => {
    await newSigningKeys()
    await expectInOrder('signing_key', 'kid', (database) => rotateSigningKey(database, vaults[0]!))
  })

  it('the retention of messages', async () => {
    const { call, organizationId } = await service.newCaller()
    expect((await call('POST', '/eligibility-checks/v1', eligibilityRequestBody())).status).toBe(200)
    await service.database.rows(
      `insert into eligibility_check (organization_id, id, initiated_at, completed_at, user_id, status, request, raw_response)
        select organization_id, gen_random_uuid(), initiated_at, completed_at, user_id, status, request, raw_response
        from eligibility_check, generate_series(1, $2) where organization_id = $1`,
      [organizationId, ROWS],
    )
    const forget = (database: SystemDatabase) =>
      deleteOldMessages({ ...later(), systemDatabase: database }, service.app.log)
    await expectInOrder('eligibility_check', 'organization_id, id', forget, 'raw_response is not null')
    expect(await failedWork()).toEqual([])
  })

  /**
   * While another transaction holds the first of the `written` rows, the write must not hold a later one: the holder
   * can then lock them all.
   */
  async function expectInOrder(
    table: string,
    key: string,
    write: (database: SystemDatabase) => Promise<unknown>,
    written = 'true',
  ): Promise<void> {
    await storeBackwards(table, key)
    const pool = openDatabase({ connectionString: service.databaseUrl }, { onError: () => {} })
    let writing: Promise<unknown> | undefined
    let locked = 0
    await service.database.transaction(async (holder) => {
      await holder.rows(`select from ${table} where ${written} order by ${key} limit 1 for update`)
      writing = write(pool.systemDatabase).catch((error: unknown) => error)
      await vi.waitUntil(isSomebodyWaiting, { timeout: 60_000 })
      locked = (await holder.rows(`select ${key} from ${table} for update nowait`)).length
    })
    expect(locked).toBeGreaterThanOrEqual(ROWS)
    expect(await writing).not.toBeInstanceOf(Error)
    await pool.close()
  }

  async function storeBackwards(table: string, key: string): Promise<void> {
    const last = key.split(', ').map((column) => `${column} desc`)
    await service.database.rows(`create index backwards on ${table} (${last.join(', ')})`)
    await service.database.rows(`cluster ${table} using backwards`)
    await service.database.rows('drop index backwards')
    await service.database.rows(`analyze ${table}`)
  }

  async function isSomebodyWaiting(): Promise<boolean> {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await service.database.rows(waiting)).length > 0
  }
})

/** Stores answers to checks of the coverages, several per transaction and in random order. @throws for a deadlock. */
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
        const portal = { portal_username: 'desk', portal_password: 'secret' }
        const inquiry = await prepareInquiry(deps, actor, eligibilityRequestBody({ subscriber, ...portal }))
        const check = await beginCheck(deps, actor, inquiry, { coverageId })
        const { clearinghouse } = await deps.clearinghouses.forPayer(organizationId, '60054')
        return {
          check,
          outcome: await runCheck(clearinghouse, check.asked, {
            organizationId: check.organizationId,
            checkId: check.id,
            controlNumber: 1,
            at: new Date(),
          }),
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
