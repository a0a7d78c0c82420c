import { OTHER_PAYER } from '../../../x12/codes/benefits.ts'
import { INSURED, PAYER, PAYER_ORDERS, PROVIDER } from '../../../x12/codes/entities.ts'
import { NPI } from '../../../x12/codes/identification.ts'
import { insuranceTypeNames, MEDICARE_PRIMARY } from '../../../x12/codes/insurance-types.ts'
import { GROUP_NUMBER, MEMBER_ID_REFERENCE, PLAN_NUMBER, POLICY_NUMBER } from '../../../x12/codes/references.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import type { BenefitRow, Party } from '../../../x12/model.ts'
import { fullName } from '../benefits/related-entities.ts'
import { MOST_TEXTS } from '../payer-text.ts'
import { describeBriefly, MOST_SERVICES } from '../stedi-form/stedi-benefits.ts'
import { present } from '../stedi-form/stedi-parties.ts'
import { isProgram, managedCareOrganization } from './medicaid-managed-care.ts'
import { isAdvantageRow, isPartDRow, MEDICARE_SECONDARY_TYPES } from './medicare-advantage.ts'
import {
  type Answer,
  coverageDates,
  isInForce,
  isInquiredPayer,
  isMedicaidName,
  isMedicareName,
  isNamedMedicare,
  organizationsOf,
  rowReference,
} from './other-coverage.ts'
import { QUALIFIED_BENEFICIARY } from './qualified-beneficiary.ts'
import { saysPrimary } from './stated-primacy.ts'

/** The payload of COORDINATION_OF_BENEFITS. The interface leaves it open; our choice of keys. */
export interface OtherPayers {
  /** Who pays first, as far as the answer states it. */
  primacy: 'OTHER_PAYER_IS_PRIMARY' | 'ASKED_PAYER_IS_PRIMARY' | 'UNDETERMINED'
  other_payers: OtherPayer[]
}

interface OtherPayer {
  payer_name?: string
  /** From the payer directory (`withPayerIds`). */
  payer_id?: string
  /** NM109 of the answer, which is seldom an id that inquiries can use. */
  stated_payer_id?: string
  order: PayerOrder
  insurance_type_code?: string
  insurance_type?: string
  /** Absent: all services. */
  service_type_codes?: string[]
  member_id?: string
  group_number?: string
  policy_number?: string
  plan_number?: string
  /** The policyholder. */
  insured_name?: string
  /** YYYY-MM-DD. */
  start_date?: string
  end_date?: string
  prior_carrier?: string
  /** The row, as an entry of the raw response's `benefitsInformation`. */
  benefit: object
}

/** True for a payer of the plan or of one of the services. */
export function paysFor({ service_type_codes: codes = [] }: OtherPayer, services: readonly string[]): boolean {
  return codes.length === 0 || codes.includes(PLAN_SERVICE) || codes.some((code) => services.includes(code))
}

type PayerOrder = 'PRIMARY' | 'SECONDARY' | 'TERTIARY' | 'UNKNOWN'

type Unsifted<Shape> = { [key in keyof Shape]: Shape[key] | undefined }

/** More than real answers name; the bound keeps hostile ones from filling the store. */
const MAX_PAYERS = 20

const PRIOR_CARRIER = 'P4'
/** NM101 of former payers, insured people, employers and providers. */
const NO_PAYERS: ReadonlySet<string | undefined> = new Set([
  PRIOR_CARRIER,
  INSURED,
  '36',
  '13',
  PROVIDER,
  '73',
  'FA',
  'P3',
])

const LATER: ReadonlySet<string | undefined> = new Set(['SEP', 'TTP'])

/**
 * The other insurance that is in force on the date of service and is neither the patient's Medicare Advantage or Medicaid managed care plan
 * nor a Medicare drug plan. Undefined when the answer names none. Source: x12-271.md 10; X12 RFI 2343.
 */
export function findOtherPayers(answer: Answer): OtherPayers | undefined {
  const rows = answer.patient.benefits.filter((row) => isOtherInsurance(row, answer))
  const distinct = new Map<string, OtherPayer>()
  let room = MAX_PAYERS
  for (const row of rows) {
    const parties = room > 0 ? payersOf(row, answer).slice(0, room) : []
    if (parties.length === 0) continue
    room -= parties.length
    // A row may name thousands of organizations: it is described, and its texts are read, once for all of them.
    const benefit = describeBriefly(row)
    const saysFirst = once(() => statesPrimary(row, answer))
    const text = rows.length > 1 ? JSON.stringify(benefit) : ''
    for (const party of parties) {
      const payer = describePayer(row, party, orderOf(row, party, answer, saysFirst), answer.dateOfService)
      distinct.set(JSON.stringify(payer) + text, { ...payer, benefit })
    }
  }
  const payers = [...distinct.values()]
  return payers.length === 0 ? undefined : { primacy: primacyOf(rows, payers, answer), other_payers: payers }
}

function isOtherInsurance(row: BenefitRow, answer: Answer): boolean {
  if (row.code !== OTHER_PAYER && !namesPrimary(row, answer)) return false
  if (!isInForce(row, answer.dateOfService)) return false
  return !isPartDRow(row, answer) && !isAdvantageRow(row, answer) && managedCareOrganization(row, answer) === undefined
}

/** Payers name a primary payer under rows of other codes, too: "contact following entity", or the active plan itself. */
function namesPrimary(row: BenefitRow, answer: Answer): boolean {
  if (row.entities.length === 0) return false
  return (
    isInquiredLater(row, answer) ||
    organizationsOf(row).some((party) => {
      return party.entityCode === 'PRP' && !isInquiredPayer(answer, party) && !(answer.isMedicaid && isProgram(party))
    })
  )
}

/** True when a row names the inquired payer as the secondary or tertiary one. */
function isInquiredLater(row: BenefitRow, answer: Answer): boolean {
  return organizationsOf(row).some((party) => LATER.has(party.entityCode) && isInquiredPayer(answer, party))
}

/**
 * The payers of a row other than the inquired one; undefined stands for one that the row does not name. For a Medicaid plan, the state's
 * program is not another payer.
 */
function payersOf(row: BenefitRow, answer: Answer): (Party | undefined)[] {
  const organizations = organizationsOf(row)
  const others = organizations
    .filter((party) => party.idQualifier !== NPI && !isNoPayer(party, answer))
    .filter((party) => !isInquiredPayer(answer, party) && !(answer.isMedicaid && isProgram(party)))
  const payers = others.filter(({ entityCode }) => entityCode === PAYER || PAYER_ORDERS.has(entityCode))
  // The tertiary payer after a secondary one follows a primary one, too.
  const isUnnamed = isInquiredLater(row, answer) && others.every(({ entityCode }) => LATER.has(entityCode))
  if (isUnnamed) return [...others, undefined]
  if (payers.length > 0) return payers
  if (others.length > 0) return others
  // A row that names only the inquired payer, a former carrier or an employer, or help with the cost of Medicare, does not imply another
  // payer, unless its type is Medicare as secondary payer.
  const implies = MEDICARE_SECONDARY_TYPES.has(row.insuranceType)
    ? organizations.every(({ entityCode }) => NO_PAYERS.has(entityCode) && entityCode !== PRIOR_CARRIER)
    : organizations.length === 0
  return implies && row.insuranceType !== QUALIFIED_BENEFICIARY ? [undefined] : []
}

/** New York names the Medicare that its members have now, with no last day, by the code of a former carrier. Source: eMedNY, 271. */
function isNoPayer({ entityCode, lastName = '' }: Party, answer: Answer): boolean {
  if (entityCode === PRIOR_CARRIER && answer.isMedicaid && NAMES_MEDICARE.test(lastName)) return false
  return NO_PAYERS.has(entityCode)
}

function describePayer(
  row: BenefitRow,
  party: Party | undefined,
  order: PayerOrder,
  day: string,
): Omit<OtherPayer, 'benefit'> {
  const name = party?.lastName
  const insured = row.entities.find(({ entityCode }) => entityCode === INSURED)
  const prior = organizationsOf(row).find((each) => each.entityCode === PRIOR_CARRIER && each !== party)
  const { start, end } = coverageDates(row, day)
  const payer: Unsifted<Omit<OtherPayer, 'payer_id' | 'benefit'>> = {
    payer_name: name,
    stated_payer_id: party?.id,
    order,
    insurance_type_code: row.insuranceType,
    insurance_type: row.insuranceType && insuranceTypeNames[row.insuranceType],
    service_type_codes: row.serviceTypeCodes.slice(0, MOST_SERVICES),
    member_id: insured?.id ?? rowReference(row, MEMBER_ID_REFERENCE),
    group_number: rowReference(row, GROUP_NUMBER),
    policy_number: rowReference(row, POLICY_NUMBER, 'IG'),
    plan_number: rowReference(row, PLAN_NUMBER),
    insured_name: insured && fullName(insured),
    start_date: start,
    end_date: end,
    prior_carrier: prior?.lastName,
  }
  return present(payer) as unknown as Omit<OtherPayer, 'benefit'>
}

/**
 * The order of a payer. Medicare's own statement that it is the secondary payer (MSP) makes the other one primary, whatever NM101 says. If
 * the entity states no order: a Medicare that another payer names as MSP is secondary, for MP Medicare is primary, and any payer is primary
 * to Medicaid, TRICARE and CHAMPVA. Source: X12 1336; 42 CFR 433.139.
 */
function orderOf(row: BenefitRow, party: Party | undefined, answer: Answer, saysFirst: () => boolean): PayerOrder {
  const { insuranceType } = row
  const isMedicareSecond = MEDICARE_SECONDARY_TYPES.has(insuranceType)
  if (isMedicareSecond && answer.isMedicare) return 'PRIMARY'
  const stated = PAYER_ORDERS.get(party?.entityCode)
  if (stated) return stated
  if (isMedicareSecond && party && isMedicareOrUnnamed(party)) return 'SECONDARY'
  if (isMedicareSecond || answer.isMedicaid || isInquiredLater(row, answer)) return 'PRIMARY'
  if (answer.isLastResort && !paysLast(insuranceType, party)) return 'PRIMARY'
  if (insuranceType === MEDICARE_PRIMARY && isMedicareOrUnnamed(party) && !isNamedMedicare(answer)) return 'PRIMARY'
  return saysFirst() ? 'PRIMARY' : 'UNKNOWN'
}

/** True when a text of the row states that its payer is primary. */
function statesPrimary({ messages, planDescription = '' }: BenefitRow, { inquiredPayer }: Answer): boolean {
  const names = inquiredPayer.map(({ name }) => name)
  return [planDescription, ...messages.slice(0, MOST_TEXTS)].some((text) => saysPrimary(text, names))
}

function once<Value>(find: () => Value): () => Value {
  let found: { value: Value } | undefined
  return () => {
    found ??= { value: find() }
    return found.value
  }
}

/** Medicaid and supplements pay after TRICARE and CHAMPVA. Source: 32 CFR 199.8(d). */
function paysLast(insuranceType: string | undefined, party: Party | undefined): boolean {
  return LAST.has(insuranceType) || isMedicaidName(party?.lastName ?? '')
}

/** EB04: Medicaid, Medigap, supplemental policy. */
const LAST: ReadonlySet<string | undefined> = new Set(['MC', 'MH', 'MI', 'SP'])

/** The contractors that pay for Medicare have its name in theirs: NORIDIAN MEDICARE. */
function isMedicareOrUnnamed(party: Party | undefined): boolean {
  return party === undefined || isMedicareName(party.lastName ?? '') || NAMES_MEDICARE.test(party.lastName ?? '')
}

const NAMES_MEDICARE = /\bMEDICARE\b/i

function primacyOf(rows: BenefitRow[], payers: OtherPayer[], answer: Answer): OtherPayers['primacy'] {
  if (payers.some(({ order }) => order === 'PRIMARY')) return 'OTHER_PAYER_IS_PRIMARY'
  const isAskedFirst = rows.some((row) =>
    organizationsOf(row).some((party) => party.entityCode === 'PRP' && isInquiredPayer(answer, party)),
  )
  const areOthersLater = payers.every(({ order }) => order === 'SECONDARY' || order === 'TERTIARY')
  return isAskedFirst || areOthersLater ? 'ASKED_PAYER_IS_PRIMARY' : 'UNDETERMINED'
}
