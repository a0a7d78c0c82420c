// Why a visit is not ready, and who resolves it.
import type { Appointment, CoverageLimit, NotReadyReason } from '../api/generated.ts'
import { FILED_COVERAGES, type FiledCoverages, type FiledPlace, filedPlaces } from './filed-coverages.ts'
import { type Covered, type Light, lightOf, limitedWord } from './light.ts'
import type { Owner } from './reject-words.ts'

interface Missing {
  what: string
  owner: Owner
  todo: string
}

const missing = (what: string, owner: Owner, todo: string): Missing => ({ what, owner, todo })

const requestCard = 'Ask the patient for another card, or arrange payment.'
/** Without a reason of the payer. */
const CARD = { owner: 'Front desk', todo: 'Compare the coverage with the card, correct it, and check again.' } as const
const review = 'View the response, correct the coverage, or arrange payment.'
const findEntry = 'Open the patient and press “Check eligibility”: it says which entry is missing'
const wait = 'Check again. Call the payer if the visit is soon.'

const reasons: Record<NotReadyReason, Missing> = {
  INACTIVE_PRIMARY: missing('Primary coverage does not apply to the visit', 'Front desk', requestCard),
  INACTIVE_SECONDARY: missing('Secondary coverage does not apply to the visit', 'Front desk', requestCard),
  MEDICARE_ADVANTAGE_CONVERSION: missing(
    'Medicare Advantage pays, not Medicare',
    'Front desk',
    'Add the Medicare Advantage plan and file it first.',
  ),
  MEDICAID_MANAGED_CONVERSION: missing(
    'A managed care plan pays, not Medicaid',
    'Front desk',
    'Add the managed care plan and file it first.',
  ),
  UNAVAILABLE_PRIMARY: missing('The primary payer cannot answer', 'Payer', wait),
  UNAVAILABLE_SECONDARY: missing('The secondary payer cannot answer', 'Payer', wait),
  PENDING_PRIMARY: missing('The primary payer has not answered yet', 'Payer', wait),
  PENDING_SECONDARY: missing('The secondary payer has not answered yet', 'Payer', wait),
  ELIGIBILITY_CHECK_FAILED_PRIMARY: missing('Primary coverage is not confirmed', 'Front desk', review),
  ELIGIBILITY_CHECK_FAILED_SECONDARY: missing('Secondary coverage is not confirmed', 'Front desk', review),
  NEW_COMBO: missing('This combination of coverages is new', 'Billing', 'Confirm who pays first.'),
  NEW_INSURANCE: missing('Another payer comes first', 'Front desk', 'Add the other coverage and file it first.'),
  PRIOR_APPOINTMENT_NOT_READY: missing('An earlier visit is not ready', 'Billing', 'Settle the earlier visit first.'),
  NO_COVERAGE: missing('No coverage is filed', 'Front desk', 'Add a coverage, or mark the patient as self-pay.'),
  ERROR: missing('A coverage could not be verified', 'Front desk', `${findEntry} or what the payer answered.`),
  MANUAL: missing('Marked not ready by a user', 'Front desk', 'See the notes of the visit.'),
}

const NOT_ASKED = missing('Primary coverage could not be checked', 'Front desk', `${findEntry}.`)

/** A verification does not decide for a patient who pays, whatever is filed: rules.md 17 has NO_COVERAGE for every empty filing order. */
const selfPay = missing('Self-pay: no coverage is billed', 'Front desk', 'Mark the visit ready.')
/** The reason of a verification without a coverage stays with the visit until the next verification; it is not shown once a coverage was filed. */
const FILED_SINCE = missing('A coverage was filed after the visit was verified', 'Front desk', 'Check again.')
/** The payer of a coverage that was primary has decided the visit: one that was never checked has been filed before it since, or no payer could be asked. */
const NOT_CHECKED = missing(
  'The primary coverage has not been checked yet',
  'Front desk',
  'Check again. If this stays, open the patient and press “Check eligibility”: it says which entry is missing.',
)
const DECIDED_BY_AN_ANSWER: readonly NotReadyReason[] = [
  'INACTIVE_PRIMARY',
  'ELIGIBILITY_CHECK_FAILED_PRIMARY',
  'MEDICARE_ADVANTAGE_CONVERSION',
  'MEDICAID_MANAGED_CONVERSION',
  'NEW_INSURANCE',
]
const NOT_OF_COVERAGE: readonly NotReadyReason[] = ['MANUAL', 'PRIOR_APPOINTMENT_NOT_READY']

interface Covering extends FiledCoverages<Covered> {
  patient?: { self_pay?: boolean }
}

/**
 * Undefined when no reason is known. A reason of the interface covers several cases ("failed" is also an unmet spend-down); the coverages
 * distinguish them.
 */
export function missingOf(
  { status, not_ready_reason: reason = 'MANUAL' }: Pick<Appointment, 'status' | 'not_ready_reason'>,
  covering: Covering = {},
): Missing | undefined {
  if (status !== 'NOT_READY') return undefined
  if (covering.patient?.self_pay && !NOT_OF_COVERAGE.includes(reason)) return selfPay
  if (reason === 'NO_COVERAGE' && covering.primary_coverage?.status === 'ACTIVE') return FILED_SINCE
  if (isPrimaryUnchecked({ status, not_ready_reason: reason }, covering.primary_coverage)) return NOT_CHECKED
  const broken = BROKEN.includes(reason) && ofConnection(covering)
  if (broken) return broken
  const place = PLACES.find(({ reasons }) => reasons.includes(reason))
  const found =
    (place && ofLight(FILED_COVERAGES[place.coverage], lightOf(covering[place.coverage]))) ?? reasons[reason]
  return reason.endsWith('_SECONDARY') ? withPrimary(lightOf(covering.primary_coverage), found) : found
}

/** Whether another coverage is primary now than the one whose answer made the visit NOT_READY, and was never checked. */
export const isPrimaryUnchecked = (
  { status, not_ready_reason: reason = 'MANUAL' }: Pick<Appointment, 'status' | 'not_ready_reason'>,
  primary: Covered | undefined,
): boolean =>
  status === 'NOT_READY' &&
  DECIDED_BY_AN_ANSWER.includes(reason) &&
  primary?.status === 'ACTIVE' &&
  lightOf(primary).state === 'unchecked'

/** Reasons that a failure of the connection to the payer has as well: who desks and payers ask in vain. */
const BROKEN: readonly NotReadyReason[] = ['ERROR', 'UNAVAILABLE_PRIMARY', 'UNAVAILABLE_SECONDARY']

/** Of the first coverage whose inquiry failed for a reason that the administrator removes. */
function ofConnection(covering: Covering): Missing | undefined {
  for (const place of filedPlaces) {
    const light = lightOf(covering[place])
    if (light.state === 'unknown' && light.rejection?.owner === 'Administrator')
      return ofLight(FILED_COVERAGES[place], light)
  }
  return undefined
}

/** The reason of a visit concerns one coverage. For a secondary one, a problem of the primary one is stated as well. */
function withPrimary(primary: Light, secondary: Missing): Missing {
  const first = primary.state === 'unchecked' ? NOT_ASKED : ofLight(FILED_COVERAGES.primary_coverage, primary)
  if (!first) return secondary
  const todo = first.todo === secondary.todo ? first.todo : `${first.todo} ${secondary.todo}`
  return { what: `${first.what}. ${secondary.what}`, owner: first.owner, todo }
}

const PLACES: readonly {
  coverage: FiledPlace
  reasons: readonly NotReadyReason[]
}[] = [
  {
    coverage: 'primary_coverage',
    reasons: ['INACTIVE_PRIMARY', 'ELIGIBILITY_CHECK_FAILED_PRIMARY'],
  },
  {
    coverage: 'secondary_coverage',
    reasons: ['INACTIVE_SECONDARY', 'ELIGIBILITY_CHECK_FAILED_SECONDARY'],
  },
]

function ofLight(name: string, { state, limits = [], rejection }: Light): Missing | undefined {
  const isOutdated = state === 'unknown' && limits.length > 0
  if (isOutdated) return missing(`${name} was changed after the check`, 'Front desk', limitSteps.CHANGED)
  if (state === 'inactive') return missing(`${name} is not active`, 'Front desk', requestCard)
  const { owner, todo } = rejection ?? CARD
  if (state === 'unknown') return missing(`The check of the ${name.toLowerCase()} failed`, owner, todo)
  const [limit] = limits
  return limit && missing(`${name}: ${limitedWord(limits).toLowerCase()}`, 'Front desk', limitSteps[limit.kind])
}

const limitSteps: Record<CoverageLimit['kind'], string> = {
  COVERAGE: 'View the response. Tell the patient what is not covered, and arrange payment or ask for another card.',
  OTHER_PAYER: 'Add the other coverage and file it first.',
  SPEND_DOWN: 'Ask the patient whether the spend-down is met, or arrange payment.',
  IDENTITY: 'Confirm with the patient, correct the coverage, and check again.',
  CHANGED: 'Check again.',
}
