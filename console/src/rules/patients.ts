// The fields of a patient that the front desk edits. All other fields of the record stay unchanged.
import type { ContactPoint, HumanName, MutablePatient, Patient } from '../api/generated.ts'
import type { Field } from './fields.ts'
import { codeLabel } from './names.ts'
import { oddBirthDate, oddEmail, oddState, oddTelephone, oddZip } from './oddities.ts'

const codes = <Code extends string>(...list: Code[]) => list.map((value) => ({ value, label: codeLabel(value) }))

export const sexes = codes('FEMALE', 'MALE', 'UNKNOWN', 'REFUSED')

const NAME = 'Name and birth'
const ADDRESS = 'Address'
const CONTACT = 'Contact'
const OTHER = 'Other'

type Person = MutablePatient

/** Sets an optional field, or removes it when the text is empty. */
function optional<Key extends keyof Person>(key: Key, text: string): (patient: Person) => Person {
  return ({ [key]: _, ...rest }) => (text === '' ? rest : { ...rest, [key]: text }) as Person
}

/**
 * The given names, and the checkbox for a person without one, so that a first name is not left out by mistake: payers find a person by it.
 */
export function givenNames<Value>({
  prefix = '',
  label,
  read,
  write,
  ...rest
}: {
  /** Of the fields' names. */
  prefix?: string
  label: string
  group: string
  read: (record: Value) => Pick<HumanName, 'family' | 'given'>
  write: (record: Value, given: string[]) => Value
}): readonly [Field<Value>, Field<Value>] {
  const [given, single] = [`${prefix}given`, `${prefix}single_name`]
  return [
    {
      ...rest,
      name: given,
      label,
      isRequired: true,
      unless: single,
      follow: (text) => (text === '' ? {} : { [single]: '' }),
      read: (record) => read(record).given.join(' '),
      write: (record, text) => write(record, text.split(/\s+/).filter(Boolean)),
    },
    {
      ...rest,
      name: single,
      label: 'Single name: there is no first name',
      input: 'checkbox',
      follow: (text) => (text === 'yes' ? { [given]: '' } : {}),
      read: (record) => (read(record).given.length === 0 && read(record).family !== '' ? 'yes' : ''),
      write: (record, text) => (text === 'yes' ? write(record, []) : record),
    },
  ]
}

const address = (
  label: string,
  key: 'city' | 'state' | 'postal_code' | 'country',
  autoComplete: string,
  odd?: (text: string, country: string) => string | undefined,
): Field<Person> => ({
  name: key,
  label,
  group: ADDRESS,
  isRequired: true,
  autoComplete,
  ...(odd && { odd: (text, value) => odd(text, value('country')) }),
  read: ({ primary_address }) => primary_address[key],
  write: (patient, text) => ({ ...patient, primary_address: { ...patient.primary_address, [key]: text } }),
})

const [given, single] = givenNames<Person>({
  label: 'First and middle names',
  group: NAME,
  read: ({ name }) => name,
  write: (patient, given) => ({ ...patient, name: { ...patient.name, given } }),
})

export const patientFields: readonly Field<Person>[] = [
  given,
  {
    name: 'family',
    label: 'Last name',
    group: NAME,
    isRequired: true,
    read: ({ name }) => name.family,
    write: (patient, text) => ({ ...patient, name: { ...patient.name, family: text } }),
  },
  single,
  {
    name: 'suffix',
    label: 'Suffix',
    group: NAME,
    read: ({ name }) => name.suffix ?? '',
    write: (patient, text) => {
      const { suffix, ...name } = patient.name
      return { ...patient, name: text === '' ? name : { ...name, suffix: text } }
    },
  },
  {
    name: 'birth_date',
    label: 'Birth date',
    group: NAME,
    input: 'date',
    isRequired: true,
    odd: (text) => oddBirthDate(text, new Date().toISOString().slice(0, 10)),
    read: ({ birth_date }) => birth_date,
    write: (patient, text) => ({ ...patient, birth_date: text }),
  },
  {
    name: 'biological_sex',
    label: 'Sex',
    group: NAME,
    options: sexes,
    isRequired: true,
    read: ({ biological_sex }) => biological_sex,
    write: (patient, text) => ({ ...patient, biological_sex: text as Person['biological_sex'] }),
  },
  {
    name: 'line',
    label: 'Street',
    group: ADDRESS,
    isRequired: true,
    read: ({ primary_address }) => primary_address.line.join(', '),
    write: (patient, text) => ({
      ...patient,
      primary_address: { ...patient.primary_address, line: text.split(/\s*,\s*/).filter(Boolean) },
    }),
  },
  address('City', 'city', 'off'),
  address('State', 'state', 'off', oddState),
  address('ZIP code', 'postal_code', 'off', oddZip),
  address('Country', 'country', 'off'),
  {
    name: 'telephone',
    label: 'Telephone',
    group: CONTACT,
    input: 'tel',
    odd: oddTelephone,
    read: ({ primary_telecom }) => primary_telecom?.value ?? '',
    write: ({ primary_telecom, ...patient }, text) =>
      text === '' ? patient : { ...patient, primary_telecom: { ...(primary_telecom ?? mobile), value: text } },
  },
  {
    name: 'email',
    label: 'Email',
    group: CONTACT,
    input: 'email',
    odd: oddEmail,
    read: ({ email }) => email ?? '',
    write: (patient, text) => optional('email', text)(patient),
  },
  {
    name: 'language',
    label: 'Language',
    group: CONTACT,
    read: ({ language }) => language ?? '',
    write: (patient, text) => optional('language', text)(patient),
  },
  {
    name: 'self_pay',
    label: 'Self-pay (no coverage is billed)',
    group: OTHER,
    input: 'checkbox',
    read: ({ self_pay }) => (self_pay ? 'yes' : ''),
    write: (patient, text) => ({ ...patient, self_pay: text === 'yes' }),
  },
]

const mobile: Pick<ContactPoint, 'use'> = { use: 'MOBILE' }

export const newPatient = (): MutablePatient => ({
  name: { family: '', given: [], use: 'OFFICIAL' },
  other_names: [],
  birth_date: '',
  biological_sex: '' as MutablePatient['biological_sex'],
  primary_address: { use: 'HOME', line: [], city: '', state: '', postal_code: '', country: 'US' },
  other_addresses: [],
  other_telecoms: [],
  contacts: [],
  general_practitioners: [],
  filing_order: { coverages: [] },
})

/** A stored patient in the form of a write: without the service's own fields. */
export function toMutablePatient(patient: Patient): MutablePatient {
  const { id, organization_id, deactivated, version, updated_at, updating_user_id, mrn, ...mutable } = patient
  return mutable
}

/** The list with one entry moved by one position; the same list when it cannot move. */
export function moved<Entry>(list: readonly Entry[], entry: Entry, by: -1 | 1): Entry[] {
  const from = list.indexOf(entry)
  const to = from + by
  if (from === -1 || to < 0 || to >= list.length) return [...list]
  const result = list.toSpliced(from, 1)
  return result.toSpliced(to, 0, entry)
}

/** The list with one entry moved before another, or to the end; the same list when either is not in it. */
export function movedBefore<Entry>(list: readonly Entry[], entry: Entry, before: Entry | undefined): Entry[] {
  if (!list.includes(entry) || entry === before || (before !== undefined && !list.includes(before))) return [...list]
  const rest = list.filter((each) => each !== entry)
  return rest.toSpliced(before === undefined ? rest.length : rest.indexOf(before), 0, entry)
}

export const places = ['Primary', 'Secondary', 'Tertiary'] as const
