// Every encrypted value in the database can be decrypted only in its own place. The places are listed in
// src/platform/key-rotation/encrypted-columns.ts; test/faults/rotate-data.test.ts compares that list with the database.
import { expect, test } from 'vitest'
import { createConnector } from '../../src/clearinghouses/connector-store.ts'
import { records } from '../../src/main/resources.ts'
import { openAuditKey } from '../../src/platform/audit/key.ts'
import { enrol } from '../../src/platform/auth/second-factor.ts'
import { ENCRYPTED_PREFIX, type Place } from '../../src/platform/crypto/encryption.ts'
import { type EncryptedColumn, encryptedColumns, placeOf } from '../../src/platform/key-rotation/encrypted-columns.ts'
import { reencryptColumn } from '../../src/platform/key-rotation/re-encrypt.ts'
import { eligibilityRequestBody, patientBody, webhookBody } from '../support/bodies.ts'
import { newPerson } from '../support/people.ts'
import { scriptedPayer } from '../support/scripted-payer.ts'
import { dataKey, testService } from '../support/service.ts'
import { unbound } from '../support/unbound-values.ts'

const columns = encryptedColumns(records)

const service = testService(() => ({ clearinghouses: scriptedPayer().clearinghouses }))

/** Stores an encrypted value in every column of the list, for at least two records where a column has many. */
async function fillEveryColumn(): Promise<void> {
  for (const name of ['first', 'second']) {
    const caller = await service.newCaller()
    const { organizationId } = caller
    const { body } = await caller.call('POST', '/patients/v1', patientBody({ social_security_number: `${name}-ssn` }))
    expect(body.social_security_number).toBe(`${name}-ssn`)
    const portal = { portal_username: 'desk', portal_password: `${name}-password` }
    expect((await caller.call('POST', '/eligibility-checks/v1', eligibilityRequestBody(portal))).status).toBe(200)
    const settings = { url: 'https://payer.test', senderId: 'US', receiverId: 'THEM', password: name }
    const webhook = await caller.call('POST', '/anteroom/v1/webhooks', webhookBody())
    await caller.call('POST', `/anteroom/v1/webhooks/${webhook.body.id}/rotate-secret`)
    const person = await newPerson(service, { organizationId })
    await enrol({ ...connectorDeps(), now: () => new Date() }, person, person.username)
    await createConnector(connectorDeps(), { organizationId, name: 'direct', kind: 'core', settings })
  }
  await openAuditKey(service.database, service.deps.vault)
}

const connectorDeps = () => ({ database: service.database, vault: service.deps.vault })

interface Value {
  target: EncryptedColumn
  row: Record<string, string>
  place: Place
  ciphertext: string
}

const valueSql = ({ column, field }: EncryptedColumn) => (field === undefined ? column : `${column} ->> '${field}'`)

/** Every encrypted value of the columns in the list. */
async function readValues(): Promise<Value[]> {
  const found: Value[] = []
  for (const target of columns) {
    const keys = Object.keys(target.key)
    const sql = valueSql(target)
    const rows = await service.database.rows(
      `select ${keys.join(', ')}, ${sql} from ${target.table} where ${sql} is not null order by ${keys.join(', ')}`,
    )
    for (const row of rows) {
      const key = Object.fromEntries(keys.map((name, index) => [name, row[index] ?? '']))
      found.push({ target, row: key, place: placeOf(target, key), ciphertext: row.at(-1) ?? '' })
    }
  }
  return found
}

async function setValue({ target, row }: Value, ciphertext: string): Promise<void> {
  const { table, column, field } = target
  const names = Object.keys(row)
  const set = field === undefined ? '$1' : `jsonb_set(${column}, '{${field}}', to_jsonb($1::text))`
  const isRow = names.map((name, index) => `${name}::text = $${index + 2}`).join(' and ')
  await service.database.rows(`update ${table} set ${column} = ${set} where ${isRow}`, [
    ciphertext,
    ...Object.values(row),
  ])
}

test('a value that is copied to the place of another cannot be decrypted there', async () => {
  await fillEveryColumn()
  const { vault } = service.deps
  const values = await readValues()
  expect(new Set(values.map(({ target }) => target))).toEqual(new Set(columns))
  for (const from of values) {
    expect(from.ciphertext.startsWith(ENCRYPTED_PREFIX), from.place.table).toBe(true)
    for (const to of values) {
      const isOwn = JSON.stringify(from.place) === JSON.stringify(to.place)
      const opened = vault.tryDecrypt(from.ciphertext, to.place)
      expect(opened !== undefined, `${from.place.column} in the place of ${to.place.column}`).toBe(isOwn)
    }
  }
})

test('values of an earlier release can be read in their place, and a re-encryption binds each to its place', async () => {
  const { vault } = service.deps
  // No earlier release had webhooks or second factors.
  const earlier = columns.filter(({ table }) => table !== 'webhook' && table !== 'user_second_factor')
  const readEarlier = async () => (await readValues()).filter(({ target }) => earlier.includes(target))
  const before = await readEarlier()
  for (const value of before) await setValue(value, unbound(dataKey, vault.decrypt(value.ciphertext, value.place)))
  for (const { ciphertext, place } of await readEarlier()) expect(() => vault.decrypt(ciphertext, place)).not.toThrow()
  for (const target of earlier) {
    const own = before.filter((each) => each.target === target).length
    expect(await reencryptColumn(service.database, vault, target)).toEqual({ reencrypted: own, unreadable: 0 })
  }
  const after = await readEarlier()
  expect(after).toHaveLength(before.length)
  for (const [index, { ciphertext, place }] of after.entries()) {
    expect(ciphertext.startsWith(ENCRYPTED_PREFIX)).toBe(true)
    const { ciphertext: first = '', place: firstPlace = place } = before[index] ?? {}
    expect([place, vault.decrypt(ciphertext, place)]).toEqual([firstPlace, vault.decrypt(first, firstPlace)])
  }
  for (const target of earlier) {
    expect(await reencryptColumn(service.database, vault, target)).toEqual({ reencrypted: 0, unreadable: 0 })
  }
})
