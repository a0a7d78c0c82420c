// Another primary payer that the texts of an answer state, and no row names. Source: rules.md 17; x12-271.md 10; decisions/0073.

import { ALERTS } from '../../../contract/answer-notes.ts'
import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { BENEFIT_DESCRIPTION, MANAGED_CARE_COORDINATOR, OTHER_PAYER } from '../../../x12/codes/benefits.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { DATE, datesOf, sentencesOf } from '../payer-text.ts'
import { isSameOrganization, organizationKey } from '../people/organization-names.ts'
import { normalizeText } from '../people/person.ts'
import { saysSupplement, supplementsMedicare } from './coverage-names.ts'
import { explainOutOfForce } from './in-force.ts'
import { limitsIn } from './limited-coverage.ts'
import { findManagedCarePlan, findUnnamedPlan } from './medicaid-managed-care.ts'
import { findAdvantagePlan } from './medicare-advantage.ts'
import { type Answer, isMedicaidName, isMedicareName, isNamedMedicare } from './other-coverage.ts'
import { isQualifiedBeneficiary } from './qualified-beneficiary.ts'
import { namesAdvantageContract, paysBeforeMedicaid, statedPrimacy, statesOtherInsurance } from './stated-primacy.ts'

/** The readiness issue that another payer is primary. */
interface StatedPrimacy {
  kind: 'OTHER_PAYER'
  note: string
  payer?: { name?: string }
}

export const MEDICARE = { name: 'Medicare' }

const MEDICARE_FIRST: StatedPrimacy = {
  kind: 'OTHER_PAYER',
  note: `${ALERTS.otherPayer}: Medicare`,
  payer: MEDICARE,
}

/** Name and id of an organization as they are compared. */
export const toKeys = (name: string | undefined, id: string | undefined) => ({
  name: organizationKey(name),
  id: normalizeText(id),
})

/** Another primary payer that the texts of a row about the plan state, and no row names. */
export function findStatedPrimacy(answer: Answer, services: readonly string[]): StatedPrimacy[] {
  const { patient, dateOfService, isMedicare, inquiredPayer } = answer
  const rows = patient.benefits
    .filter((row) => isPlanRow(row) && row.code !== OTHER_PAYER && !explainOutOfForce(row.dates, dateOfService))
    .map((row) => withoutTextsOfOtherDays(row, dateOfService))
  const names = inquiredPayer.map(({ name }) => name)
  if (isNamedMedicare(answer)) names.push(organizationKey(MEDICARE.name))
  if (answer.isMedicaid) names.push(organizationKey('Medicaid'))
  const plans = rows.flatMap((row) => (isActiveRow(row) ? [organizationKey(row.planDescription)].filter(Boolean) : []))
  const first = rows.map(({ messages }) => statedPrimacy(messages, names, plans)).find((payer) => payer !== undefined)
  if (first === undefined) {
    const before =
      findBeforeMedicaid(answer, rows) ?? findBeforeMedicare(answer, rows) ?? findBeforeLastResort(answer, rows)
    if (before) return [before]
    if (isMedicare) return []
    const supplements = findSupplements(rows, services, answer.patient.payer?.lastName ?? answer.payer.name)
    return supplements.length > 0 || !hasMedicareAsBeneficiary(answer, rows) ? supplements : [MEDICARE_FIRST]
  }
  const { name } = first
  if (isMedicare && isMedicareName(name ?? '')) return []
  return [
    {
      kind: 'OTHER_PAYER',
      note: `${ALERTS.otherPayer}: ${name ?? 'not named'}`,
      ...(name !== undefined && { payer: { name } }),
    },
  ]
}

/** A row without the texts of one sentence whose statement begins after the day, or ended before it: "enrolled in managed care effective 04/01/2026". */
function withoutTextsOfOtherDays(row: BenefitRow, day: string): BenefitRow {
  const sentences = sentencesOfEach(row.messages)
  if (!sentences.some((ofText) => ofText.every((sentence) => isOfOtherDays(sentence, day)))) return row
  return {
    ...row,
    messages: row.messages.filter((_, at) => !sentences[at]!.every((sentence) => isOfOtherDays(sentence, day))),
  }
}

const sentencesOfEach = onceForTexts((texts) => texts.map(sentencesOf))

const LATER = new RegExp(`\\b(?:EFF|EFFECTIVE|BEGINS?|BEGINNING|STARTS?|STARTING|AS OF)(?: (?:DATE|ON))*[ :-]+${DATE}`)

/** A payer or plan with its last day and nothing else: what follows AFTER or SINCE is another statement. */
const ENDED = new RegExp(
  `^(?!.*(?: - (?!${DATE})|[,;]|\\b(?:AFTER|AND|BUT|EXCEPT|FORMER|PREVIOUS|PRIOR|SINCE|WHEN|WITH)\\b)).*(?:${DATE} ?(?:-|TO|THRU|THROUGH|UNTIL)|\\b(?:THRU|THROUGH|UNTIL)) ?${DATE}\\W*$`,
)

function isOfOtherDays(sentence: string, day: string): boolean {
  const last = ENDED.test(sentence) ? datesOf(sentence).at(-1) : undefined
  if (last !== undefined && last < day) return true
  if (!LATER.test(sentence)) return false
  return datesOf(sentence).every((date) => date !== undefined && date > day)
}

/** What the words of a Medicaid answer state to pay instead of it or before it; a plan that a row names is a recommendation. */
function findBeforeMedicaid(answer: Answer, rows: readonly BenefitRow[]): StatedPrimacy | undefined {
  if (!answer.isMedicaid) return undefined
  if (!answer.isMedicare && rows.some((row) => isActiveRow(row) && row.insuranceType === 'MB')) {
    return MEDICARE_FIRST
  }
  const { inquiredPayer } = answer
  if (findManagedCarePlan(answer)) return undefined
  const unnamed = findUnnamedPlan(answer)
  const plan =
    unnamed ||
    rows
      .filter(({ code, insuranceType }) => code === MANAGED_CARE_COORDINATOR && insuranceType === 'HM')
      .map(({ planDescription = '' }) => planDescription)
      .find((name) => name !== '' && !inquiredPayer.some((payer) => isSameOrganization(payer, toKeys(name, undefined))))
  const names = [answer.payer.name, answer.patient.payer?.lastName]
  const ownNames = names.flatMap((name) => (name && !isMedicaidName(name) ? [organizationKey(name)] : []))
  const stated = rows.map(({ messages }) => paysBeforeMedicaid(messages, ownNames)).find(Boolean)
  const isOfProgram = names.some((name) => name && isMedicaidName(name))
  const isManaged = plan || unnamed !== undefined || (isOfProgram && rows.some(isNamedManagedCare))
  const before = isManaged ? 'MANAGED_CARE' : stated
  if (!before) return undefined
  const words = before === 'MANAGED_CARE' ? ALERTS.managedCare : ALERTS.otherPayer
  return { kind: 'OTHER_PAYER', note: `${words}: ${plan ?? 'not named'}`, ...(plan && { payer: { name: plan } }) }
}

/** A qualified Medicare beneficiary has Medicare by definition, also beside full Medicaid. A plan of either that a row names is a recommendation. Source: 42 U.S.C. 1396d(p)(1). */
function hasMedicareAsBeneficiary(answer: Answer, rows: readonly BenefitRow[]): boolean {
  if (!answer.isMedicaid || !isQualifiedBeneficiary(rows.filter(isActiveRow), answer.dateOfService)) return false
  return !findManagedCarePlan(answer) && !findAdvantagePlan(answer)
}

/** The name of an active plan of the state says what its texts may say: "PACE participant". */
function isNamedManagedCare(row: BenefitRow): boolean {
  const { planDescription } = row
  return isActiveRow(row) && planDescription !== undefined && paysBeforeMedicaid([planDescription]) === 'MANAGED_CARE'
}

/** The Medicare Advantage plan or PACE that the words of Medicare's own answer state; one that a row names is a recommendation. */
function findBeforeMedicare(answer: Answer, rows: readonly BenefitRow[]): StatedPrimacy | undefined {
  if (answer.isMedicaid || !isNamedMedicare(answer) || findAdvantagePlan(answer)) return undefined
  const isInPlan = rows.some(
    ({ messages }) => paysBeforeMedicaid(messages) === 'MANAGED_CARE' || namesAdvantageContract(messages),
  )
  return isInPlan ? { kind: 'OTHER_PAYER', note: `${ALERTS.advantage}: not named` } : undefined
}

/** Other insurance that the words of a TRICARE or CHAMPVA answer state. */
function findBeforeLastResort(
  { isLastResort, isMedicaid }: Answer,
  rows: readonly BenefitRow[],
): StatedPrimacy | undefined {
  if (isMedicaid || !isLastResort || !rows.some(({ messages }) => statesOtherInsurance(messages))) return undefined
  return { kind: 'OTHER_PAYER', note: `${ALERTS.otherPayer}: not named` }
}

/** Medicare, if a text about the coverage says so, or every active plan that covers the services pays only after it. */
function findSupplements(
  rows: readonly BenefitRow[],
  services: readonly string[],
  payerName: string | undefined,
): StatedPrimacy[] {
  const supplementing: StatedPrimacy[] = [
    { kind: 'OTHER_PAYER', note: `${ALERTS.otherPayer}: Medicare, which this plan supplements`, payer: MEDICARE },
  ]
  if (rows.some(({ code, messages }) => code === BENEFIT_DESCRIPTION && saysSupplement(messages))) return supplementing
  const supplements = rows.filter((row) => isActiveRow(row) && supplementsMedicare(row, payerName))
  if (supplements.length === 0) return []
  const isLimited = limitsIn(rows, { services, payerName })
  if (!rows.every((row) => !isActiveRow(row) || supplements.includes(row) || isLimited(row))) return []
  return supplementing
}
