// The rows by which a payer states that a requested service is not covered: not covered, excluded, ended, exhausted, restricted to another
// provider, or not processed. Source: rules.md 17; 005010X279A1 2110C EB01.

import { isActiveRow, isInactiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import {
  CANNOT_PROCESS,
  CONTACT_ENTITY,
  EXCLUSIONS,
  LIMITATIONS,
  MANAGED_CARE_COORDINATOR,
  NON_COVERED,
  RESTRICTED_TO_PROVIDER,
} from '../../../x12/codes/benefits.ts'
import { MANAGED_CARE_ORGANIZATION, PREFERRED_PROVIDERS } from '../../../x12/codes/entities.ts'
import { NPI } from '../../../x12/codes/identification.ts'
import {
  DENTAL_CARE,
  MENTAL_HEALTH,
  OFFICE_VISIT,
  PHARMACY,
  PHYSICIAN,
  VISION,
} from '../../../x12/codes/service-types.ts'
import { COVERAGE_DATES } from '../../../x12/coverage-dates.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { anySaysProviderIsOut } from '../benefits/gather-notes.ts'
import { OFFICE, restrictsRow } from '../benefits/row-labels.ts'
import { networkNamed } from '../benefits/stated-network.ts'
import { sentencesOfAll } from '../payer-text.ts'
import { organizationKey } from '../people/organization-names.ts'
import { CARVED_OUT, EXCLUDED, WHOLE_LIMIT } from '../words/figures/figures.ts'
import { VISITS_EXCLUDED } from '../words/figures/kinds-of-visits.ts'
import { NOTHING_OUTSIDE, OUT_OF_NETWORK } from '../words/figures/networks.ts'
import { type Phrases, states } from '../words/phrase-group.ts'
import { isLimitedByName } from './coverage-names.ts'
import { isExhausted } from './exhausted-limits.ts'
import { explainOutOfForce } from './in-force.ts'
import { isForLater, isForOtherAges, limitsReached } from './limits-reached.ts'
import { planNameOf } from './plan-rows.ts'

interface Inquired {
  /** X12 1365. */
  services: readonly string[]
  /** Of the provider of the visit. */
  providerNpi: string | undefined
  /** YYYY-MM-DD. */
  day: string
  /** The keys of the names of the inquired payer. */
  payer: readonly string[]
  /** True for a Medicaid program by its name. */
  isMedicaid: boolean
  /** Of the patient on the day; undefined without a birth date. */
  age: number | undefined
}

/** X12 1365 codes of an office visit for a service: a sick visit; psychiatric care, or mental health care as an outpatient. */
const OFFICE_PARTS: Readonly<Record<string, readonly string[]>> = {
  [OFFICE_VISIT]: ['BY'],
  [MENTAL_HEALTH]: ['A8', 'CF'],
}

/** X12 1365 codes of which others are a part. */
const WHOLES: readonly (readonly [whole: string, parts: readonly string[]])[] = (
  [
    ['1', '96 98 A0 BY BZ'],
    [DENTAL_CARE, '23 24 25 26 27 28 36 38 39 40 41'],
    ['69', 'BU'],
    [PHYSICIAN, OFFICE_VISIT],
    [PHARMACY, '89 90 91 92'],
    [OFFICE_VISIT, 'BY BZ'],
    ['AI', 'AJ AK CI CJ'],
    [VISION, 'AM AN AO CP'],
    [MENTAL_HEALTH, 'A4 A6 A7 A8 BB BC CE CF CG CH RT'],
  ] as const
).map(([whole, parts]) => [whole, parts.split(' ')])

/** The requested services, what each of them consists of in an office, and what it is a part of, if no row states that service itself. */
function refusable(services: readonly string[], rows: readonly BenefitRow[]): string[] {
  return services.flatMap((service) => {
    const wholes = WHOLES.filter(([, parts]) => parts.includes(service)).map(([whole]) => whole)
    const isStated = wholes.length > 0 && rows.some((row) => row.serviceTypeCodes.includes(service))
    return [service, ...(OFFICE_PARTS[service] ?? []), ...(isStated ? [] : wholes)]
  })
}

/** The rows against the requested services that are in force on the day. */
export function findUncoveredRows(
  rows: readonly BenefitRow[],
  { services, providerNpi, day, payer, isMedicaid, age }: Inquired,
): BenefitRow[] {
  const activeRows = rows.filter(isActiveRow)
  const active = new Set(
    activeRows.filter(({ networkIndicator }) => networkIndicator !== 'N').flatMap((row) => row.serviceTypeCodes),
  )
  const plans = new Set(activeRows.filter(isPlanRow).map(planNameOf))
  const inForce = rows.filter((row) => explainOutOfForce(row.dates, day) === undefined)
  const about = inForce.filter((row) => isAbout(row, services))
  const refused = refusable(services, rows)
  const wholeLimits = about.filter((row) => {
    // Only these can be a limit, or state what remains of one.
    if ((row.code !== LIMITATIONS && !isActiveRow(row)) || isForOtherCare(row)) return false
    return row.messages.every(
      (text) => states(WHOLE_LIMIT, text) || (networkNamed(text) ?? 'N') !== 'N' || isSharedLimit(text, row),
    )
  })
  return [
    ...inForce.filter((row) => isRefusal(row, refused, active) && !isLimitedByName(row, services)),
    ...rows.filter((row) => isEnded(row, refused, active) && isStillEnded(row, plans, day)),
    ...contradictions(rows, plans, services),
    ...outOfForce(rows, { services, day }),
    ...limitsReached(wholeLimits),
    ...wholeLimits.filter((row) => isForOtherAges(row, age)),
    ...about.filter((row) => isExhausted(row, day)),
    ...refusalsOfProvider(about, activeRows.filter(isPlanRow)),
    ...rows.filter((row) => !isPlanRow(row) && isAbout(row, services) && !isForOtherCare(row) && isForLater(row, day)),
    ...inForce.filter((row) => isCarvedOut(row, { services, active, payer, isMedicaid })),
    ...inForce.filter((row) => isRestricted(row, providerNpi) && isAbout(row, refusable(services, []))),
    ...about.filter((row) => row.code === CANNOT_PROCESS && isPlanRow(row)),
  ]
}

/** HMO, EPO. An HMO with a point of service (POS) pays out of network as well. */
const CLOSED_TYPES: ReadonlySet<string | undefined> = new Set(['HM', 'EP'])
const CLOSED_NAME = /\b(?:HMO|EPO)\b/i
const OPEN_NAME = /POS\b|\bPOINT OF SERVICE\b|PPO\b/i

/**
 * The rows by which a visit to a provider who is out of network is not covered: those that state that nothing is covered there, or, in an HMO or EPO
 * without any benefit out of network, those that state that the provider is. `plans`: the active plan rows.
 */
function refusalsOfProvider(about: readonly BenefitRow[], plans: readonly BenefitRow[]): BenefitRow[] {
  const out = about.filter(({ messages }) => anySaysProviderIsOut(messages))
  if (out.length === 0) return []
  const isClosed = plans.every((row) => {
    const name = planNameOf(row) ?? ''
    return !OPEN_NAME.test(name) && (CLOSED_TYPES.has(row.insuranceType) || CLOSED_NAME.test(name))
  })
  const paysOutside = about.some(
    ({ code, networkIndicator }) => networkIndicator === 'N' && code !== NON_COVERED && code !== EXCLUSIONS,
  )
  const refusals = about.filter(refusesOutside)
  return refusals.length > 0 || paysOutside || plans.length === 0 || !isClosed ? refusals : out
}

/** The active rows that name a requested service besides the plan's, if none of them is in force on the day. */
function outOfForce(rows: readonly BenefitRow[], { services, day }: Pick<Inquired, 'services' | 'day'>): BenefitRow[] {
  return services.flatMap((service) => {
    const named = rows.filter((row) => isActiveRow(row) && row.serviceTypeCodes.includes(service))
    const isAway = named.every((row) => explainOutOfForce(row.dates, day) !== undefined)
    return isAway ? named.filter((row) => !isPlanRow(row)) : []
  })
}

/** True for a row about the plan or one of the services. */
export function isAbout(row: BenefitRow, services: readonly string[]): boolean {
  return isPlanRow(row) || row.serviceTypeCodes.some((code) => services.includes(code))
}

function isRefusal(row: BenefitRow, services: readonly string[], active: ReadonlySet<string>): boolean {
  if (row.code !== NON_COVERED && row.code !== EXCLUSIONS) return false
  if (isOfSomeVisits(row) && row.serviceTypeCodes.every((code) => active.has(code))) return false
  return isAbout(row, services) && !isNarrowed(row)
}

/** True for a row of a service whose texts each name one kind of visit, such as telehealth, or well visits. decisions/0202. */
const isOfSomeVisits = (row: BenefitRow): boolean =>
  !isPlanRow(row) && row.messages.length > 0 && row.messages.every((text) => states(VISITS_EXCLUDED, text))

/** A service may have ended in one plan and continue in another: `active` are the service types of the active rows but those out of network. */
function isEnded(row: BenefitRow, services: readonly string[], active: ReadonlySet<string>): boolean {
  if (!isInactiveRow(row) || isPlanRow(row) || isForOtherCare(row)) return false
  return row.serviceTypeCodes.some((code) => services.includes(code) && !active.has(code))
}

/**
 * The inactive rows of a requested service without a day, of no other plan, where the service is active with the plan alone: the payer contradicts itself. With an
 * inactive plan, they are its services.
 */
function contradictions(
  rows: readonly BenefitRow[],
  plans: ReadonlySet<string | undefined>,
  services: readonly string[],
): BenefitRow[] {
  if (rows.some((row) => isInactiveRow(row) && isPlanRow(row))) return []
  const own = new Set(rows.filter((row) => isActiveRow(row) && !isPlanRow(row)).flatMap((row) => row.serviceTypeCodes))
  return rows.filter((row) => {
    if (!isInactiveRow(row) || isPlanRow(row) || isForOtherCare(row) || !isAbout(row, services)) return false
    if (row.serviceTypeCodes.some((code) => services.includes(code) && own.has(code))) return false
    const name = planNameOf(row)
    return (name === undefined || plans.has(name)) && row.dates.length === 0 && row.messages.length === 0
  })
}

/**
 * True for an inactive row in force on the day, and for one that states only its last day, unless it is about another plan than the active
 * ones (`plans`): what has a first day as well may be a period of inactivity that is over.
 */
function isStillEnded(row: BenefitRow, plans: ReadonlySet<string | undefined>, day: string): boolean {
  if (explainOutOfForce(row.dates, day) === undefined) return true
  if (!row.dates.every(({ qualifier, end }) => COVERAGE_DATES.get(qualifier) === 'end' && end === undefined))
    return false
  const name = planNameOf(row)
  return name === undefined || plans.has(name)
}

/**
 * True for a requested service that no active row names and whose benefits another organization answers for: "contact following entity", a
 * vendor of behavioral health. A state's program names the managed care organization of a service beside its active row.
 */
function isCarvedOut(
  row: BenefitRow,
  {
    services,
    active,
    payer,
    isMedicaid,
  }: Omit<Inquired, 'day' | 'providerNpi' | 'age'> & { active: ReadonlySet<string> },
): boolean {
  if ((row.code !== CONTACT_ENTITY && !(isMedicaid && row.code === MANAGED_CARE_COORDINATOR)) || isPlanRow(row))
    return false
  const requested = row.serviceTypeCodes.filter((code) => services.includes(code))
  const isOfNone = requested.some((code) => !active.has(code))
  return row.entities.some(({ entityCode, entityType, lastName }) => {
    // A network of providers pays nothing: who is in it is asked there.
    if (entityType === '1' || entityCode === PREFERRED_PROVIDERS || lastName === undefined) return false
    if (payer.includes(organizationKey(lastName))) return false
    return isOfNone || (isMedicaid && requested.length > 0 && entityCode === MANAGED_CARE_ORGANIZATION)
  })
}

/** "Shared with occupational and speech therapy": what is left of the limit is left for each of them. */
const isSharedLimit = (text: string, row: BenefitRow) => SHARED.test(text) && !restrictsRow(text, row)
const SHARED = /(?<!\bNOT )\b(?:COMBINED|SHARED)\b/i

/** A lock-in to a provider other than the one of the visit. */
function isRestricted({ code, networkIndicator, entities }: BenefitRow, providerNpi: string | undefined): boolean {
  if (code !== RESTRICTED_TO_PROVIDER || networkIndicator === 'N') return false
  return providerNpi === undefined || !entities.some(({ idQualifier, id }) => idQualifier === NPI && id === providerNpi)
}

/** True for a row about care out of network, one procedure, or other places than an office. */
function isForOtherCare({ networkIndicator, procedure, additionalInformation }: BenefitRow): boolean {
  if (networkIndicator === 'N' || procedure) return true
  return additionalInformation.length > 0 && !additionalInformation.some(({ code }) => code === OFFICE)
}

/** True for a row by which nothing is covered out of network, by EB01 and EB12 or in words: the visit to a provider out of it is not covered. */
function refusesOutside({ code, networkIndicator, procedure, additionalInformation, messages }: BenefitRow): boolean {
  const says = (group: Phrases) => messages.some((text) => states(group, text))
  if (sentencesOfAll(messages).some((sentence) => states(NOTHING_OUTSIDE, sentence))) return true
  if ((code !== NON_COVERED && code !== EXCLUSIONS) || procedure || additionalInformation.length > 0) return false
  const isOutside = networkIndicator === 'N' || (networkIndicator === undefined && says(OUT_OF_NETWORK))
  return isOutside && messages.every((text) => [EXCLUDED, OUT_OF_NETWORK].some((group) => states(group, text)))
}

/**
 * Our choice: an exclusion out of network, of one procedure or of other places does not exclude the service; nor does a text in a row about
 * the whole plan or in a list of exclusions, because it would exclude all coverage.
 */
function isNarrowed(row: BenefitRow): boolean {
  if (isForOtherCare(row)) return true
  if (row.networkIndicator === undefined && row.messages.some((text) => states(OUT_OF_NETWORK, text))) return true
  if (row.code === EXCLUSIONS && !isPlanRow(row) && row.messages.some((text) => states(CARVED_OUT, text))) return false
  return (isPlanRow(row) || row.code === EXCLUSIONS) && row.messages.some((text) => !states(EXCLUDED, text))
}
