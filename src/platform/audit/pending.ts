// Stores the audit event of a write in the same statement as the write: neither can be committed without the other.
import type { Database } from '../database/database.ts'
import { AS_ROWS } from '../database/instant.ts'
import { auditContextText, markAudited, type Writer } from './audit-context.ts'
import { type AuditedRecord, onePatientARow, patientsOf } from './audited-record.ts'
import { PATIENTS_A_BLOCK } from './block.ts'

const PENDING_COLUMNS = 'organization_id, act, record_type, record_ids, version, patient_ids'

/**
 * One event per record that `head` has just written; `auditContext` is the text of `auditContextText`: a parameter, or
 * SQL over `from`.
 */
export function eventOfRecord(record: AuditedRecord, auditContext: string, from = 'head'): string {
  return `audited as (
      insert into audit_pending (${PENDING_COLUMNS})
      select head.organization_id, ${auditContext}::text, '${record.name}', array[head.id::text], head.version, ${patientsOf(record, 'head')}
      from ${from} ${AS_ROWS}
    )`
}

/**
 * One event per thousand of the records that `written` lists with `organization_id`, `id` and `body`, with the patients
 * of those records; none when it lists no record.
 */
export function eventOfMany(record: AuditedRecord, written: string, auditContext: string): string {
  const { patient, join } = onePatientARow(record, 'head')
  return `audited as (
      insert into audit_pending (${PENDING_COLUMNS})
      select $1::uuid, ${auditContext}::text, '${record.name}', array_agg(${join && 'distinct '}head.id::text), null,
        ${patient === undefined ? `'{}'::text[]` : `array_agg(distinct ${patient})`}
      from (select *, (row_number() over (order by id) - 1) / ${PATIENTS_A_BLOCK} as page from ${written}) head ${join} group by page ${AS_ROWS}
    )`
}

/** The event of a write outside the record engine: SQL for its ids (an array of texts), over `from` where needed. */
export function eventOf(write: {
  type: string
  auditContext: string
  ids: string
  patients?: string
  from?: string
}): string {
  const { type, auditContext, ids, patients = `'{}'`, from } = write
  return `audited as (
      insert into audit_pending (${PENDING_COLUMNS})
      select $1::uuid, ${auditContext}::text, '${type}', ${ids}, null, ${patients} ${from ? `from ${from}` : ''} ${AS_ROWS}
    )`
}

const insertStatement = {
  name: 'audit_pending_create',
  text: `insert into audit_pending (${PENDING_COLUMNS}) values ($1, $2, $3, $4, null, $5)`,
}

/** Stores a single event; `database` is the transaction of the change. */
export async function insertEvent(
  database: Pick<Database, 'rows'>,
  event: {
    organizationId: string
    auditContext: string
    type: string
    ids: string[]
    patientIds?: string[] | undefined
  },
): Promise<void> {
  const { organizationId, auditContext, type, ids, patientIds = [] } = event
  await database.rows(insertStatement, [organizationId, auditContext, type, ids, patientIds])
}

/** Stores the event of a write that takes several statements; `database` is their transaction. */
export async function recordWrite(
  database: Pick<Database, 'rows'>,
  writer: Writer,
  write: { name: string; type: string; ids: string[]; patientIds?: string[] },
): Promise<void> {
  const { name, ...written } = write
  await insertEvent(database, {
    ...written,
    organizationId: writer.organizationId,
    auditContext: auditContextText(writer, name),
  })
  markAudited(writer)
}
