// The benefits that a coverage shows after a check: the payer's latest statements, and known ones from earlier checks, labeled with their
// check and day. Source: rules.md 10.3 (our choice: decisions/0022-answers-kept-once.md, "Benefits of several checks").
import { whyNotInForce } from '../../contract/not-in-force.ts'
import { NOTES_MAX_CHARACTERS } from '../answers/benefits/benefits.ts'
import type {
  CoverageBenefits,
  CoverageDetails,
  ParsedResponse,
  PlanCoverage,
  ServiceCoverage,
} from '../answers/wire.ts'

/** The check that labels benefits. */
interface BenefitSource {
  id: string
  /** The inquired day, YYYY-MM-DD. */
  day: string
}

/** The coverage's current benefits and their check; no check when a user wrote them. */
interface KnownBenefits {
  benefits: CoverageBenefits
  source?: (BenefitSource & { status: ParsedResponse['eligibility_status'] }) | undefined
}

/**
 * The benefits to show after the answer `answer` of `check`; undefined when they stay unchanged.
 * - An answer about an earlier day than the one known changes nothing.
 * - INACTIVE: the known benefits no longer apply, and are removed; notes say why, if the payer states the days of the plan.
 * - ACTIVE: the new answer counts. Services and plan figures that it does not contain are kept with a label if they are of the same
 *   calendar year, because limits and accumulators restart every year.
 */
export function mergeBenefits(
  known: KnownBenefits | undefined,
  check: BenefitSource,
  answer: ParsedResponse,
): CoverageBenefits | undefined {
  const { eligibility_status: status, benefits: fresh } = answer
  const source = known?.source
  if (status === 'UNKNOWN' || (source && source.day > check.day)) return undefined
  const own = { autoUpdatedEligibilityCheckId: check.id }
  if (status === 'INACTIVE') {
    const notes = joined([`Inactive on ${check.day}.`, whyNotInForce(answer.plan_metadata, check.day), fresh?.notes])
    return { ...fresh, ...notes, ...own }
  }
  const earlier = known && isOfUse(known, check) ? labeled(known) : undefined
  if (!fresh && !earlier) return undefined
  return { ...(earlier ? beside(fresh ?? {}, earlier) : fresh), ...own }
}

function isOfUse({ source }: KnownBenefits, check: BenefitSource): boolean {
  if (!source) return true
  return source.status === 'ACTIVE' && source.day.slice(0, 4) === check.day.slice(0, 4)
}

const LABEL = /^(?:As of \d{4}-\d{2}-\d{2} \(check |Not from a check: )/

/** The known benefits, each figure labeled with its source; entities, which have no field for a label, are listed in the notes instead. */
function labeled({ benefits, source }: KnownBenefits): CoverageBenefits {
  const label = source ? `As of ${source.day} (check ${source.id}): ` : 'Not from a check: '
  const withLabel = (text: string | undefined) =>
    text !== undefined && LABEL.test(text) ? text : `${label}${text ?? ''}`.replace(/: $/, '')
  const mark = <T extends { additional_notes?: string | undefined }>(each: T): T => ({
    ...each,
    additional_notes: withLabel(each.additional_notes),
  })
  const markAll = <T extends PlanCoverage | ServiceCoverage>(coverage: T): T => ({
    ...coverage,
    ...(coverage.in_network && { in_network: mark(coverage.in_network) }),
    ...(coverage.in_network_flat && { in_network_flat: coverage.in_network_flat.map(mark<CoverageDetails>) }),
    ...(coverage.out_of_network && { out_of_network: mark(coverage.out_of_network) }),
    ...(coverage.out_of_network_flat && {
      out_of_network_flat: coverage.out_of_network_flat.map(mark<CoverageDetails>),
    }),
  })
  const { plan_coverage, service_specific_coverage, non_covered_details, notes, benefits_related_entities } = benefits
  const entities = (benefits_related_entities ?? []).map(({ entityIdentifier, entityName, contactInformation }) =>
    [
      entityIdentifier,
      entityName,
      ...(contactInformation ?? []).map(({ mode, value }) => `${mode ?? ''} ${value ?? ''}`.trim()),
    ]
      .filter(Boolean)
      .join(', '),
  )
  const lines = [...(notes ? notes.split('\n') : []), ...entities].map((line) => withLabel(line))
  return {
    ...(plan_coverage && { plan_coverage: markAll(plan_coverage) }),
    ...(service_specific_coverage && {
      service_specific_coverage: service_specific_coverage.map(markAll<ServiceCoverage>),
    }),
    ...(non_covered_details && { non_covered_details: non_covered_details.map(mark) }),
    ...joined(lines),
  }
}

/** The new benefits, and those earlier ones that the new ones do not cover. */
function beside(fresh: CoverageBenefits, earlier: CoverageBenefits): CoverageBenefits {
  const services = fresh.service_specific_coverage ?? []
  const spokenOf = new Set<string>(services.map(({ service_code }) => service_code))
  const left = (earlier.service_specific_coverage ?? []).filter(({ service_code }) => !spokenOf.has(service_code))
  const isNarrow = fresh.plan_coverage === undefined
  const plan = fresh.plan_coverage ?? earlier.plan_coverage
  const nonCovered = [
    ...(fresh.non_covered_details ?? []),
    // A broad answer repeats what is not covered.
    ...(isNarrow ? (earlier.non_covered_details ?? []) : []).filter(
      ({ service_type_codes: codes = [] }) => !codes.some((code) => spokenOf.has(code)),
    ),
  ]
  const all = [...services, ...left].toSorted((one, other) => (one.service_code < other.service_code ? -1 : 1))
  return {
    ...fresh,
    ...(plan && { plan_coverage: plan }),
    ...(all.length > 0 && { service_specific_coverage: all }),
    ...(nonCovered.length > 0 && { non_covered_details: nonCovered }),
    ...joined([fresh.notes, isNarrow ? earlier.notes : undefined]),
  }
}

function joined(lines: (string | undefined)[]): Pick<CoverageBenefits, 'notes'> {
  const notes = [...new Set(lines.filter((line) => line !== undefined && line !== ''))].join('\n')
  return notes === '' ? {} : { notes: notes.slice(0, NOTES_MAX_CHARACTERS) }
}
