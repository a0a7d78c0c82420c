// The coverages shown beside a patient or an appointment, which are the first ones of the patient's filing order.
import { type PathRoot, toCamelCase } from '../../records/paths.ts'
import { coverage } from '../coverages/coverage.ts'
import { coverageJoin, type Joins, sortedCoverage } from './related-records.ts'

/** Beside a patient: the keys on the wire, which are the aliases in SQL as well, in filing order. Source: rules.md 12.1. */
export const PATIENT_COVERAGES = ['primary_coverage', 'secondary_coverage', 'tertiary_coverage'] as const

/** Beside an appointment or a visit. Source: rules.md 11.3, 12.2. */
export const VISIT_COVERAGES = ['primary_coverage', 'secondary_coverage'] as const

/** Joins them to `patient`, which the part `patient` joins by this id where the list is not one of patients. */
export function coverageJoins(aliases: readonly string[], patientId?: string): Joins {
  return Object.fromEntries(
    aliases.map((alias, place) => [
      alias,
      {
        ...(patientId !== undefined && { needs: 'patient' }),
        sql: () => coverageJoin(alias, place),
        value: (sql: string) => sortedCoverage(alias, place, sql, patientId),
      },
    ]),
  )
}

/** Their paths: `primaryCoverage.status`. */
export function coverageRoots(aliases: readonly string[]): PathRoot[] {
  return aliases.map((table) => ({ record: coverage, key: toCamelCase(table), table, isBody: true, isOptional: true }))
}
