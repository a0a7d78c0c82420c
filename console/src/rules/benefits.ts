// An answer for display: prices, accumulators and warnings. Figures are the payer's; nothing is guessed.
import {
  isAlert,
  isMedicarePart,
  kindOfAlert,
  PROHIBITION_TO_BILL,
  withoutAlert,
} from '../../../src/contract/answer-notes.ts'
import { money } from '../../../src/contract/money.ts'
import { whyNotInForce } from '../../../src/contract/not-in-force.ts'
import { type Amounts, accountsOf, figureNames, levelNames, whoseFigure } from '../../../src/contract/plan-accounts.ts'
import { isUnlimited } from '../../../src/contract/unlimited.ts'
import { usageNamed } from '../../../src/eligibility/answers/words/figures/usage.ts'
import type {
  CoverageDetails,
  CoverageLimit,
  CoverageValue,
  ParsedResponse,
  PlanCoverage,
  ServiceCoverage,
  StoredCheck,
} from '../api/generated.ts'
import { inShownForms } from './days.ts'
import { type Light, lightOf, lightWords } from './light.ts'
import { serviceTypeName } from './service-types.ts'

type Network = 'in' | 'out'

export const networkWords: Record<Network, string> = { in: 'In network', out: 'Out of network' }

export interface Bar extends Amounts {
  what: string
  who: string
  network: Network
}

/** Amounts in dollars, as the payer writes them, and the third that follows from two. Source: eligibility/users.md 4. */
export function barsOf(plan: PlanCoverage | undefined): Bar[] {
  const networks = [
    ['in', plan?.in_network],
    ['out', plan?.out_of_network],
  ] as const
  return networks.flatMap(([network, details]) =>
    accountsOf(details).map(({ kind: _, isOfContractYear: __, name, level, ...amounts }) => {
      return { what: name, who: inSentenceCase(levelNames[level]), network, ...amounts }
    }),
  )
}

const inSentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

export function dollars(amount: number | undefined): string {
  if (amount === undefined) return 'not stated'
  return isUnlimited(amount) ? 'no limit' : money(amount)
}

/** What the patient still pays of an amount, in words. Without a total, or what remains of it, nothing is said about that. */
export function remainingWords({ remaining, total }: Pick<Bar, 'remaining' | 'total'>): string {
  if (remaining === undefined) return total ? `${dollars(total)}, of which the rest is not stated` : dollars(total)
  return total === undefined
    ? `${dollars(remaining)} remaining`
    : `${dollars(remaining)} remaining of ${dollars(total)}`
}

export interface Cost {
  text: string
  note: string | undefined
  needsAuthorization: boolean
}

interface ServiceCosts {
  code: string
  in: Cost[]
  out: Cost[]
}

/** Every service with figures in the answer; those of `first` come first, in that order. */
export function servicesOf(services: readonly ServiceCoverage[] | undefined, first: readonly string[]): ServiceCosts[] {
  const rank = ({ code }: ServiceCosts) => (first.includes(code) ? first.indexOf(code) : first.length)
  return (services ?? [])
    .map((service) => ({
      code: service.service_code,
      in: (service.in_network_flat ?? []).map(costOf),
      out: (service.out_of_network_flat ?? []).map(costOf),
    }))
    .sort((a, b) => rank(a) - rank(b))
}

export function costOf({ type, unit, value, coverageLevel, additional_notes: note }: CoverageDetails): Cost {
  const amount = unit === 'CURRENCY' ? dollars(value) : unit === 'PERCENT' ? `${value}%` : String(value)
  const what = figureNames[type] ?? type.replaceAll('_', ' ').toLowerCase()
  const whose = whoseFigure(coverageLevel)
  if (type === 'LIMITATION') return { ...limitOf(amount, whose, note), needsAuthorization: needsAuthorization(note) }
  return {
    text: type === 'NON_COVERED' ? 'not covered' : `${amount} ${what}${whose}`,
    note,
    needsAuthorization: needsAuthorization(note),
  }
}

const needsAuthorization = (note = '') => /authori[sz]ation or certification required|precert|prior auth/i.test(note)

/**
 * `limit of 20` with the note "Visits, Calendar Year"; `15 remaining` with "Visits", or as the payer's label says, whatever else the row says, such as that an authorization is
 * required.
 */
function limitOf(amount: string, whose: string, note: string | undefined): Pick<Cost, 'text' | 'note'> {
  const facts = (note ?? '').split('; ').map((fact) => fact.split(', '))
  const usage = facts.flat().find((part) => usageWords.has(part))
  if (usage === undefined) {
    const label = facts.flatMap((parts) => usageNamed(parts.join(', ')) ?? []).at(0)
    return { text: label === undefined ? `limit of ${amount}${whose}` : `${amount} ${label}${whose}`, note }
  }
  const others = facts.map((parts) => parts.filter((part) => part !== usage || part.startsWith('Lifetime')).join(', '))
  return { text: `${amount} ${usageWords.get(usage)}${whose}`, note: others.filter(Boolean).join('; ') || undefined }
}

/** Periods and quantities of what is left or used of a limit, which is not the limit. Source: X12 615, X12 673. */
const usageWords: ReadonlyMap<string, string> = new Map([
  ['Remaining', 'remaining'],
  ['Lifetime Remaining', 'remaining'],
  ['Year to Date', 'used'],
  ['Quantity Used', 'used'],
])

interface Notes {
  /** The patient may not be billed for the cost sharing. Source: users.md 5 (QMB). */
  prohibitsBilling: boolean
  /** What a reader must not miss. */
  alerts: string[]
  /** Parts A, B and D of Medicare with their dates, which say more than the type of the plan. */
  parts: string[]
  rest: string[]
}

/** Not one note of many. Of an earlier check it has a label before it (src/eligibility/checks/merge-benefits.ts). */
const isProhibition = (line: string) => line.endsWith(PROHIBITION_TO_BILL)

export function notesOf(notes: string | undefined): Notes {
  const lines = inShownForms(notes ?? '')
    .split('\n')
    .filter(Boolean)
  const said = lines.filter((line) => !isProhibition(line))
  return {
    prohibitsBilling: lines.some(isProhibition),
    alerts: said.filter(isAlert).map(withoutAlert),
    parts: said.filter(isMedicarePart),
    rest: said.filter((line) => !isAlert(line) && !isMedicarePart(line)),
  }
}

/**
 * The limits of active coverage in an answer of a batch, whose published type has no field for them. The same rule as the service's
 * (src/eligibility/answers/coverage/limits.ts): alerts, except the prohibition to bill.
 */
export const limitsIn = (notes: string | undefined): CoverageLimit[] =>
  notesOf(notes).alerts.map((note) => ({ kind: kindOfAlert(note), note }))

/** The coverage has the notes of its answers with the reason why the plan is not in force; an answer alone has the days of the plan. */
function withReason(stored: StoredCheck): ParsedResponse['benefits'] {
  const { parsed_response: answer } = stored.check
  if (answer?.eligibility_status !== 'INACTIVE') return answer?.benefits
  const day = stored.date_of_service ?? stored.initiated_at.slice(0, 10)
  const notes = [`Inactive on ${day}.`, whyNotInForce(answer.plan_metadata, day), answer.benefits?.notes]
  return { ...answer.benefits, notes: notes.filter((line) => line !== undefined).join('\n') }
}

export function lightOfCheck(stored: StoredCheck): Light {
  const { check_id, status, initiated_at, check, limits = [] } = stored
  const inquiry = { check_id, initiated_at }
  if (status === 'PENDING') {
    const metadata = { ...inquiry, status, service_code: '30' as const, initiated_by: '' }
    return lightOf({ status: 'ACTIVE', eligibility_checks: [metadata] })
  }
  const outcome = check.parsed_response?.eligibility_status ?? 'UNKNOWN'
  const errors = (check.errors ?? []).map(({ errorDetails }) => errorDetails)
  const benefits = withReason(stored)
  return lightOf({
    status: 'ACTIVE',
    latest_eligibility_check: { ...inquiry, status: outcome, errors },
    limits,
    ...(benefits && { benefits }),
  })
}

/** The facts to compare between two checks, without amounts that decrease with every visit. */
export function gistOf(answer: ParsedResponse): object {
  const { plan_metadata: plan, benefits } = answer
  const individual = (value: CoverageValue | undefined) => dollars(value?.individual)
  const network = benefits?.plan_coverage?.in_network
  return {
    status:
      lightWords[
        answer.eligibility_status === 'ACTIVE'
          ? 'active'
          : answer.eligibility_status === 'INACTIVE'
            ? 'inactive'
            : 'unknown'
      ],
    plan: plan?.plan_name,
    payer: plan?.payer_name,
    member_id: plan?.member_id,
    group: plan?.group_number,
    begins: plan?.start_date,
    ends: plan?.end_date,
    ...(network?.deductible && { deductible_in_network: individual(network.deductible) }),
    ...(network?.oop_max && { out_of_pocket_maximum_in_network: individual(network.oop_max) }),
    in_network: Object.fromEntries(
      servicesOf(benefits?.service_specific_coverage, []).map(({ code, in: costs }) => [
        serviceTypeName(code),
        costs.map(({ text }) => text).join(', '),
      ]),
    ),
  }
}
