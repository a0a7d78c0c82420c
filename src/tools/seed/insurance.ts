// Invented coverages with the payers of the sandbox clearinghouse, so that their eligibility checks get answers.
import type { Static } from 'typebox'
import { MEDICARE_PAYER_ID } from '../../payers/medicare.ts'
import type { InsurancePlan, MutableCoverage } from '../../resources/coverages/coverage.schema.ts'
import type { Roster, RosterMember, RosterPayer } from '../sandbox/roster.ts'
import { type Chance, chanceFor } from './chance.ts'
import { type Person, people } from './people.ts'

type Plan = Static<typeof InsurancePlan>
type Product = Pick<Plan, 'name' | 'type' | 'plan_type'>

/** The roster has this payer for faulty answers only. */
const FAULTY_PAYER = 'SBTEST'
const MEDICAID = 'EXMCD'
const DENTAL = 'EXDEN'
const MEDICARE_AGE = 65

const commercialProducts: Product[] = [
  { name: 'CHOICE PLUS PPO', type: 'PR', plan_type: '12' },
  { name: 'CARE HMO', type: 'HM', plan_type: 'HM' },
  { name: 'TIERED CHOICE', type: 'C1', plan_type: 'CI' },
  { name: 'HSA QUALIFIED HIGH DEDUCTIBLE PLAN', type: 'PR', plan_type: '12' },
]

const publicProducts: Record<string, Product> = {
  [MEDICARE_PAYER_ID]: { name: 'MEDICARE PART B', type: 'MB', plan_type: 'MB' },
  [MEDICAID]: { name: 'MEDICAID FULL BENEFITS', type: 'MC', plan_type: 'MC' },
  [DENTAL]: { name: 'DENTAL PREFERRED', type: 'IN' },
}

/** Three coverages for two patients, and some patients with none. */
const COUNTS = [1, 2, 1, 2, 1, 3, 2, 0, 2, 1]

export function coverageCount(number: number): number {
  return COUNTS[number % COUNTS.length] ?? 0
}

/** The members of the sandbox's payers, each person once: a check of their coverage has a full answer. */
export function knownMembers(roster: Roster): RosterMember[] {
  const people = new Map<string, RosterMember>()
  for (const member of roster.members) {
    const person = `${member.lastName} ${member.firstName} ${member.birthDate}`
    if (member.payer !== FAULTY_PAYER && !people.has(person)) people.set(person, member)
  }
  return [...people.values()]
}

/**
 * The payers of a patient in their filing order. The payer that has the member comes first, or Medicare where age allows; no payer is
 * repeated.
 */
export function payersOf(
  { number, person, member }: { number: number; person: Person; member?: RosterMember | undefined },
  roster: Roster,
  year: number,
): RosterPayer[] {
  const chance = chanceFor('payers', number)
  const payers = roster.payers.filter(({ id }) => id !== FAULTY_PAYER)
  const commercial = payers.filter(({ id }) => publicProducts[id] === undefined)
  const ofAge = year - Number(person.birthDate.slice(0, 4)) > MEDICARE_AGE
  const medicare = ofAge ? MEDICARE_PAYER_ID : undefined
  const medicaid = !ofAge && chance.happens(0.15) ? MEDICAID : undefined
  const start = chance.below(commercial.length)
  const known = member?.payer ?? medicare ?? medicaid
  const chosen = [known, commercial[start]?.id, DENTAL, commercial[(start + 1) % commercial.length]?.id]
  return [...new Set(chosen)]
    .flatMap((id) => payers.find((payer) => payer.id === id) ?? [])
    .slice(0, coverageCount(number))
}

/** One coverage in the form in which the service stores it (rules.md 10); `member`: the patient's record at this payer. */
export function makeCoverage(
  patientId: string,
  person: Person,
  { payer, member }: { payer: RosterPayer; member?: RosterMember | undefined },
  chance: Chance,
): MutableCoverage {
  const isOwn = chance.happens(0.85) || member !== undefined
  const subscriber = { family: person.name.family, given: [chance.oneOf(people.female)], use: 'OFFICIAL' as const }
  return {
    status: chance.weighted({ ACTIVE: 94, CANCELLED: 4, DRAFT: 2 }),
    patient: patientId,
    relationship: isOwn ? 'SELF' : 'SPOUSE',
    subscriber: {
      name: isOwn ? person.name : subscriber,
      biological_sex: isOwn ? person.sex : 'FEMALE',
      ...(isOwn && { date_of_birth: person.birthDate }),
      address: person.address,
      ...(publicProducts[payer.id] === undefined && { employer_name: chance.oneOf(people.employers) }),
    },
    insurance_plan: {
      member_id: `W${String(chance.below(1e9)).padStart(9, '0')}`,
      payer_id: payer.id,
      payer_name: payer.name,
      group_number: `G${String(chance.below(5000)).padStart(5, '0')}`,
      period: { start: `${2022 + chance.below(4)}-01-01` },
      ...(publicProducts[payer.id] ?? chance.oneOf(commercialProducts)),
      ...(member && { member_id: member.memberId }),
      ...(member?.group && { group_number: member.group.number }),
    },
    verified: chance.happens(0.8),
    orcon: false,
    auto_update_enabled: true,
  }
}
