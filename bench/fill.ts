// Millions of records, written like the record engine does: head, history and the change clock.
import type { Database } from '../src/platform/database/database.ts'
import { coverageBody, patientBody } from '../test/support/bodies.ts'
import { appointmentBody } from './bodies.ts'

interface Owner {
  organizationId: string
  userId: string
}

const CHUNK = 50_000
/** Fifty records share a millisecond, as after a bulk write. */
const RECORDS_A_MILLISECOND = 50

/** Ids are numbered, so that a run can address any record: `00000000-<type>-7000-8000-<number>`. */
export function idOf(type: RecordType, index: number): string {
  return `00000000-000${TYPES.indexOf(type)}-7000-8000-${index.toString(16).padStart(12, '0')}`
}

const TYPES = ['patient', 'coverage', 'appointment'] as const
export type RecordType = (typeof TYPES)[number]

/** Fills one organization with `count` records of each type. */
export async function fill(
  database: Database,
  owner: Owner,
  count: number,
  onProgress: (done: string) => void,
): Promise<void> {
  for (const type of TYPES) {
    for (let from = 0; from < count; from += CHUNK) {
      await insert(database, owner, type, from, Math.min(from + CHUNK, count))
      onProgress(`${type} ${Math.min(from + CHUNK, count)} of ${count}`)
    }
    await database.rows(
      `insert into change_clock (organization_id, record_type, at, total, live)
      select $1, $2, max(updated_at), count(*), count(*) from ${type} where organization_id = $1
      on conflict (organization_id, record_type) do update set
        at = excluded.at, total = excluded.total, live = excluded.live`,
      [owner.organizationId, type],
    )
  }
  for (const type of TYPES) await database.rows(`vacuum analyze ${type}, ${type}_history, record_change`)
}

async function insert(database: Database, owner: Owner, type: RecordType, from: number, to: number): Promise<void> {
  const columns = 'organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body'
  const id = (name: RecordType) => `('00000000-000${TYPES.indexOf(name)}-7000-8000-' || lpad(to_hex(n), 12, '0'))`
  const varied: Record<RecordType, string> = {
    patient: `jsonb_build_object('mrn', 'B' || n, 'birth_date', to_char(date '1930-01-01' + (n % 30000), 'YYYY-MM-DD'),
      'name', jsonb_build_object('family', 'Family' || (n % 5000), 'given', jsonb_build_array('Given' || (n % 300)), 'use', 'USUAL'))`,
    coverage: `jsonb_build_object('patient', ${id('patient')})`,
    appointment: `jsonb_build_object('patient_id', ${id('patient')},
      'start_timestamp', to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  }
  const bodies = { patient: patientBody(), coverage: coverageBody(''), appointment: appointmentBody('') }
  await database.transaction(async (transaction) => {
    await transaction.rows('set local statement_timeout = 0')
    await transaction.rows(
      `with head as (
        insert into ${type} (${columns})
        select $1, ${id(type)}::uuid, 1, false, at, $2, at, $3::jsonb || ${varied[type]}
        from generate_series($4::int, $5::int - 1) n,
          lateral (select timestamptz '2026-01-01' + n / ${RECORDS_A_MILLISECOND} * interval '1 millisecond' as at) stamp
        returning ${columns}
      ), changed as (
        insert into record_change (organization_id, record_type, id, at, version)
        select organization_id, '${type}', id, updated_at, version from head
      )
      insert into ${type}_history (${columns}) select ${columns} from head`,
      [owner.organizationId, owner.userId, JSON.stringify(bodies[type]), from, to],
    )
  })
}
