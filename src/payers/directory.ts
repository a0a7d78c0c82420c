// The payer directory in the database: one for all organizations, written as a whole by an import.
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

/** Another one after every import that changed something, whichever process made it. */
export async function readDirectoryVersion(database: Database): Promise<string> {
  const row = await database.rowByKey(versionStatement, [])
  return row?.[0] ?? ''
}

/**
 * Adds and changes payers, all or none of them; with `replace` those that are not among them go. What is there already is
 * changed in the fields that the update has. Waits for another import to end.
 */
export async function importPayers(
  database: SystemDatabase,
  updates: PayerUpdate[],
  options: { replace?: boolean } = {},
): Promise<ImportCounts> {
  return database.transaction(async (transaction) => {
    // Whoever imports holds this row: plans are made one after the other, and readers never wait.
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

/** A payer as the interface shows it: the columns that are part of it, in the contract's order. Source: types.md, StediPayer. */
export function payerToWire(payer: DirectoryPayer): DirectoryPayer {
  const { stedi_id, display_name, primary_payer_id, aliases, names, transaction_support } = payer
  const { employer_identification_numbers, payer_enrollment, parent_payer_group, coverage_types } = payer
  return {
    ...{ stedi_id, display_name, primary_payer_id, aliases, names, transaction_support },
    ...{ employer_identification_numbers, payer_enrollment, parent_payer_group, coverage_types },
  }
}
