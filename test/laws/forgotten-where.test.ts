// Tenant isolation in the database itself: every statement of the service, without its condition on the organization,
// still neither finds nor changes another organization's rows. decisions/0011-row-level-security.md
import { beforeAll, expect, it } from 'vitest'
import { auditedRecords } from '../../src/main/resources.ts'
import { openTrail } from '../../src/platform/audit/trail.ts'
import type { Database, Statement } from '../../src/platform/database/database.ts'
import { allDataOf, type FullOrganization, fillOrganization } from '../support/full-organization.ts'
import { scriptedPayer } from '../support/scripted-payer.ts'
import { type Caller, testService } from '../support/service.ts'
import { useAll } from '../support/use-all.ts'

/** The last values of each statement, by its text. */
const sent = new Map<string, unknown[]>()
let restricted: Database
const service = testService((deps) => {
  restricted = deps.database
  const database = recording(deps.database)
  const audit = openTrail({ ...deps, database, records: auditedRecords, onError: () => {} })
  return { clearinghouses: scriptedPayer().clearinghouses, database, audit }
})

function recording(database: Database): Database {
  const note = (statement: Statement | string, values: unknown[] = []) =>
    sent.set(typeof statement === 'string' ? statement : statement.text, values)
  const noting =
    <Answer>(send: (statement: Statement, values: unknown[]) => Promise<Answer>) =>
    (statement: Statement | string, values: unknown[] = []) => {
      note(statement, values)
      return send(statement as Statement, values)
    }
  return {
    rows: noting(database.rows),
    row: noting(database.row),
    rowByKey: noting(database.rowByKey),
    rowsByKey: noting(database.rowsByKey),
    transaction: (work) => database.transaction((transaction) => work(recording(transaction))),
  }
}

let owned: FullOrganization
let stranger: Caller
beforeAll(async () => {
  owned = await fillOrganization(service, await service.newCaller())
  stranger = await service.newCaller()
  await useAll(owned)
})

const CONDITION =
  /(?:\w+\.)?organization_id = \$1(?:::uuid)?|\borganization\.id = \$1|\bo\.id = \$1|(?<=organization where )id = \$1/g

/** After an insert the attacker's rows contain the owner's values, so reads come first. */
const INSERT = /\binsert into (?!audit_)/

/** The statement without its condition on the organization. $1 is still bound. */
const forgetful = (text: string) => text.replaceAll(CONDITION, '$1::uuid is not null')

const statements = () =>
  Promise.all(
    [...sent]
      .filter(([text]) => text.search(CONDITION) >= 0)
      .sort(([one], [other]) => Number(INSERT.test(one)) - Number(INSERT.test(other)))
      .map(async ([text, values]) => ({
        text: forgetful(text),
        values: [stranger.organizationId, ...(await upToDate(text, values)).slice(1)],
      })),
  )

/** A write of the next version, with the record's current version. */
async function upToDate(text: string, values: unknown[]): Promise<unknown[]> {
  const table = /select id, deactivated from (\w+) where .* version = \$3/.exec(text)?.[1]
  if (!table) return values
  const current = await service.database.row(`select version from ${table} where id = $1`, [values[1]])
  return values.with(2, current?.[0] ?? values[2])
}

/** A write shows the values that it was sent, which are the owner's here; only what it was not sent comes from the owner's rows. */
const betrays = (rows: unknown, text: string, values: unknown[]) => {
  const shown = JSON.stringify(rows)
  const known = INSERT.test(text) ? JSON.stringify(values) : ''
  return [owned.canary, owned.owner.organizationId].some((word) => shown.includes(word) && !known.includes(word))
}

it('finds and changes nothing of another organization, for every statement', async () => {
  const before = await allDataOf(service, owned.owner)
  const forgotten = await statements()
  expect(forgotten.length).toBeGreaterThan(60)
  for (const { text, values } of forgotten) {
    // A failed statement has found nothing; its message must not contain a value either.
    const rows = await restricted
      .rows(text, values)
      .catch((error: Error) => [error.message, String((error as { detail?: string }).detail)])
    expect(betrays(rows, text, values), `${text}\n${JSON.stringify(rows).slice(0, 500)}`).toBe(false)
  }
  expect(await allDataOf(service, owned.owner)).toEqual(before)
})

it('would find and change something without row-level security', async () => {
  const before = await allDataOf(service, owned.owner)
  const undo = new Error('undone')
  let found = 0
  let isChanged = false
  for (const { text, values } of await statements()) {
    if (found > 20 && isChanged) break
    const attempt = service.database.transaction(async (transaction) => {
      found += Number(betrays(await transaction.rows(text, values), text, values))
      if (!isChanged) {
        const after = await allDataOf({ ...service, database: transaction as typeof service.database }, owned.owner)
        isChanged = JSON.stringify([...after]) !== JSON.stringify([...before])
      }
      throw undo
    })
    await attempt.catch(() => {})
  }
  expect([found > 20, isChanged], `${found} would have found something`).toEqual([true, true])
})
