// Re-encrypts values with the current key, in batches and beside concurrent writers. A value that changes meanwhile is
// skipped, because its writer encrypts with the current key. Re-encrypted values are not read again, so the work may be
// interrupted at any time.

import { WireError } from '../../contract/errors.ts'
import { NIL_UUID } from '../../contract/formats.ts'
import { ENCRYPTED_PREFIX, UNBOUND_PREFIX, type Vault } from '../crypto/encryption.ts'
import type { Database, Statement } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import type { EncryptedStorage } from '../storage/encrypted-files.ts'
import { type EncryptedColumn, placeOf } from './encrypted-columns.ts'

export interface ReencryptCounts {
  reencrypted: number
  /** The number of values that are encrypted with an unknown key, or were altered. */
  unreadable: number
}

const ROWS_AT_A_TIME = 500
const FILES_AT_A_TIME = 200

/**
 * Walks the table by its primary key and re-encrypts values that use another key or are not yet bound to their place.
 */
export async function reencryptColumn(
  database: Database,
  vault: Vault,
  target: EncryptedColumn,
): Promise<ReencryptCounts> {
  const counts: ReencryptCounts = { reencrypted: 0, unreadable: 0 }
  const keys = Object.keys(target.key)
  const update = updateStatement(target)
  let last: string[] | undefined
  for (;;) {
    const values = [`${ENCRYPTED_PREFIX}${vault.keyId}:`, ...(last ?? [])]
    const rows = await database.rows(pageStatement(target, last !== undefined), values)
    const changes: Record<string, string>[] = []
    for (const row of rows) {
      const encrypted = row.at(-1) as string | null
      if (encrypted === null) continue
      const key = named(keys, row)
      const place = placeOf(target, key)
      const opened = vault.tryDecrypt(encrypted, place)
      if (opened === undefined) counts.unreadable += 1
      else changes.push({ ...key, before: encrypted, after: vault.encrypt(opened, place) })
    }
    if (changes.length > 0) counts.reencrypted += (await database.rows(update, [JSON.stringify(changes)])).length
    if (rows.length < ROWS_AT_A_TIME) return counts
    last = rows.at(-1)?.slice(0, keys.length)
  }
}

/**
 * Re-encrypts the file of every image that uses another key, or is not encrypted.
 * @throws StartupError at the first file that the storage cannot read or take at the moment: it may be readable.
 */
export async function reencryptImages(database: Database, storage: EncryptedStorage): Promise<ReencryptCounts> {
  const counts: ReencryptCounts = { reencrypted: 0, unreadable: 0 }
  let last = [NIL_UUID, NIL_UUID]
  for (;;) {
    const rows = await database.rows(imagesStatement, last)
    for (const [organizationId, uploadId, sizeBytes, sha256] of rows) {
      const upload = { sizeBytes: Number(sizeBytes), sha256: sha256 ?? undefined }
      try {
        if (await storage.reencrypt(`${organizationId}/${uploadId}`, upload)) counts.reencrypted += 1
      } catch (error) {
        if (error instanceof WireError) throw storageFault(error)
        counts.unreadable += 1
      }
    }
    if (rows.length < FILES_AT_A_TIME) return counts
    last = rows.at(-1)?.slice(0, 2) as string[]
  }
}

function storageFault(error: WireError): StartupError {
  const reason = error.cause instanceof Error ? error.cause.message : error.message
  return new StartupError(
    `an image could not be encrypted (${reason}), so no key was dropped: run this command again`,
    {
      cause: error,
    },
  )
}

const imagesStatement: Statement = {
  name: 'image_content_walk',
  text: `select organization_id, upload_id, size_bytes, encode(sha256, 'hex') from image_content where (organization_id, upload_id) > ($1, $2)
    order by organization_id, upload_id limit ${FILES_AT_A_TIME}`,
}

/** A page of the table in key order, with the values that do not start with $1. */
function pageStatement({ table, column, field, key }: EncryptedColumn, isContinued: boolean): string {
  const keys = Object.keys(key).join(', ')
  const value = field === undefined ? column : `${column} ->> '${field}'`
  const types = Object.values(key)
  const after = isContinued
    ? `where (${keys}) > (${types.map((type, index) => `$${index + 2}::${type}`).join(', ')})`
    : ''
  return `select ${keys}, case when value ~ '^(${ENCRYPTED_PREFIX}|${UNBOUND_PREFIX})' and not starts_with(value, $1) then value end
    from (select ${keys}, ${value} as value from ${table} ${after} order by ${keys} limit ${ROWS_AT_A_TIME}) page
    order by ${keys}`
}

/**
 * Replaces the values that are unchanged since they were read. Rows are locked in key order, like everywhere
 * (decisions/0021-lock-order.md).
 */
function updateStatement({ table, column, field, key }: EncryptedColumn): string {
  const value = field === undefined ? `t.${column}` : `t.${column} ->> '${field}'`
  const encrypted = field === undefined ? 'held.after' : `jsonb_set(t.${column}, '{${field}}', to_jsonb(held.after))`
  const columns = Object.entries(key).map(([name, type]) => `${name} ${type}`)
  const keys = Object.keys(key).map((name) => `t.${name}`)
  const isSameAs = (other: string) => Object.keys(key).map((name) => `t.${name} = ${other}.${name}`)
  return `with held as materialized (
      select ${keys.join(', ')}, r.after from ${table} t
        join jsonb_to_recordset($1::jsonb) as r(${columns.join(', ')}, before text, after text)
          on ${isSameAs('r').join(' and ')} and ${value} = r.before
      order by ${keys.join(', ')} for update of t
    )
    update ${table} t set ${column} = ${encrypted} from held where ${isSameAs('held').join(' and ')} returning 1`
}

const named = (keys: string[], row: string[]) => Object.fromEntries(keys.map((key, index) => [key, row[index] ?? '']))
