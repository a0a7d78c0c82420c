// What stands beside a patient or an appointment in a list. A page's query joins the parts that it filters or sorts by, and only
// those; all others are read for the page that was found.

/** Binds a value and returns its place in the SQL. */
export type Bind = (value: unknown, type: string) => string

/** What a join may depend on. */
export interface Moment {
  /** The place of the present moment in the SQL; bound where a join asks for it, once. */
  now(): string
}

/** The parts of a list by the alias of their table, each after the part that it needs. */
export type Joins = Readonly<Record<string, Join>>

interface Join {
  needs?: string
  /** Leaves out no row of the list. */
  sql(moment: Moment): string
  /** Leaves out the rows that have no such part, and finds the others by the part where that is less work. */
  having?(moment: Moment): string
}

/**
 * Joins the parts that are asked for and those that they need, but for those that are joined already. `isNeeded` where a row
 * without such a part is not wanted.
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

/** The coverage at a place of a patient's filing order, 0 for the primary one; ids in it are UUIDs by its schema. */
export function coverageJoin(alias: string, place: number): string {
  return `left join coverage ${alias} on ${alias}.organization_id = patient.organization_id
      and ${alias}.id = (patient.body #>> '{filing_order,coverages,${place}}')::uuid`
}

/** A patient's earliest appointment from `now` on. Source: rules.md 12.1. */
export function nextAppointmentJoin(now: string): string {
  return `left join lateral (
      select a.* from appointment a
      where a.organization_id = patient.organization_id and a.patient_id = patient.id
        and not a.deactivated and a.start_timestamp >= ${now}
      order by a.start_timestamp, a.id limit 1
    ) next_appointment on true`
}

/** The same for patients who have one, found by the appointment; asked in a form that the planner leaves as it is. */
export function havingNextAppointment(now: string): string {
  return `join appointment next_appointment on next_appointment.organization_id = patient.organization_id
      and next_appointment.patient_id = patient.id and not next_appointment.deactivated
      and next_appointment.start_timestamp >= ${now}
      and (exists (
        select from appointment earlier
        where earlier.organization_id = next_appointment.organization_id
          and earlier.patient_id = next_appointment.patient_id and not earlier.deactivated and earlier.start_timestamp >= ${now}
          and (earlier.start_timestamp, earlier.id) < (next_appointment.start_timestamp, next_appointment.id)
      )) is false`
}

/** The merge by which a patient is an alternative; there is one at most. Source: rules.md 16. */
export const mergedJoin = `left join patient_merge merged on merged.organization_id = patient.organization_id
      and not merged.deactivated and merged.body ->> 'alternative_patient_mrn' = patient.mrn`

/** True of a patient who is merged into another. */
export const isAlternative = `exists (
      select from patient_merge merge where merge.organization_id = patient.organization_id
        and not merge.deactivated and merge.body ->> 'alternative_patient_mrn' = patient.mrn
    )`

/** The MRNs of those who are merged into a patient, a jsonb text each. */
export const alternativeMrns = `(
      select alternative.body -> 'alternative_patient_mrn' from patient_merge alternative
      where alternative.organization_id = patient.organization_id and not alternative.deactivated
        and alternative.body ->> 'primary_patient_mrn' = patient.mrn
    )`
