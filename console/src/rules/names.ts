import type { HumanName } from '../api/generated.ts'

type Name = Pick<HumanName, 'family' | 'given'> & { suffix?: string | undefined }

/** `Doe, Jane Q`, as lists are sorted. */
export function listName({ family, given, suffix }: Name): string {
  const last = suffix ? `${family} ${suffix}` : family
  return given.length > 0 ? `${last}, ${given.join(' ')}` : last
}

/** `Jane Q Doe` */
export const fullName = ({ family, given, suffix }: Name) => [...given, family, suffix].filter(Boolean).join(' ')

/** A code such as `EMERGENT_ISSUE` in words: `Emergent issue`. */
export function codeLabel(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** A note of a payer's answer as a sentence begins. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What the forms call the fields of records, where it is not the field's name in words. */
const LABELS: Readonly<Record<string, string>> = {
  family: 'Last name',
  given: 'First and middle names',
  biological_sex: 'Sex',
  date_of_birth: 'Birth date',
  mrn: 'MRN',
  npi: 'NPI',
  url: 'Address',
  line: 'Street',
  postal_code: 'ZIP code',
  self_pay: 'Self-pay',
  insurance_plan: 'Plan',
  member_id: 'Member ID',
  payer_id: 'Payer ID',
  senderId: 'Sender ID',
  receiverId: 'Receiver ID',
  apiKey: 'API key',
  clientId: 'Client ID',
  primary_telecom: 'Telephone',
  primary_address: 'Address',
  period: 'Dates',
  start: 'Begins',
  end: 'Ends',
}

/** The label of a field of the interface. */
export const labelOf = (field: string) => LABELS[field] ?? codeLabel(field)
