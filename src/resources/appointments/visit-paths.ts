// The paths that visits can be filtered and sorted by. Filters apply to appointments before they are grouped; sorts
// compare the groups. Source: rules.md 2.2, 11.3.
import type { Static } from 'typebox'
import { badRequest } from '../../contract/errors.ts'
import type { Filter } from '../../platform/http/filters.ts'
import { lazyPaths, type Path, type Paths, pathsOf, toCamelCase } from '../../records/paths.ts'
import { coverage } from '../coverages/coverage.ts'
import { coverageRoots, VISIT_COVERAGES } from '../lists/filed-coverages.ts'
import { patient } from '../patients/patient.ts'
import { appointment } from './appointment.ts'
import type { Visit } from './visit.schema.ts'

interface CoverageKey {
  /** The key of a visit on the wire. */
  wire: string
  path: string
  readonly field: Path
}

type Place = 'primary' | 'secondary'
type NameOf<Key> = Key extends `${Place}_${infer Name}` ? Name : never
/** The keys of `Visit` that both coverages have, without `primary_` and `secondary_`. */
type ShownName = NameOf<keyof Static<typeof Visit>>

/** The field of a coverage that each of these keys shows. */
const SHOWN: Readonly<Record<ShownName, string>> = {
  coverage_status: 'status',
  payer_name: 'insurancePlan.payerName',
  payer_plan_group_id: 'insurancePlan.payerPlanGroupId',
}

/** The keys of a visit that are taken from the patient's first and second coverage. */
export const coverageKeys: readonly CoverageKey[] = VISIT_COVERAGES.flatMap((table) => {
  const place: Place = table === 'primary_coverage' ? 'primary' : 'secondary'
  const paths = pathsOf({ record: coverage, table, isBody: true, isOptional: true })
  return Object.entries(SHOWN).map(([name, path]) => ({
    wire: `${place}_${name}`,
    path: toCamelCase(`${place}_${name}`),
    get field() {
      return pathIn(paths, path)
    },
  }))
})

const appointmentPaths = pathsOf({ record: appointment, key: 'appointment' })
const patientPaths = pathsOf({ record: patient, key: 'patient' })
const coveragePaths = pathsOf(...coverageRoots(VISIT_COVERAGES))
const joinedPaths = lazyPaths(() => [
  ...patientPaths,
  ...coveragePaths,
  ...coverageKeys.map(({ path, field }) => [path, field] as const),
])

/** The start of an appointment or of a visit. `start_time` is the interface's only path with an underscore. */
export const START_PATHS = ['appointment.startTimestamp', 'appointment.start_time', 'startTime']

const PATIENT_PATHS = ['patient.id', 'appointment.patientId', 'patientId']

/**
 * The paths of filters. Our choice: a visit's own keys filter its appointments too, like every filter before the
 * grouping.
 */
export const filterPaths = lazyPaths(() => [
  ...appointmentPaths,
  ...joinedPaths,
  ...START_PATHS.map((path) => [path, pathIn(appointmentPaths, 'appointment.startTimestamp')] as const),
  ['status', pathIn(appointmentPaths, 'appointment.status')],
  // The appointment has this column itself, so no other table is joined for it.
  ...PATIENT_PATHS.map((path) => [path, pathIn(appointmentPaths, 'appointment.patientId')] as const),
  ['organizationId', pathIn(appointmentPaths, 'appointment.organizationId')],
])

/** The paths of sorts, over rows of `visit`. */
export const sortPaths = lazyPaths(() => [
  ...START_PATHS.map((path) => [path, ofVisit('start_time', 'instant', 'text')] as const),
  ...joinedPaths,
  ['status', ofVisit('status', 'enum', 'text')],
  ...PATIENT_PATHS.map((path) => [path, ofVisit('patient_id', 'uuid', 'uuid')] as const),
  ['organizationId', ofVisit('organization_id', 'uuid', 'uuid')],
])

/**
 * Every visit belongs to a day, so a list of visits must be filtered by date. @throws BadRequestError when no filter
 * does so. Source: rules.md 11.3.
 */
export function requireDate(filters: Filter[]): void {
  const isBound = filters.some(({ path, operator }) => START_PATHS.includes(path) && /^(gt|lt|eq)$/.test(operator))
  if (!isBound) throw badRequest('filters must include a date: appointment.startTimestamp with gt, lt or eq')
}

function ofVisit(column: string, kind: Path['kind'], type: Path['type']): Path {
  return { root: 'visit', kind, sql: `visit.${column}`, type, isAlwaysSet: true }
}

function pathIn(paths: Paths, name: string): Path {
  const path = paths.get(name)
  if (!path) throw new Error(`a visit shows ${name}, which is not a path`)
  return path
}
