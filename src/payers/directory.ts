// The payer directory in the database: shared by all organizations, changed only by imports.
import type { Database, SystemDatabase } from '../platform/database/database.ts'
import type { DirectoryPayer } from './directory-payer.ts'
import { type ImportCounts, type PayerUpdate, planImport, type StoredPayer } from './plan-import.ts'

const payersStatement = { name: 'payers', text: `select to_json(payer)::text from payer order by stedi_id` }

/** Every payer of the table, by Stedi id. */
export async function readPayers(database: Database): Promise<StoredPayer[]> {
  const rows = await database.rows(payersStatement)
  return rows.map(([json = '{}']) => withoutNulls(JSON.parse(json)))
}

const versionStatement = { name: 'payer_directory_version', text: `select version from payer_directory` }

/** Changes after every import that modified the directory, in any process. */
export async function readDirectoryVersion(database: Database): Promise<string> {
  const row = await database.rowByKey(versionStatement, [])
  return row?.[0] ?? ''
}

/**
 * Adds and changes payers, all or none of them; with `replace`, payers that are not among them are removed. An existing payer changes only
 * in the fields that the update has. Waits for a concurrent import to end.
 */
export async function importPayers(
  database: SystemDatabase,
  updates: PayerUpdate[],
  options: { replace?: boolean } = {},
): Promise<ImportCounts> {
  return database.transaction(async (transaction) => {
    // An import locks this row, so that imports are planned one after the other; readers never wait.
    await transaction.rows('select version from payer_directory for update')
    const plan = planImport(await readPayers(transaction), updates, options)
    const gone = [...plan.removed, ...plan.written.map(({ stedi_id }) => stedi_id)]
    if (gone.length === 0) return plan.counts
    await transaction.rows('delete from payer where stedi_id = any($1)', [gone])
    await transaction.rows('insert into payer select * from jsonb_populate_recordset(null::payer, $1)', [
      JSON.stringify(plan.written),
    ])
    await transaction.rows('update payer_directory set version = version + 1')
    return plan.counts
  })
}

function withoutNulls(row: Record<string, unknown>): StoredPayer {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as StoredPayer
}

/** A payer in the form of the interface: only its columns, in the contract's order. Source: types.md, StediPayer. */
export function payerToWire(payer: DirectoryPayer): DirectoryPayer {
  return {
    stedi_id: payer.stedi_id,
    display_name: payer.display_name,
    primary_payer_id: payer.primary_payer_id,
    aliases: payer.aliases,
    names: payer.names,
    transaction_support: payer.transaction_support,
    employer_identification_numbers: payer.employer_identification_numbers,
    payer_enrollment: payer.payer_enrollment,
    parent_payer_group: payer.parent_payer_group,
    coverage_types: payer.coverage_types,
  }
}
