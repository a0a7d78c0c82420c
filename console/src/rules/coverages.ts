// The fields of a coverage that the front desk edits.
import type { Coverage, MutableCoverage, Patient, RequestCorrection } from '../api/generated.ts'
import type { Field } from './fields.ts'
import { codeLabel } from './names.ts'
import { oddBirthDate, oddEnd, oddMemberId } from './oddities.ts'
import { givenNames, sexes } from './patients.ts'

const codes = (...list: string[]) => list.map((value) => ({ value, label: codeLabel(value) }))

const PLAN = 'Plan'
const SUBSCRIBER = 'Subscriber'

type Insured = MutableCoverage
type Plan = Insured['insurance_plan']

const plan = (
  name: keyof Plan & ('member_id' | 'group_number' | 'name'),
  label: string,
  isRequired = false,
  odd?: (text: string) => string | undefined,
): Field<Insured> => ({
  name,
  label,
  group: PLAN,
  isRequired,
  ...(odd && { odd }),
  read: ({ insurance_plan }) => insurance_plan[name] ?? '',
  write: (coverage, text) => {
    const { [name]: _, ...rest } = coverage.insurance_plan
    return { ...coverage, insurance_plan: (text === '' ? rest : { ...rest, [name]: text }) as Plan }
  },
})

const period = (name: 'start' | 'end', label: string): Field<Insured> => ({
  name: `period_${name}`,
  label,
  group: PLAN,
  input: 'date',
  read: ({ insurance_plan }) => insurance_plan.period?.[name] ?? '',
  write: (coverage, text) => {
    const { [name]: _, ...rest } = coverage.insurance_plan.period ?? {}
    const dates = text === '' ? rest : { ...rest, [name]: text }
    return { ...coverage, insurance_plan: { ...coverage.insurance_plan, period: dates } }
  },
})

/** The payer is chosen by search: its id and its name are one field, `60054|Aetna`. */
export const payerText = (id: string, name: string) => (id ? `${id}|${name}` : '')
/** The input of the form for a payer that an answer names. Without an ID its name is searched for, so that nobody has to remember it. */
export const typedPayer = (
  id: string,
  name: string,
): { payer: string } & Partial<Record<typeof PAYER_SEARCH, string>> =>
  id || !name ? { payer: payerText(id, name) } : { payer: '', [PAYER_SEARCH]: name }
/** What is typed in the search for a payer when the form opens. */
export const PAYER_SEARCH = 'payer_search'
export function readPayer(text: string): { payer_id: string; payer_name: string } {
  const [id = '', ...name] = text.split('|')
  return { payer_id: id, payer_name: name.join('|') }
}

const [given, single] = givenNames<Insured>({
  prefix: 'subscriber_',
  label: 'Subscriber’s first names',
  group: SUBSCRIBER,
  read: ({ subscriber }) => subscriber.name,
  write: (coverage, given) => withSubscriber(coverage, { name: { ...coverage.subscriber.name, given } }),
})

export const coverageFields: readonly Field<Insured>[] = [
  {
    name: 'payer',
    label: 'Payer',
    group: PLAN,
    isRequired: true,
    read: ({ insurance_plan: { payer_id, payer_name } }) => payerText(payer_id, payer_name),
    write: (coverage, text) => ({ ...coverage, insurance_plan: { ...coverage.insurance_plan, ...readPayer(text) } }),
  },
  plan('member_id', 'Member ID', true, oddMemberId),
  plan('group_number', 'Group number'),
  plan('name', 'Plan name'),
  period('start', 'Begins'),
  { ...period('end', 'Ends'), odd: (text, value) => oddEnd(text, value('period_start')) },
  {
    name: 'status',
    label: 'Record status',
    group: PLAN,
    options: codes('ACTIVE', 'CANCELLED', 'DRAFT', 'ENTERED_IN_ERROR'),
    isRequired: true,
    read: ({ status }) => status,
    write: (coverage, text) => ({ ...coverage, status: text as Insured['status'] }),
  },
  {
    name: 'relationship',
    label: 'Patient’s relationship to subscriber',
    group: SUBSCRIBER,
    options: [
      { value: 'SELF', label: 'Self (the patient)' },
      ...codes('SPOUSE', 'CHILD', 'COMMON_LAW_SPOUSE', 'OTHER'),
    ],
    isRequired: true,
    read: ({ relationship }) => relationship,
    write: (coverage, text) => ({ ...coverage, relationship: text as Insured['relationship'] }),
  },
  given,
  {
    name: 'subscriber_family',
    label: 'Subscriber’s last name',
    group: SUBSCRIBER,
    isRequired: true,
    read: ({ subscriber }) => subscriber.name.family,
    write: (coverage, text) => withSubscriber(coverage, { name: { ...coverage.subscriber.name, family: text } }),
  },
  single,
  {
    name: 'subscriber_suffix',
    label: 'Subscriber’s suffix',
    group: SUBSCRIBER,
    read: ({ subscriber }) => subscriber.name.suffix ?? '',
    write: (coverage, text) => {
      const { suffix, ...name } = coverage.subscriber.name
      return withSubscriber(coverage, { name: text === '' ? name : { ...name, suffix: text } })
    },
  },
  {
    name: 'subscriber_birth_date',
    label: 'Subscriber’s birth date',
    group: SUBSCRIBER,
    input: 'date',
    odd: (text) => oddBirthDate(text, new Date().toISOString().slice(0, 10)),
    read: ({ subscriber }) => subscriber.date_of_birth ?? '',
    write: (coverage, text) => {
      const { date_of_birth, ...subscriber } = coverage.subscriber
      return { ...coverage, subscriber: text === '' ? subscriber : { ...subscriber, date_of_birth: text } }
    },
  },
  {
    name: 'subscriber_sex',
    label: 'Subscriber’s sex',
    group: SUBSCRIBER,
    options: sexes,
    isRequired: true,
    read: ({ subscriber }) => subscriber.biological_sex,
    write: (coverage, text) =>
      withSubscriber(coverage, { biological_sex: text as Insured['subscriber']['biological_sex'] }),
  },
]

/**
 * The fields of a coverage of this patient. A subscriber who is another person begins empty, so that a newborn's coverage is not saved, and
 * the payer not asked, with the newborn as the subscriber.
 */
export function coverageFieldsOf(patient: Patient): readonly Field<Insured>[] {
  const own = newCoverage(patient)
  const subscriber = coverageFields.filter(({ group, name }) => group === SUBSCRIBER && name !== 'relationship')
  const texts = Object.fromEntries(subscriber.map(({ name, read }) => [name, read(own)]))
  const follow: Field<Insured>['follow'] = (relationship, value) => {
    if (relationship === 'SELF') return texts
    const isPatient = subscriber.every(({ name }) => value(name).trim() === texts[name])
    return isPatient ? Object.fromEntries(subscriber.map(({ name }) => [name, ''])) : {}
  }
  return coverageFields.map((field) => (field.name === 'relationship' ? { ...field, follow } : field))
}

const withSubscriber = (coverage: Insured, change: Partial<Insured['subscriber']>): Insured => ({
  ...coverage,
  subscriber: { ...coverage.subscriber, ...change },
})

/** A new coverage: the patient is the subscriber by default. */
export const newCoverage = (patient: Patient): MutableCoverage => ({
  status: 'ACTIVE',
  patient: patient.id,
  relationship: 'SELF',
  verified: false,
  subscriber: { name: patient.name, date_of_birth: patient.birth_date, biological_sex: patient.biological_sex },
  insurance_plan: { member_id: '', payer_id: '', payer_name: '' },
})

/** The subscriber's birth date, where the patient is the subscriber and has another one. */
export const otherBirthDate = (
  { relationship, subscriber: { date_of_birth: born } }: Pick<MutableCoverage, 'relationship' | 'subscriber'>,
  { birth_date }: Pick<Patient, 'birth_date'>,
): string | undefined => (relationship === 'SELF' && born !== undefined && born !== birth_date ? born : undefined)

/** A stored coverage in the form of a write: without the service's own fields. */
export function toMutableCoverage(coverage: Coverage): MutableCoverage {
  const { id, organization_id, deactivated, version, updated_at, updating_user_id, ...mutable } = coverage
  return mutable
}

const fieldOfProperty: Record<string, string> = {
  'subscriber.member_id': 'member_id',
  'subscriber.first_name': 'subscriber_given',
  'subscriber.last_name': 'subscriber_family',
  'subscriber.date_of_birth': 'subscriber_birth_date',
  'subscriber.group_number': 'group_number',
}

const wordsOfProperty: Record<string, string> = {
  member_id: 'Member ID',
  first_name: 'First name',
  last_name: 'Last name',
  date_of_birth: 'Birth date',
  gender: 'Sex',
  group_number: 'Group number',
}

/** `Subscriber: last name` */
export function propertyLabel(property: string): string {
  const [whose = '', what = ''] = property.split('.')
  const word = wordsOfProperty[what] ?? what
  return `${codeLabel(whose)}: ${word.charAt(0).toLowerCase()}${word.slice(1)}`
}

const fieldOf = ({ property }: RequestCorrection) =>
  coverageFields.find(({ name }) => name === fieldOfProperty[property])

/** The coverage with the payer's values; undefined when the correction applies to the patient's record instead. */
export const withCorrection = (coverage: MutableCoverage, correction: RequestCorrection): MutableCoverage | undefined =>
  fieldOf(correction)?.write(coverage, correction.corrected_value)

/** Whether the coverage has the payer's value already; payers write in capital letters. */
export function isCorrected(coverage: MutableCoverage, correction: RequestCorrection): boolean {
  const text = fieldOf(correction)?.read(coverage)
  return text?.toUpperCase() === correction.corrected_value.toUpperCase()
}
