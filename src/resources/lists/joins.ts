// What stands beside a patient or an appointment in a list. A page's query joins the parts that it filters or sorts by, and only
// those; all others are read for the page that was found.

/** Binds a value and returns its place in the SQL. */
export type Bind = (value: unknown, type: string) => string

/** What a join may depend on. */
interface Moment {
  bind: Bind
  now: Date
}

/** The parts of a list by the alias of their table, each after the part that it needs. */
export type Joins = Readonly<Record<string, { needs?: string; sql(moment: Moment): string }>>

/** Joins the parts that are asked for and those that they need, but for those that are joined already. */
export function joinsOf(
  joins: Joins,
  asked: string[],
  { joined = [], ...moment }: Moment & { joined?: string[] },
): { sql: string; roots: string[] } {
  const wanted = new Set(asked.flatMap((root) => [joins[root]?.needs, root]))
  const missing = Object.entries(joins).filter(([root]) => wanted.has(root) && !joined.includes(root))
  return { sql: missing.map(([, join]) => join.sql(moment)).join('\n'), roots: missing.map(([root]) => root) }
}

/** The coverage at a place of a patient's filing order, 0 for the primary one; ids in it are UUIDs by its schema. */
export function coverageJoin(alias: string, place: number): string {
  return `left join coverage ${alias} on ${alias}.organization_id = patient.organization_id
      and ${alias}.id = (patient.body #>> '{filing_order,coverages,${place}}')::uuid`
}

/** A patient's earliest appointment from `now` on. Source: rules.md 12.1. */
export function nextAppointmentJoin(now: string): string {
  return `left join lateral (
      select a.body from appointment a
      where a.organization_id = patient.organization_id and a.body ->> 'patient_id' = patient.id::text
        and not a.deactivated and (a.body ->> 'start_timestamp') collate "C" >= ${now}
      order by (a.body ->> 'start_timestamp') collate "C", a.id limit 1
    ) next_appointment on true`
}

/** The merge by which a patient is an alternative; there is one at most. Source: rules.md 16. */
export const mergedJoin = `left join patient_merge merged on merged.organization_id = patient.organization_id
      and not merged.deactivated and merged.body ->> 'alternative_patient_mrn' = patient.body ->> 'mrn'`

/** True of a patient who is merged into another. */
export const isAlternative = `exists (
      select from patient_merge merge where merge.organization_id = patient.organization_id
        and not merge.deactivated and merge.body ->> 'alternative_patient_mrn' = patient.body ->> 'mrn'
    )`

/** The MRNs of those who are merged into a patient, a jsonb text each. */
export const alternativeMrns = `(
      select alternative.body -> 'alternative_patient_mrn' from patient_merge alternative
      where alternative.organization_id = patient.organization_id and not alternative.deactivated
        and alternative.body ->> 'primary_patient_mrn' = patient.body ->> 'mrn'
    )`
