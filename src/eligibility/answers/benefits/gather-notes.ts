import { ALERTS, PROHIBITION_TO_BILL, toAlert, toNote } from '../../../contract/answer-notes.ts'
import { isActiveRow, isInactiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import {
  BENEFIT_DESCRIPTION,
  CONTACT_ENTITY,
  COVERAGE_BASIS,
  DISCLAIMER,
  LIMITATIONS,
  PRIMARY_CARE_PROVIDER,
  UNDER_INVESTIGATION,
} from '../../../x12/codes/benefits.ts'
import { insuranceTypeNames } from '../../../x12/codes/insurance-types.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { explainOutOfForce } from '../coverage/in-force.ts'
import type { MedicareFacts } from '../coverage/medicare.ts'
import { type Plans, planNameOf } from '../coverage/plan-rows.ts'
import { isQualifiedBeneficiary } from '../coverage/qualified-beneficiary.ts'
import type { Judgment } from '../coverage/status.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { PROVIDER_OUT } from '../words/figures/networks.ts'
import { states } from '../words/phrase-group.ts'
import { describeDate, describeInWords, mergeEqualRows } from './benefit-notes.ts'
import { describeParty, isMoreThanEntity } from './related-entities.ts'

/** The parts of an answer that notes are made of. */
interface NotedAnswer {
  rows: readonly BenefitRow[]
  judgment: Judgment
  plans: Plans
  medicare: MedicareFacts
  /** True when the answer names more parties than are listed. */
  namesMore: boolean
}

/** EB01 of plan rows whose MSG texts become notes as those of the status do: description, limitation, disclaimer, contact, coverage basis. */
const NOTED_CODES: ReadonlySet<string> = new Set([
  BENEFIT_DESCRIPTION,
  LIMITATIONS,
  DISCLAIMER,
  CONTACT_ENTITY,
  COVERAGE_BASIS,
])
const isNoted = (row: BenefitRow) => isActiveRow(row) || isInactiveRow(row) || NOTED_CODES.has(row.code)

/**
 * Everything that has no place among the figures, one fact per line, each once: the texts about the whole plan as the payer wrote them, the
 * plans besides the chosen one, and every other row in words, so that nothing is lost. Source: x12-271.md 7, corrected.
 */
export function gatherNotes(unlistedRows: readonly BenefitRow[], answer: NotedAnswer): string {
  const { rows, plans, medicare, namesMore } = answer
  const notes = new Set<string>()
  for (const alert of alertsOf(answer)) notes.add(toAlert(alert))
  for (const part of medicare.parts) notes.add(part)
  const others = unlistedRows.filter((row) => !isListedAsEntity(row))
  for (const row of mergeEqualRows(others.flatMap(withServices))) {
    for (const text of textsOf(row, answer)) notes.add(toNote(text))
  }
  for (const party of partiesBeside(rows, new Set(others))) notes.add(toNote(party))
  if (plans.figuresLeft <= 0 || plans.charactersLeft <= 0)
    notes.add('The answer holds more figures than are listed here.')
  if (namesMore) notes.add('The answer names more parties than are listed here.')
  return [...notes].join('\n')
}

/** What people must not miss: it comes first. */
function alertsOf({ rows, judgment, medicare }: NotedAnswer): string[] {
  const alerts: string[] = []
  if (isQualifiedBeneficiary(rows, judgment.day)) alerts.push(PROHIBITION_TO_BILL)
  if (judgment.alert !== undefined) alerts.push(judgment.alert)
  if (judgment.status === 'ACTIVE' && judgment.chosen?.code === UNDER_INVESTIGATION) alerts.push(ALERTS.investigation)
  for (const { messages } of rows) {
    if (!anySaysProviderIsOut(messages)) continue
    for (const message of messages) if (saysProviderIsOut(message)) alerts.push(`the payer says: ${message}`)
  }
  return [...alerts, ...medicare.alerts]
}

/** A row in words. Of one about the plan the texts as the payer wrote them, and in words what neither they nor the headline say. */
function textsOf(row: BenefitRow, { judgment, plans, medicare }: NotedAnswer): string[] {
  if (!isPlanRow(row)) return [describeInWords(row, plans.options)]
  const other = judgment.status === 'ACTIVE' ? describeOtherPlan(row, judgment) : undefined
  const texts = other === undefined ? [] : [other]
  if (!isNoted(row)) return [...texts, describeInWords(row, plans.options)]
  if (saysMore(row, judgment.chosen, other !== undefined) && !isInHeadline(row, medicare.parts))
    texts.push(describeInWords({ ...row, messages: [] }, plans.options))
  return [...texts, ...row.messages]
}

/** The parties of the rows that are not described in words, if they have more than the fields of a related entity: an id, an address. */
function partiesBeside(rows: readonly BenefitRow[], described: ReadonlySet<BenefitRow>): string[] {
  return rows
    .filter((row) => row.entities.length > 0 && !described.has(row))
    .flatMap(({ entities }) => entities.filter(isMoreThanEntity).map(describeParty))
}

/** A row about the plan that also lists services is two: the plan, and the services, which would not be named otherwise. */
function withServices(row: BenefitRow): BenefitRow[] {
  const services = row.serviceTypeCodes.filter((code) => code !== PLAN_SERVICE)
  if (services.length === 0 || services.length === row.serviceTypeCodes.length) return [row]
  return [row, { ...row, serviceTypeCodes: services, messages: [] }]
}

export const saysProviderIsOut = (message: string) => states(PROVIDER_OUT, message)

/** True for messages one of which states, as EB12 does not, that the inquiring provider is out of network. Source: x12-271.md 4, EB12. */
export const anySaysProviderIsOut = onceForTexts((messages) => messages.some(saysProviderIsOut))

/** Rows whose messages are complete; the status row is described by the plan's own fields. */
const SPEAKING_CODES: ReadonlySet<string> = new Set([BENEFIT_DESCRIPTION, DISCLAIMER, LIMITATIONS])

function saysMore(row: BenefitRow, chosen: BenefitRow | undefined, isNamed: boolean): boolean {
  if (isQualified(row) || row.references.length + row.entities.length > 0 || row.networkIndicator === 'N') return true
  if (SPEAKING_CODES.has(row.code))
    return row.messages.length === 0 || row.dates.length > 0 || row.planDescription !== undefined
  if (isNamed) return false
  return row.dates.length > 0 || (row !== chosen && (row.insuranceType !== chosen?.insuranceType || !isActiveRow(row)))
}

/** True for a part of Medicare that the headline describes with all of its dates. */
function isInHeadline(row: BenefitRow, parts: readonly string[]): boolean {
  if (parts.length === 0 || !isActiveRow(row) || isQualified(row)) return false
  if (row.references.length + row.entities.length > 0 || row.planDescription !== undefined) return false
  const name = `${insuranceTypeNames[row.insuranceType ?? '']}: `
  const days = row.dates.flatMap(({ start, end }) => [isoDate(start), isoDate(end)])
  return parts.some((part) => part.startsWith(name) && days.every((day) => day === undefined || part.includes(day)))
}

/** True for a row with a figure, a procedure, a place or an authorization. */
function isQualified(row: BenefitRow): boolean {
  if (row.deliveries.length + row.additionalInformation.length > 0) return true
  return (row.procedure ?? row.amount ?? row.percent ?? row.quantity ?? row.authorizationIndicator) !== undefined
}

/** A row that only names a primary care provider, which is listed as a related entity. */
function isListedAsEntity(row: BenefitRow): boolean {
  const { code, entities, messages, dates, references, planDescription } = row
  if (code !== PRIMARY_CARE_PROVIDER || entities.length === 0 || planDescription !== undefined || isQualified(row))
    return false
  return messages.length + dates.length + references.length === 0
}

/** A second active plan, or a former, future or inactive one, besides the chosen plan. Source: x12-271.md 5, rules 1 and 6. */
function describeOtherPlan(row: BenefitRow, { chosen, day }: Judgment): string | undefined {
  const inactive = isInactiveRow(row)
  if (row === chosen || !(inactive || isActiveRow(row))) return undefined
  if (!inactive && (row.planDescription === undefined || planNameOf(row) === (chosen && planNameOf(chosen))))
    return undefined
  const dates = row.dates.map(describeDate).join(', ')
  const isAway = day !== undefined && explainOutOfForce(row.dates, day) !== undefined
  const status = inactive ? 'Inactive' : isAway ? `Not in force on ${day}` : 'Also active'
  const label = `${status}: ${row.planDescription ?? 'another plan'}`
  return dates === '' ? label : `${label} (${dates})`
}
