// The records shown beside a patient or an appointment in a list. The query of a page joins only the parts that it
// filters or sorts by; all other parts are read for the rows of the page.

/** Binds a value and returns its place in the SQL. */
export type Bind = (value: unknown, type: string) => string

/** The context that a join may depend on. */
export interface Moment {
  /** The placeholder of the current time in the SQL; the value is bound once, when a join first needs it. */
  now(): string
}

/** The parts of a list by the alias of their table, each listed after the part that it depends on. */
export type Joins = Readonly<Record<string, Join>>

interface Join {
  needs?: string
  /** Keeps every row of the list. */
  sql(moment: Moment): string
  /** Drops the rows without this part, and finds the other rows by the part where that is cheaper. */
  having?(moment: Moment): string
  /** Joins, as `sorted.value`, only the value of this part by which the list is ordered; keeps every row. */
  value?(sql: string): string
}

/**
 * Joins the requested parts and the parts that they depend on, except those that are joined already. `isNeeded` when
 * rows without such a part are not wanted.
 */
export function joinsOf(
  joins: Joins,
  asked: string[],
  { joined = [], isNeeded = false, ...moment }: Moment & { joined?: string[]; isNeeded?: boolean },
): { sql: string; roots: string[] } {
  const wanted = new Set(asked.flatMap((root) => [joins[root]?.needs, root]))
  const missing = Object.entries(joins).filter(([root]) => wanted.has(root) && !joined.includes(root))
  const sql = missing.map(([, join]) => ((isNeeded && join.having) || join.sql)(moment))
  return { sql: sql.join('\n'), roots: missing.map(([root]) => root) }
}

/**
 * The ids of a page, $2, in their order. The planner is not told how many there are: for fewer than it expects without knowing, a plan of their
 * own seems cheaper to it each time, and to make one takes longer than to run it. decisions/0143-what-a-page-costs.md
 */
export const ASKED = 'unnest((select $2::uuid[])) with ordinality as asked (id, position)'

/**
 * The record with this id. The limit keeps the planner from a join that reads the whole table, which it would choose for a table of
 * which it knows nothing. decisions/0084-lists-without-statistics.md
 */
export function byId(table: string, id: string): string {
  return `cross join lateral (select * from ${table} where organization_id = $1 and id = ${id} limit 1) ${table}`
}

/**
 * The coverage at a position of a patient's filing order, 0 for the primary one; the schema guarantees that its ids are
 * UUIDs.
 */
export function coverageJoin(alias: string, place: number): string {
  return `left join coverage ${alias} on ${alias}.organization_id = $1
      and ${alias}.id = (patient.body #>> '{filing_order,coverages,${place}}')::uuid`
}

/**
 * The value of the coverage at a position of the filing order, as `sorted.value`, looked up for each row. In a join PostgreSQL keeps the whole
 * bodies of patients and coverages in temporary files until the order is known. decisions/0212-sorting-by-a-coverage.md
 * @param patientId where the rows are not those of `patient`.
 */
export function sortedCoverage(alias: string, place: number, value: string, patientId?: string): string {
  const filed = `(patient.body #>> '{filing_order,coverages,${place}}')::uuid`
  const ofPatient = `select ${filed} as place from patient where patient.organization_id = $1 and patient.id = ${patientId} limit 1`
  return `${patientId === undefined ? '' : `cross join lateral (${ofPatient}) filed`}
    left join lateral (select ${value} as value from coverage ${alias}
      where ${alias}.organization_id = $1 and ${alias}.id = ${patientId === undefined ? filed : 'filed.place'} limit 1) sorted on true`
}

/**
 * The coverages at the first places of a patient's filing order, for the rows of a page, each looked up by its id. The ids are read from the
 * body first (`offset 0` keeps them together): otherwise the planner looks for earlier rows with the same body, and hashes it for each place.
 */
export function coveragesById(aliases: readonly string[]): string {
  const ids = aliases.map(
    (_, place) => `(patient.body #>> '{filing_order,coverages,${place}}')::uuid as place_${place}`,
  )
  const coverages = aliases.map(
    (alias, place) =>
      `left join lateral (select * from coverage where organization_id = $1 and id = filed.place_${place} limit 1) ${alias} on true`,
  )
  return [`cross join lateral (select ${ids.join(', ')} offset 0) filed`, ...coverages].join('\n    ')
}

/**
 * The body of the coverage at a place of the filing order. A subquery of the select list is looked up for each row: as a join PostgreSQL
 * would copy each body into a cache whose keys do not repeat. Most places of most patients are empty, and to begin a look-up that finds
 * nothing takes 1.5 µs.
 */
export function coverageBody(place: number): string {
  const id = `patient.body #>> '{filing_order,coverages,${place}}'`
  return `case when ${id} is not null then (select body from coverage where organization_id = $1 and id = (${id})::uuid) end`
}

/** A patient's earliest appointment at or after `now`. Source: rules.md 12.1. */
function nextAppointment(shown: string, now: string): string {
  return `select ${shown} from appointment a
      where a.organization_id = $1 and a.patient_id = patient.id
        and not a.deactivated and a.start_timestamp >= ${now}
      order by a.start_timestamp, a.id limit 1`
}

/** Joins it to `patient` as `next_appointment`, with nulls when there is none. `now` is an expression of SQL; $1 is the organization. */
export function nextAppointmentJoin(now: string): string {
  return `left join lateral (${nextAppointment('a.*', now)}) next_appointment on true`
}

/** Its body, in a select list. */
export const nextAppointmentBody = (now: string) => `(${nextAppointment('a.body', now)})`

/**
 * The same for patients who have one, found by the appointment; written in a form that the planner does not rewrite.
 */
export function havingNextAppointment(now: string): string {
  return `join appointment next_appointment on next_appointment.organization_id = $1
      and next_appointment.patient_id = patient.id and not next_appointment.deactivated
      and next_appointment.start_timestamp >= ${now}
      and (exists (
        select from appointment earlier
        where earlier.organization_id = $1
          and earlier.patient_id = next_appointment.patient_id and not earlier.deactivated and earlier.start_timestamp >= ${now}
          and (earlier.start_timestamp, earlier.id) < (next_appointment.start_timestamp, next_appointment.id)
      )) is false`
}

/** The merge in which a patient is the alternative; there is at most one. Source: rules.md 16. */
const ofAlternative = `merged.organization_id = $1
      and not merged.deactivated and merged.body ->> 'alternative_patient_mrn' = patient.mrn`
export const mergedJoin = `left join patient_merge merged on ${ofAlternative}`

/** True for a patient who is merged into another. */
export const isAlternative = `exists (
      select from patient_merge merge where merge.organization_id = $1
        and not merge.deactivated and merge.body ->> 'alternative_patient_mrn' = patient.mrn
    )`

/** The MRNs of the patients who are merged into a patient, each as jsonb text. */
export const alternativeMrns = `(
      select alternative.body -> 'alternative_patient_mrn' from patient_merge alternative
      where alternative.organization_id = $1 and not alternative.deactivated
        and alternative.body ->> 'primary_patient_mrn' = patient.mrn
    )`

/** Most organizations have no merges, and need not look for those of each patient. */
const hasMerges = '(select exists (select from patient_merge where organization_id = $1 and not deactivated))'

/** The MRN of the patient into whom a patient is merged, as JSON in a select list. */
export const primaryMrnText = `(select to_json(merged.body ->> 'primary_patient_mrn')::text from patient_merge merged
      where ${hasMerges} and ${ofAlternative})`

/** The MRNs of the patients who are merged into a patient, as JSON in a select list. */
export const alternativeMrnsText = `case when ${hasMerges}
      then array_to_json(array(select mrn from ${alternativeMrns} as alternative (mrn) order by mrn #>> '{}'))::text else '[]' end`
