import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { showCoverage, showMrns, showPatient } from '../../platform/audit/audit-context.ts'
import type { TextRow } from '../../platform/database/database.ts'
import type { Filter } from '../../platform/http/filters.ts'
import type { Condition } from '../../records/conditions.ts'
import { aliases, changePath, lazyPaths, type Path, pathsOf } from '../../records/paths.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'
import { changeJoin, wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { appointment } from '../appointments/appointment.ts'
import { patient } from '../patients/patient.ts'
import { coverageJoins, coverageRoots, PATIENT_COVERAGES } from './filed-coverages.ts'
import { ListQuery } from './list.schema.ts'
import type { Asking, List } from './list.ts'
import {
  ASKED,
  alternativeMrns,
  alternativeMrnsText,
  byId,
  coverageBody,
  havingNextAppointment,
  isAlternative,
  type Joins,
  mergedJoin,
  nextAppointmentBody,
  nextAppointmentJoin,
  primaryMrnText,
} from './related-records.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now'>

export const PatientListQuery = Type.Object({
  ...ListQuery.properties,
  redirect_to_primary: Type.Optional(Type.Boolean()),
  hide_alternatives: Type.Optional(Type.Boolean()),
})
export type PatientListQuery = Static<typeof PatientListQuery>

const joins: Joins = {
  ...coverageJoins(PATIENT_COVERAGES),
  next_appointment: {
    sql: ({ now }) => nextAppointmentJoin(now()),
    having: ({ now }) => havingNextAppointment(now()),
  },
  merged: { sql: () => mergedJoin },
  patient_change: { sql: () => changeJoin('patient') },
}

const itemPaths = pathsOf({ record: patient, key: 'patient' }, ...coverageRoots(PATIENT_COVERAGES), {
  record: appointment,
  key: 'nextAppointment',
  table: 'next_appointment',
  isBody: true,
  isOptional: true,
})

const mergePaths: [string, Path][] = [
  ['primaryMrn', { root: 'merged', kind: 'text', sql: `(merged.body ->> 'primary_patient_mrn')`, type: 'text' }],
  [
    'alternativeMrns',
    { root: 'patient', kind: 'text', sql: 'each.value', type: 'text', elements: alternativeMrns, isList: true },
  ],
]

/** Our choice: `appointment.*` is the next appointment, as the client's examples mix it with `patient.*` (rules.md 12.1). */
const paths = lazyPaths(() => [
  ...itemPaths,
  ...mergePaths,
  ...aliases(itemPaths, 'nextAppointment', 'appointment'),
  ['patient.updatedAt', changePath('patient')],
])

/** Patients with their coverages, next appointment and merges. Source: rules.md 12.1. */
export const patientList: List<PatientListQuery> = {
  operation: 'lists.getPatientList',
  table: 'patient',
  paths,
  joins,
  defaultSort: 'patient.updatedAt',
  narrow: narrowPatients,
  hides: (query) => (query.hide_alternatives ? isAlternative : undefined),
  readItems: readPatientItems,
  sameUntil: nextStart,
}

async function narrowPatients(filters: Filter[], query: PatientListQuery, asking: Asking): Promise<Condition[]> {
  const redirected = query.redirect_to_primary ? filters.filter(isMrnEquality) : []
  const conditions = await asking.conditionsOf(filters.filter((filter) => !redirected.includes(filter)))
  for (const filter of redirected) conditions.push(await primaryOf(filter, asking))
  return conditions
}

function isMrnEquality({ path, operator }: Filter): boolean {
  return path === 'patient.mrn' && (operator === 'eq' || operator === 'ieq')
}

const askedPaths = pathsOf({ record: patient, key: 'patient', table: 'asked' })

/** The patients that those with this MRN are merged into, and those with this MRN who are not merged into another. */
async function primaryOf(filter: Filter, { conditionsOf }: Asking): Promise<Condition> {
  const [asked] = await conditionsOf([filter], askedPaths)
  return {
    root: 'patient',
    sql: `patient.mrn = any(array(
      select coalesce(merge.body ->> 'primary_patient_mrn', asked.mrn) from patient asked
      left join patient_merge merge on merge.organization_id = $1 and not merge.deactivated
        and merge.body ->> 'alternative_patient_mrn' = asked.mrn
      where asked.organization_id = $1 and ${asked?.sql}))`,
  }
}

/** When the first of the next appointments of a page starts, in milliseconds since 1970: its patient then has another one. */
function nextStart(page: string): number {
  let next = Number.POSITIVE_INFINITY
  // In the text of a field the quotation marks would be escaped.
  for (const [, start = ''] of page.matchAll(/"start_timestamp": ?"([^"]*)"/g)) next = Math.min(next, Date.parse(start))
  return next
}

const BODY_PARTS = [...PATIENT_COVERAGES, 'next_appointment']

/** $1 organization, $2 patients, $3 now. */
const itemsStatement = {
  maxBytes: CHUNK_BYTES,
  name: 'patient_list_items',
  text: `select ${PATIENT_COVERAGES.map((_, place) => coverageBody(place)).join(', ')},
      ${nextAppointmentBody('$3')}, ${primaryMrnText}, ${alternativeMrnsText}, ${wireColumns('patient')}
    from ${ASKED}
    ${byId('patient', 'asked.id')}
    order by asked.position`,
}

async function readPatientItems(deps: Needs, actor: Actor, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const values = [actor.organizationId, ids, deps.now().toISOString()]
  const rows = await deps.database.rows(itemsStatement, values)
  return rows.map((row) => patientItem(deps, actor, row))
}

function patientItem(deps: Needs, actor: Actor, row: TextRow): string {
  const parts = [...BODY_PARTS, 'primary_mrn', 'alternative_mrns']
  showPatient(actor, row[parts.length] ?? '')
  for (let place = 0; place < PATIENT_COVERAGES.length; place++) showCoverage(actor, row[place])
  for (let place = BODY_PARTS.length; place < parts.length; place++) showMrns(actor, row[place])
  const beside = parts.map((part, index) => (row[index] == null ? '' : `,"${part}":${row[index]}`)).join('')
  return `{"patient":${toWire(patient, row.slice(parts.length), deps.vault)}${beside}}`
}
