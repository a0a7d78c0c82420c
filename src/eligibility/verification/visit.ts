// The data of an appointment that a verification needs: the appointment, its patient, and the relevant coverages.

import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import type { MutableAppointment } from '../../resources/appointments/appointment.schema.ts'
import type { MutableCoverage } from '../../resources/coverages/coverage.schema.ts'
import type { MutablePatient } from '../../resources/patients/patient.schema.ts'

type Needs = Pick<Deps, 'database' | 'now'>

export interface FiledCoverage {
  id: string
  body: MutableCoverage
}

export interface Visit {
  organizationId: string
  appointmentId: string
  version: number
  /** The versions of everything else that the inquiries are based on (`otherVersionsOf`). */
  otherVersions: string
  isDeactivated: boolean
  /** True while the appointment has the status, reason and work queue of its decision: a user may have changed anything else. */
  isAsDecided: boolean
  body: MutableAppointment
  /** YYYY-MM-DD, in the organization's calendar. */
  dateOfService: string
  patient: MutablePatient
  /** The primary coverage and the secondary one, as many as there are. */
  coverages: FiledCoverage[]
  hasEarlierVisit: boolean
  /** X12 1365 codes of the visit's services, from the organization's table; empty for an office visit. */
  serviceTypeCodes: string[]
  /** The NPI of the inquiry; undefined when neither the appointment's doctor nor the organization has one. */
  npi: string | undefined
}

export const MISSING_NPI = "no NPI: neither the appointment's attending_doctor nor the organization has one"

/** The coverages to check: the primary and the secondary one. Source: rules.md 17. */
const PLACES = 2

/**
 * What the inquiries about the visit `a` are based on besides the appointment itself: the version of its patient `p` and of each filed coverage,
 * and the settings of its organization `o`, whose id is `organizationId`. A lateral join; the text is `others.versions`.
 */
export const otherVersionsOf = (organizationId: 'o.id' | '$1') => `cross join lateral (
      select concat_ws(' ', p.version, coalesce(o.npi, '-'), o.time_zone, o.visit_services,
        string_agg(concat(c.id, '.', c.version), ' ' order by filed.place)) as versions
      from jsonb_array_elements_text(p.body #> '{filing_order,coverages}') with ordinality as filed (id, place)
        join coverage c on c.organization_id = ${organizationId} and c.id = filed.id::uuid
    ) others`

/** The versions of everything that a decision is based on, with the appointment in this version. */
export interface Basis {
  version: number
  otherVersions: string
}

/** As it is stored with the decision. */
export const basisText = ({ version, otherVersions }: Basis) => `${version} ${otherVersions}`

/** The fields of an appointment that say how ready it is: a user who changes one of them has taken over from the verification. */
export const READINESS_FIELDS = ['status', 'not_ready_reason', 'ready_source', 'work_queue'] as const
const decidedOf = (alias: string) => `(${READINESS_FIELDS.map((field) => `${alias}.body ->> '${field}'`).join(', ')})`

/**
 * The condition that the appointment `a` has the status, reason and work queue of the version that its verification `v` wrote; a user who
 * changes one of them has taken over, and one who writes a note has not. `organizationId` is the id of the organization.
 */
export const isAsDecided = (organizationId: 'o.id' | '$1') => `(a.version = v.written_version or exists (
      select 1 from appointment_history decided
      where decided.organization_id = ${organizationId} and decided.id = a.id and decided.version = v.written_version
        and ${decidedOf('decided')} is not distinct from ${decidedOf('a')}
    ))`

const visitStatement = {
  name: 'verification_visit',
  text: `select a.version, a.deactivated, coalesce(${isAsDecided('$1')}, false), a.body::text, p.body::text, o.npi,
      (a.start_timestamp::timestamptz at time zone o.time_zone)::date,
      exists (
        select from appointment earlier where earlier.organization_id = $1 and earlier.patient_id = a.patient_id
          and earlier.start_timestamp < a.start_timestamp and not earlier.deactivated
      ), o.visit_services::text, others.versions
    from appointment a
      join patient p on p.organization_id = $1 and p.id = a.patient_id
      join organization o on o.id = a.organization_id
      left join appointment_verification v on v.organization_id = $1 and v.appointment_id = a.id
      ${otherVersionsOf('$1')}
    where a.organization_id = $1 and a.id = $2`,
}

/**
 * Coverages that are cancelled, drafts, entered in error, missing or of another patient do not count, and the next one moves up: the filing order consists of
 * active coverages. Source: rules.md 6.
 */
const coveragesStatement = {
  name: 'verification_coverages',
  text: `select c.id, c.body::text
    from jsonb_array_elements_text($2::jsonb) with ordinality as filed (id, place)
      join coverage c on c.organization_id = $1 and c.id = filed.id::uuid
    where not c.deactivated and c.body ->> 'status' = 'ACTIVE' and c.patient = $3
    order by filed.place limit ${PLACES}`,
}

/** The current appointment with its related data; undefined when there is none. */
export async function readVisit(
  deps: Needs,
  organizationId: string,
  appointmentId: string,
): Promise<Visit | undefined> {
  const row = await deps.database.row(visitStatement, [organizationId, appointmentId])
  if (!row) return undefined
  const [
    version,
    deactivated,
    asDecided,
    bodyText = '',
    patientText = '',
    organizationNpi,
    dateOfService = '',
    hasEarlier,
    services = '{}',
    otherVersions = '',
  ] = row
  const body = JSON.parse(bodyText) as MutableAppointment
  const patient = JSON.parse(patientText) as MutablePatient
  const filed = JSON.stringify(patient.filing_order.coverages)
  const coverages = await deps.database.rows(coveragesStatement, [organizationId, filed, body.patient_id])
  return {
    organizationId,
    appointmentId,
    version: Number(version),
    otherVersions,
    isDeactivated: deactivated === 't',
    isAsDecided: asDecided === 't',
    body,
    dateOfService,
    patient,
    coverages: coverages.map(([id = '', text = '']) => ({ id, body: JSON.parse(text) as MutableCoverage })),
    hasEarlierVisit: hasEarlier === 't',
    serviceTypeCodes: serviceTypesOf(body, JSON.parse(services as string) as VisitServices),
    npi: body.attending_doctor?.npi || organizationNpi || undefined,
  }
}

/** By universal_service_identifier. */
type VisitServices = Record<string, string[] | undefined>

function serviceTypesOf({ services }: MutableAppointment, table: VisitServices): string[] {
  const codes = services.flatMap(({ universal_service_identifier: name }) => {
    return name === undefined || !Object.hasOwn(table, name) ? [] : (table[name] ?? [])
  })
  return [...new Set(codes)]
}

/** The appointment without the copay that an earlier answer gave it, in cents; another one is a user's and stays. */
export function withoutEstimate(
  { estimated_copay_cents: copay, ...rest }: MutableAppointment,
  estimateCents: number | undefined,
): MutableAppointment {
  return copay === undefined || copay === estimateCents ? rest : { ...rest, estimated_copay_cents: copay }
}

/** Hours until the visit; negative when it has begun. */
export function hoursToVisit(deps: Pick<Deps, 'now'>, startTimestamp: string): number {
  return (Date.parse(startTimestamp) - deps.now().getTime()) / 3_600_000
}

/** The user that writes verification results. Source: rules.md 17. */
export function systemActor(organizationId: string): Actor {
  return { organizationId, userId: systemUser.id, clientId: systemUser.id }
}
