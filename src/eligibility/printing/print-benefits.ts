// A finished check as text for the front desk: the output of `anteroom check` and `anteroom x12 decode`. Source: users.md.

import { isAlert, isMedicarePart, isStatusNote } from '../../contract/answer-notes.ts'
import { sayContact } from '../../x12/codes/contacts.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import { limitsOf } from '../answers/coverage/limits.ts'
import { isProhibition } from '../answers/coverage/qualified-beneficiary.ts'
import type {
  BenefitsRelatedEntity,
  CoverageBenefits,
  EligibilityStatus,
  ErrorDetails,
  ExpandedMemberInfo,
  ParsedResponse,
  PlanMetadata,
  RequestCorrection,
} from '../answers/wire.ts'
import { isRejection, printErrors } from './print-benefits-advice.ts'
import { printAccounts } from './print-benefits-figures.ts'
import { facts, type PrintOptions, plain, type Style, spell, styled, wrap } from './print-benefits-layout.ts'
import { printNotCovered, printServices, serviceName } from './print-benefits-services.ts'

export type { PrintOptions }

interface RequestedPerson {
  member_id?: string | null
  first_name?: string | null
  last_name?: string | null
  /** YYYY-MM-DD. */
  date_of_birth?: string | null
}

/** A check in the interface's spelling; unknown values are left out. */
export interface FinishedCheck {
  request?: {
    payer_id?: string
    subscriber?: RequestedPerson
    dependent?: RequestedPerson | null
    encounter?: { date_of_service?: string | null; service_type_codes?: readonly string[] | null } | null
  }
  parsed_response?: ParsedResponse
  errors?: readonly { errorDetails: ErrorDetails }[]
  request_corrections?: readonly RequestCorrection[]
}

/**
 * The check as lines of at most 100 characters, without a final line break. The first line is the status alone. Information that the payer
 * did not state is left out; computed values are marked. Never throws, and no text of the payer reaches the terminal as a control sequence.
 */
export function printBenefits(check: FinishedCheck, options: PrintOptions = {}): string {
  return [...sectionsOf(check, options)].map((lines) => lines.join('\n')).join('\n\n')
}

/** The sections of the check, to be separated by blank lines, one after the other: each of a large answer takes long. */
export function* sectionsOf(check: FinishedCheck, options: PrintOptions = {}): Generator<string[]> {
  const { parsed_response: parsed, errors = [], request_corrections: corrections = [] } = check
  const status = parsed?.eligibility_status ?? 'UNKNOWN'
  const benefits = parsed?.benefits
  const notes = benefits?.notes?.split('\n') ?? []
  const sections = [
    () => [
      styled(status, limitsOf(parsed).length > 0 ? 'open' : STATUS_STYLES[status], options),
      ...wrap(explainStatus(check), 0),
      ...printAlerts(notes, options),
    ],
    () => printErrors(errors.map(({ errorDetails }) => errorDetails)),
    () => facts(listFacts(check)),
    () => printCorrections(corrections, options),
    () => printServices(benefits?.service_specific_coverage, notes.some(isProhibition), options),
    () => printAccounts(benefits?.plan_coverage, options),
    () => (comparesNetworks(benefits) ? wrap(NETWORK_HINT, 0) : []),
    () => printNotCovered(benefits?.non_covered_details, options),
    () => printEntities(benefits?.benefits_related_entities, options),
    () => printNotes(notes, options),
  ]
  for (const print of sections) {
    const lines = print()
    if (lines.length > 0) yield lines
  }
}

/** Users read "in network" as "our provider is in the network", which EB12 does not state. Source: users.md 17. */
const NETWORK_HINT =
  'In and out of network are the terms of the plan; they do not say whether your provider is in its network.'

function comparesNetworks(benefits: CoverageBenefits | undefined): boolean {
  const parts = [benefits?.plan_coverage, ...(benefits?.service_specific_coverage ?? [])]
  return parts.some((part) => JSON.stringify(part?.in_network_flat) !== JSON.stringify(part?.out_of_network_flat))
}

const STATUS_STYLES: Readonly<Record<EligibilityStatus, Style>> = { ACTIVE: 'good', INACTIVE: 'bad', UNKNOWN: 'open' }

/** The status in one sentence, with the dates that decided it. */
function explainStatus({ parsed_response: parsed, errors = [], request }: FinishedCheck): string {
  const day = request?.encounter?.date_of_service ?? undefined
  const { start_date: start, end_date: end } = parsed?.plan_metadata ?? {}
  switch (parsed?.eligibility_status) {
    case 'ACTIVE':
      return `The payer reports active coverage${day === undefined ? '' : ` on ${day}`}${limitsOf(parsed).length > 0 ? ', with limits' : ''}.`
    case 'INACTIVE':
      if (day !== undefined && end !== undefined && end < day) {
        return `The coverage ended on ${end}, before the date of service ${day}.`
      }
      if (day !== undefined && start !== undefined && start > day) {
        return `The coverage begins on ${start}, after the date of service ${day}.`
      }
      return `The payer reports that the coverage is not active${day === undefined ? '' : ` on ${day}`}.`
    default:
      return explainUnknown(errors.map(({ errorDetails }) => errorDetails))
  }
}

function explainUnknown(errors: readonly ErrorDetails[]): string {
  if (errors.some(isRejection)) {
    return 'The payer rejected the inquiry. This does not mean that there is no coverage.'
  }
  if (errors.length > 0) return 'There is no usable answer. This says nothing about the coverage.'
  return 'The payer answered without stating whether the coverage is active. Call the payer before the visit.'
}

function listFacts({ parsed_response: parsed, request }: FinishedCheck): [string, string | undefined][] {
  const plan = parsed?.plan_metadata
  const subscriber = describePerson(plan?.subscriber ?? request?.subscriber)
  const dependent = describePerson(plan?.dependent ?? (plan?.subscriber ? undefined : request?.dependent))
  const { end_date: end, start_date: start } = plan ?? {}
  // The headline names the parts of Medicare that are active; the plan would be only the first of them.
  const isMedicare = parsed?.benefits?.notes?.split('\n').some(isMedicarePart) ?? false
  const codes = request?.encounter?.service_type_codes
  return [
    ['Patient', dependent ?? subscriber],
    ['Subscriber', dependent === undefined ? undefined : subscriber],
    ['Payer', withCode(plan?.payer_name, plan?.trading_partner ?? request?.payer_id)],
    [
      'Plan',
      [plan?.plan_name, isMedicare ? '' : (plan?.insurance_type ?? plan?.insurance_type_code)]
        .filter(Boolean)
        .join(', '),
    ],
    ['Member ID', plan?.member_id ?? request?.subscriber?.member_id ?? undefined],
    ['Group', plan?.group_number],
    ['Coverage', [start && `from ${start}`, end && describeEnd(end)].filter(Boolean).join(' ')],
    ['Other dates', describeDates(plan)],
    ['Asked about', codes?.map(serviceName).join(', ')],
  ]
}

/** Payers write "no end" as a date in the distant future. */
function describeEnd(end: string): string {
  return end >= '2200' ? 'without an end' : `until ${end}`
}

/** Name and birth date of the patient as they were sent, which the answer may contradict. */
export const askedPatient = ({ request }: FinishedCheck): string | undefined =>
  describePerson(request?.dependent ?? request?.subscriber)

function describePerson(person: ExpandedMemberInfo | RequestedPerson | null | undefined): string | undefined {
  if (!person) return undefined
  const middle = 'middle_name' in person ? person.middle_name : undefined
  const name = [person.first_name, middle, person.last_name].filter(Boolean).join(' ')
  const born = person.date_of_birth ? `born ${person.date_of_birth}` : undefined
  return [name, born].filter(Boolean).join(', ') || undefined
}

function withCode(name: string | undefined, code: string | undefined): string | undefined {
  return name === undefined || code === undefined ? (name ?? code) : `${name} (${code})`
}

/** The dates other than the beginning and the end of the coverage. */
function describeDates(plan: PlanMetadata | undefined): string | undefined {
  const texts = (plan?.plan_dates ?? []).flatMap(({ field_name, start_date, end_date }) => {
    const known = [plan?.start_date, plan?.end_date, undefined]
    if (known.includes(start_date) && known.includes(end_date)) return []
    const value = end_date === undefined || end_date === start_date ? start_date : `${start_date} to ${end_date}`
    return [`${spell(field_name)} ${value}`]
  })
  return texts.join(', ') || undefined
}

const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['member_id', 'member ID'],
  ['date_of_birth', 'date of birth'],
])

function printCorrections(corrections: readonly RequestCorrection[], options: PrintOptions): string[] {
  if (corrections.length === 0) return []
  const entries = corrections.map(({ property, request_value, corrected_value }): [string, string] => {
    const [person = '', field = ''] = property.split('.')
    return [
      `${person} ${PROPERTIES.get(field) ?? field.replaceAll('_', ' ')}`,
      `${request_value} -> ${corrected_value}`,
    ]
  })
  return [
    styled('The payer has different information (sent -> payer); update the record', 'title', options),
    ...facts(entries),
  ]
}

function printEntities(entities: readonly BenefitsRelatedEntity[] = [], options: PrintOptions): string[] {
  if (entities.length === 0) return []
  const lines = entities.flatMap(({ entityIdentifier, entityName, contactInformation = [], serviceTypeCodes = [] }) => {
    const contacts = contactInformation.map(sayContact)
    const services = serviceTypeCodes.filter((code) => code !== PLAN_SERVICE).map(serviceName)
    const about = services.length > 0 ? ` (for ${services.join(', ')})` : ''
    const who = [entityIdentifier, entityName].filter(Boolean).join(': ')
    return wrap(plain([`${who}${about}`, ...contacts].join('; ')), 2, '- ')
  })
  return [styled('Other insurance, care providers and contacts', 'title', options), ...lines]
}

function printNotes(all: readonly string[], options: PrintOptions): string[] {
  const notes = all.filter((note) => !isAlert(note) && !isMedicarePart(note) && !isStatusNote(note))
  if (notes.length === 0) return []
  return [styled('Notes of the payer', 'title', options), ...notes.flatMap((note) => wrap(note, 2, '- '))]
}

/** Facts that the status alone would hide are printed directly below it. */
function printAlerts(notes: readonly string[], options: PrintOptions): string[] {
  return [
    ...notes.filter(isAlert).flatMap((note) => wrap(note, 0).map((line) => styled(line, 'bad', options))),
    ...notes.filter(isStatusNote).flatMap((note) => wrap(note, 0).map((line) => styled(line, 'open', options))),
    ...notes.filter(isMedicarePart).flatMap((note) => wrap(note, 0)),
  ]
}
