// Invented patients: realistic names, with addresses and phone numbers that match.
import { readFileSync } from 'node:fs'
import type { Static } from 'typebox'
import type { Address, ContactPoint, ExternalProvider, HumanName } from '../../contract/common.schema.ts'
import { packageFile } from '../../platform/package-root.ts'
import type { MutablePatientWithMrn } from '../../resources/patients/create-patient.ts'
import type { RosterMember } from '../sandbox/roster.ts'
import { type Chance, chanceFor } from './chance.ts'

interface People {
  families: string[]
  female: string[]
  male: string[]
  streets: string[]
  streetKinds: string[]
  cities: { city: string; state: string; zip: string; area: string }[]
  doctors: { family: string; given: string; npi: string }[]
  employers: string[]
}

export const people: People = JSON.parse(readFileSync(packageFile('src', 'tools', 'seed', 'people.json'), 'utf8'))

/** The values that all of a patient's records share. */
export interface Person {
  mrn: string
  name: Static<typeof HumanName>
  birthDate: string
  sex: 'FEMALE' | 'MALE'
  address: Static<typeof Address>
  phone: string
  doctor: Static<typeof ExternalProvider>
}

/** Every hundredth patient was registered twice: the same person as the previous one, with a separate MRN. */
const TWICE_EVERY = 100

export function isRegisteredTwice(number: number): boolean {
  return number > 1 && number % TWICE_EVERY === 0
}

/** Generated MRNs consist of digits only (rules.md 6), so they never collide with these. */
export function mrnOf(number: number): string {
  return `S${String(number).padStart(7, '0')}`
}

/** Patient `number`, counted from 1; `member`: a member of one of the sandbox's payers. */
export function makePerson(number: number, member?: RosterMember): Person {
  const chance = chanceFor('person', isRegisteredTwice(number) ? number - 1 : number)
  const sex = chance.happens(0.52) ? 'FEMALE' : 'MALE'
  const given = sex === 'FEMALE' ? people.female : people.male
  const names = chance.happens(0.3) ? [chance.oneOf(given), chance.oneOf(given)] : [chance.oneOf(given)]
  const place = chance.oneOf(people.cities)
  const made: Person = {
    mrn: mrnOf(number),
    name: {
      family: frequentFirst(people.families, chance),
      given: names,
      use: 'OFFICIAL',
      ...(sex === 'MALE' && chance.happens(0.02) && { suffix: 'Jr.' }),
    },
    birthDate: birthDate(chance),
    sex,
    address: addressIn(place, chance),
    phone: `${place.area}555${String(chance.below(10_000)).padStart(4, '0')}`,
    doctor: doctorOf(chance),
  }
  return member ? { ...made, ...namedAs(member) } : made
}

function namedAs({ firstName, lastName, birthDate, gender }: RosterMember): Pick<Person, 'name' | 'birthDate' | 'sex'> {
  const name = { family: lastName, given: [firstName], use: 'OFFICIAL' as const }
  return { name, birthDate, sex: gender === 'F' ? 'FEMALE' : 'MALE' }
}

/** The patient's record in the form in which the service stores it (rules.md 6). */
export function makePatient(
  number: number,
  person: Person,
  coverageIds: string[],
  tagIds: string[],
): MutablePatientWithMrn {
  const chance = chanceFor('patient', number)
  const { name, mrn } = person
  return {
    mrn,
    name,
    other_names: [],
    birth_date: person.birthDate,
    biological_sex: person.sex,
    gender: person.sex === 'FEMALE' ? 'WOMAN' : 'MAN',
    marital_status: chance.oneOf(['MARRIED', 'NEVER_MARRIED', 'DIVORCED', 'WIDOWED', 'UNKNOWN'] as const),
    primary_address: person.address,
    other_addresses: [],
    ...(chance.happens(0.95) && { primary_telecom: { value: person.phone, use: 'MOBILE' as const } }),
    other_telecoms: [],
    ...(chance.happens(0.7) && { email: emailOf(person, number) }),
    language: chance.weighted({ en: 85, es: 12, zh: 3 }),
    contacts: chance.happens(0.3) ? [contactOf(person, chance)] : [],
    general_practitioners: [person.doctor],
    filing_order: { coverages: coverageIds },
    ...(coverageIds.length === 0 && { self_pay: true }),
    ...(chance.happens(0.15) && { tag_ids: [chance.oneOf(tagIds)] }),
    orcon: false,
  }
}

/** The list begins with common names, which are drawn more often; the first about once in a hundred. */
function frequentFirst(names: string[], chance: Chance): string {
  return names[Math.floor(names.length * (chance.below(2 ** 20) / 2 ** 20) ** 1.2)] ?? ''
}

function birthDate(chance: Chance): string {
  const [first, last] = [Date.UTC(1931, 0, 1), Date.UTC(2025, 11, 31)]
  return new Date(first + chance.below(last - first)).toISOString().slice(0, 10)
}

function addressIn({ city, state, zip }: People['cities'][number], chance: Chance): Static<typeof Address> {
  const street = `${1 + chance.below(980)} ${chance.oneOf(people.streets)} ${chance.oneOf(people.streetKinds)}`
  return {
    use: 'HOME',
    line: chance.happens(0.2) ? [street, `Apt ${1 + chance.below(40)}`] : [street],
    city,
    state,
    postal_code: zip + String(chance.below(100)).padStart(2, '0'),
    country: 'US',
  }
}

function doctorOf(chance: Chance): Static<typeof ExternalProvider> {
  const { family, given, npi } = chance.oneOf(people.doctors)
  return { name: { family, given: [given], use: 'OFFICIAL' }, type: 'ATTENDING', npi, telecoms: [] }
}

function emailOf({ name }: Person, number: number): string {
  const plain = `${name.given[0]}.${name.family}`.normalize('NFD').replaceAll(/[^A-Za-z.]/g, '')
  return `${plain.toLowerCase()}${number}@example.org`
}

function contactOf({ name, phone }: Person, chance: Chance): MutablePatientWithMrn['contacts'][number] {
  const telecom: Static<typeof ContactPoint> = { value: phone, use: 'HOME' }
  return {
    relationship: ['SPOUSE'],
    name: { family: name.family, given: [chance.oneOf([...people.female, ...people.male])], use: 'OFFICIAL' },
    telecoms: [telecom],
    addresses: [],
  }
}
