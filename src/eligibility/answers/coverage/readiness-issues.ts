// Reasons why a visit is not READY although the payer reports active coverage. Source: rules.md 17; x12-271.md 5, rule 7.

import { ALERTS } from '../../../contract/answer-notes.ts'
import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { UNDER_INVESTIGATION, UNKNOWN_STATUS } from '../../../x12/codes/benefits.ts'
import { MEDICARE_PRIMARY } from '../../../x12/codes/insurance-types.ts'
import { OFFICE_VISIT, PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { endsMembership } from '../../../x12/party.ts'
import { doubtsPatient } from '../../../x12/refusals.ts'
import { describeInWords } from '../benefits/benefit-notes.ts'
import { type BetweenRows, MOST_TEXTS, turnsBetweenRows } from '../payer-text.ts'
import { isSameOrganization, organizationKey } from '../people/organization-names.ts'
import { describeReason } from '../rejections/rejections.ts'
import type { RequestCorrection } from '../wire.ts'
import { VETERANS_NAME } from '../words/denials/restricted.ts'
import { payerNamed } from '../words/names/own-names.ts'
import { PART_A_SERVICES } from '../words/programs/programs.ts'
import { ageOn, findOthersOnly, isDependent, maybeSpouse } from './covered-people.ts'
import { findDenials, findUnreadStatements } from './denied-coverage.ts'
import { describeDoubtfulDates, rowsInForce } from './doubtful-dates.ts'
import { datesThatCount, explainOutOfForce } from './in-force.ts'
import { findInactivePeriods } from './inactive-periods.ts'
import { findLimitedRows, withoutLimitedPlans } from './limited-coverage.ts'
import { type Answer, isMedicaidName, isMedicareName, isNamedMedicare, type PatientAnswer } from './other-coverage.ts'
import { findOtherPayers, paysFor } from './other-payers.ts'
import { planNameOf } from './plan-rows.ts'
import { findStatedPrimacy, MEDICARE, toKeys } from './primary-in-words.ts'
import { withAllTexts } from './row-texts.ts'
import { findUnmetSpendDown } from './spend-down.ts'
import type { Judgment } from './status.ts'
import { findUncoveredRows, isAbout } from './uncovered-rows.ts'

/**
 * - NO_COVER_FOR_SERVICE: the service of the visit is not among the covered ones, or is excluded.
 * - OTHER_PAYER: another payer is primary. SPEND_DOWN: the patient owes an amount before the coverage pays.
 * - CORRECTION: the payer has different identity data, which a user has to confirm. DOUBT: the payer rejects the person for one benefit.
 */
export type ReadinessIssueKind = 'NO_COVER_FOR_SERVICE' | 'OTHER_PAYER' | 'SPEND_DOWN' | 'CORRECTION' | 'DOUBT'

export interface ReadinessIssue {
  kind: ReadinessIssueKind
  /** The payer's row in plain words. */
  note: string
  /** The primary payer, so that a coverage filed before this one can be recognized; absent when a text names none. */
  payer?: { name?: string; id?: string }
}

/** The part of a readiness issue that is stored in addition to the notes. */
export type StoredReadinessIssue = Pick<ReadinessIssue, 'kind' | 'payer'>

interface FiledPlan {
  payer_id?: string | undefined
  payer_name?: string | undefined
}

/** True for another primary payer that is filed before the coverage, as it should be. */
export function isFiledBefore(payer: StoredReadinessIssue['payer'], plans: readonly FiledPlan[]): boolean {
  // A text that names no payer is about the one that is filed first.
  if (payer === undefined) return plans.length > 0
  const keys = toKeys(payer.name, payer.id)
  return plans.some(({ payer_id = '', payer_name = '' }) => {
    if (isMedicareName(payer.name ?? '')) return isMedicareName(payer_id) || isMedicareName(payer_name)
    return isSameOrganization(toKeys(payer_name, payer_id), keys)
  })
}

/**
 * The services that an inquiry is about. One about the plan counts as one about an office visit, the default for clinics that have not
 * mapped their services. Source: rules.md 17.
 */
export function requestedServices(codes: readonly string[]): readonly string[] {
  return codes.every((code) => code === PLAN_SERVICE) ? [OFFICE_VISIT, PLAN_SERVICE] : codes
}

/** What was asked, and by which provider. */
interface IssueRequest {
  serviceTypeCodes: readonly string[]
  provider?: { npi: string }
}

interface Inquired {
  services: readonly string[]
  providerNpi: string | undefined
  /** The rows with all texts as messages. */
  told: readonly BenefitRow[]
  /** The same without plans that cover nothing of the visit. */
  covering: Answer
}

const NO_COVER = 'NO_COVER_FOR_SERVICE'

const ENDED_MEMBER = 'the payer marks the membership as ended (INS03 024): ask the payer'

const WORDS = { plan: undefined, namesPartA: false }

interface IssueContext {
  corrections: readonly RequestCorrection[]
  request: IssueRequest
  /** When the payer was asked, if known. */
  askedAt?: Date | undefined
  /** Gives the event loop back: a large answer is evaluated in several turns. */
  turn?: () => Promise<void> | undefined
}

/** Inactive coverage has no readiness issues, because the status itself is the reason. */
export async function findReadinessIssues(
  answer: Answer,
  judgment: Judgment,
  { corrections, request, askedAt, turn = () => undefined }: IssueContext,
): Promise<ReadinessIssue[]> {
  if (judgment.status !== 'ACTIVE') return []
  const services = requestedServices(request.serviceTypeCodes)
  const pause = turnsBetweenRows(turn)
  const told = withAllTexts(answer)
  const covering = await withoutOtherPlans(told, services, pause)
  const inquired = { services, providerNpi: request.provider?.npi, told: told.patient.benefits, covering }
  const uncovered = await findUncovered(answer, judgment, inquired, pause)
  await turn()
  const primary = findPrimaryPayers(told, services)
  await turn()
  return [
    ...uncovered,
    ...toIssues(NO_COVER, describeDoubtfulDates(covering.patient, answer.dateOfService, askedAt)),
    ...findInvestigation(covering, services),
    ...findUnread(told, services),
    ...toIssues(NO_COVER, (answer.patient.unread ?? []).map(describeUnread)),
    ...primary,
    ...findDoubts(answer),
    ...toIssues('CORRECTION', corrections.map(describeCorrection)),
    ...(await findSpendDowns(told, services, pause)),
  ]
}

/** The answer without plans that cover nothing of the visit, if another one may: a dental plan does not make up for a medical one that is suspended. */
async function withoutOtherPlans(told: Answer, services: readonly string[], pause: BetweenRows): Promise<Answer> {
  const { patient, payer, dateOfService: day } = told
  const context = { services, day, payerName: patient.payer?.lastName ?? payer.name }
  const benefits = await withoutLimitedPlans(patient.benefits, context, pause)
  return benefits === patient.benefits ? told : { ...told, patient: { ...patient, benefits } }
}

async function findUncovered(
  answer: PatientAnswer,
  { scope, alert = '' }: Judgment,
  { services, providerNpi, told, covering }: Inquired,
  pause: BetweenRows,
): Promise<ReadinessIssue[]> {
  if (scope && !scope.some((code) => services.includes(code))) return toIssues(NO_COVER, [alert])
  const { patient, dateOfService } = answer
  const payer = [answer.payer.name, patient.payer?.lastName].map(organizationKey)
  const payerName = patient.payer?.lastName ?? answer.payer.name
  const { birthDate } = patient.dependent ?? patient.subscriber
  const age = ageOn(birthDate, dateOfService)
  const own = {
    infantBorn: age === 0 ? isoDate(birthDate) : undefined,
    isDependent: isDependent(patient),
    maybeSpouse: maybeSpouse(patient),
    isMedicare: isNamedMedicare(answer),
    isMedicaid: [answer.payer.name, patient.payer?.lastName].some((name) => isMedicaidName(name ?? '')),
    isOfVeterans: () =>
      [answer.payer.name, patient.payer?.lastName, ...covering.patient.benefits.map(planNameOf)].some(
        (name) => name !== undefined && VETERANS_NAME.test(name),
      ),
    providerNpi,
    payer: payerNamed([answer.payer.name, patient.payer?.lastName]),
  }
  const inquired = { services, providerNpi, day: dateOfService, payer, isMedicaid: own.isMedicaid, age }
  const rows = findUncoveredRows(patient.benefits, inquired)
  // An active Part A is not sufficient for a visit that Part B pays, so that a denial or limit of Part B counts beside it.
  const isOfPartA = services.some((code) => PART_A_SERVICES.includes(code))
  const decisive = (all: readonly BenefitRow[]) =>
    own.isMedicare && !isOfPartA ? all.filter((row) => row.insuranceType !== 'MA') : all
  const limited = scope ? [] : await findLimitedRows(decisive(told), { services, day: dateOfService, payerName }, pause)
  const denials = await findDenials(decisive(covering.patient.benefits), { services, day: dateOfService, pause, own })
  const unread =
    denials.length > 0 ? [] : await findUnreadStatements(covering.patient.benefits, { day: dateOfService, pause, own })
  const inactive = findInactivePeriods(patient.benefits, dateOfService, datesThatCount(patient))
  return [
    ...describeRows(rows),
    ...describeRows(denials, "the payer's text contradicts the active coverage: "),
    ...describeRows(unread, 'read what the payer says: '),
    ...describeRows(inactive, 'inactive on the date of service: '),
    ...describeRows(limited, 'limited coverage: '),
    ...describeRows(findOthersOnly(covering.patient, dateOfService), 'for other people than the patient: '),
    ...(endsMembership(patient.dependent ?? patient.subscriber) ? toIssues(NO_COVER, [ENDED_MEMBER]) : []),
    ...(isPartAAlone(answer, services) ? toIssues(NO_COVER, ['Medicare Part A only: Part B is not active']) : []),
  ]
}

function describeRows(rows: readonly BenefitRow[], words = ''): ReadinessIssue[] {
  return toIssues(
    NO_COVER,
    rows.map((row) => `${words}${describeInWords(row, WORDS)}`),
  )
}

/**
 * One place for the lists of notes, most of them empty: V8 compiles the caller of a `map` again for each way in which it meets an empty list
 * (decisions/0141-places-at-payers.md).
 */
function toIssues(kind: ReadinessIssueKind, notes: readonly string[]): ReadinessIssue[] {
  return notes.map((note) => ({ kind, note }))
}

/** Exchange plans send EB01 5 while premiums are overdue and claims are held (45 CFR 156.270), of the plan or of the visit's service. */
function findInvestigation({ patient, dateOfService }: PatientAnswer, services: readonly string[]): ReadinessIssue[] {
  const rows = rowsInForce(patient, dateOfService)
  const isInvestigated = (stated: readonly BenefitRow[]) =>
    stated.length > 0 && stated.every(({ code }) => code === UNDER_INVESTIGATION)
  const ofServices = services.map((service) => {
    return patient.benefits.filter((row) => isActiveRow(row) && row.serviceTypeCodes.includes(service))
  })
  return toIssues(NO_COVER, [rows, ...ofServices].some(isInvestigated) ? [ALERTS.investigation] : [])
}

/** A row with more texts than are evaluated may state anything in the others. */
function findUnread({ patient }: PatientAnswer, services: readonly string[]): ReadinessIssue[] {
  const isCut = patient.benefits.some((row) => row.messages.length > MOST_TEXTS && isAbout(row, services))
  const unknown = patient.benefits
    .filter((row) => hasUnknownCode(row) && isAbout(row, services))
    .flatMap(unknownStatusOf)
  return toIssues(NO_COVER, [
    ...(isCut ? ['more texts than can be evaluated: read them'] : []),
    ...unknown.map((status) => `the payer states a status that is not known: ${status}`),
  ])
}

/** A part of a clearinghouse's JSON: what stands there may deny the coverage. */
const describeUnread = (place: string): string =>
  `a part of the answer has an unexpected shape and cannot be read (${place}): ask the payer`

/** EB01 has two characters at most; a longer one is a name that a form has in its place, and that is in no table. */
const hasUnknownCode = ({ code }: BenefitRow) => code === '' || code.length > 2

function unknownStatusOf({ code, messages }: BenefitRow): string[] {
  return code === '' ? messages.filter((text) => text.startsWith(UNKNOWN_STATUS)) : [code]
}

/** Part B pays office visits and most other services, and a patient may have Part A without it. */
function isPartAAlone(answer: PatientAnswer, services: readonly string[]): boolean {
  if (services.some((code) => PART_A_SERVICES.includes(code))) return false
  const { patient, dateOfService } = answer
  const parts = patient.benefits.filter((row) => isPlanRow(row) && ['MA', 'MB'].includes(row.insuranceType ?? ''))
  const active = parts.filter((row) => isActiveRow(row) && !explainOutOfForce(row.dates, dateOfService))
  if (active.length === 0 || active.some(({ insuranceType }) => insuranceType === 'MB')) return false
  // Medicare lists every part that the patient has; another payer may name only one.
  return isNamedMedicare(answer) || parts.some(({ insuranceType }) => insuranceType === 'MB')
}

function findPrimaryPayers(answer: Answer, services: readonly string[]): ReadinessIssue[] {
  const others = findOtherPayers(answer)?.other_payers ?? []
  const primary = others.filter((other) => other.order === 'PRIMARY' && paysFor(other, services))
  const named = primary.map(({ payer_name: name, stated_payer_id: id, start_date: start, ...other }) => {
    const isMedicare = other.insurance_type_code === MEDICARE_PRIMARY
    const unnamed = other.insurance_type ?? (id === undefined ? 'not named' : `payer id ${id}`)
    const words = [ALERTS.otherPayer, name ?? unnamed, start && `since ${start}`]
    return {
      kind: 'OTHER_PAYER' as const,
      note: words.filter(Boolean).join(': ').replace(': since', ', since'),
      payer: isMedicare ? MEDICARE : { ...(name !== undefined && { name }), ...(id !== undefined && { id }) },
    }
  })
  // A payer that a text or the kind of plan names says more than a row that names none.
  const stated = primary.some((each) => each.payer_name ?? each.stated_payer_id)
    ? []
    : findStatedPrimacy(answer, services)
  return stated.some(({ payer }) => payer?.name) || named.length === 0 ? stated : named
}

function findDoubts({ patient }: PatientAnswer): ReadinessIssue[] {
  const doubts = patient.rejections.filter(doubtsPatient)
  return toIssues(
    'DOUBT',
    doubts.map((each) => `${ALERTS.doubt}: AAA ${each.reasonCode} ${describeReason(each) ?? ''}`.trimEnd()),
  )
}

function describeCorrection({ property, request_value, corrected_value }: RequestCorrection): string {
  const name = property.replace('.', ' ').replaceAll('_', ' ')
  return `${ALERTS.correction}: the payer has ${name} ${corrected_value}, the inquiry had ${request_value}`
}

async function findSpendDowns(
  { patient, dateOfService }: PatientAnswer,
  services: readonly string[],
  pause: BetweenRows,
): Promise<ReadinessIssue[]> {
  const rows = patient.benefits.filter((row) => isAbout(row, services))
  const unmet = await findUnmetSpendDown(rows, dateOfService, pause)
  const notes = unmet.map((row) => `${ALERTS.spendDown}: ${describeInWords(row, WORDS)}`)
  return toIssues('SPEND_DOWN', notes)
}
