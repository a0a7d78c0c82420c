// The columns of a file of patients, recognized by its headers.

interface Column {
  name: ColumnName
  label: string
  /** Headers of this field, the clearest first, in lower case, without blanks and signs. */
  headers: readonly string[]
}

export type ColumnName =
  | 'payer'
  | 'member'
  | 'first'
  | 'last'
  | 'full'
  | 'born'
  | 'npi'
  | 'day'
  | 'services'
  | 'reference'

export const columns: readonly Column[] = [
  {
    name: 'payer',
    label: 'Payer (ID or name)',
    headers: [
      ...['payerid', 'payer', 'payername', 'insurancename', 'insurancecompany', 'insurance', 'insurer', 'carrier'],
      ...['primaryinsurance', 'primaryinsurancename', 'primarypayer', 'insurancecarrier', 'carriername', 'healthplan'],
    ],
  },
  {
    name: 'member',
    label: 'Member ID',
    headers: [
      ...['memberid', 'member', 'membernumber', 'memberno', 'subscriberid', 'subscribernumber', 'policynumber'],
      ...['policyno', 'policy', 'policyid', 'insuranceid', 'insurancenumber'],
    ],
  },
  {
    name: 'first',
    label: 'First name',
    headers: ['firstname', 'first', 'givenname', 'given', 'patientfirstname', 'fname'],
  },
  {
    name: 'last',
    label: 'Last name',
    headers: ['lastname', 'last', 'familyname', 'family', 'surname', 'patientlastname', 'lname'],
  },
  { name: 'full', label: 'Full name (Last, First)', headers: ['fullname', 'patientname', 'patient', 'name'] },
  {
    name: 'born',
    label: 'Birth date',
    headers: ['birthdate', 'dateofbirth', 'dob', 'birthday', 'patientdob', 'patientbirthdate'],
  },
  { name: 'npi', label: 'Provider NPI', headers: ['npi', 'providernpi', 'renderingnpi', 'renderingprovidernpi'] },
  {
    name: 'day',
    label: 'Date of service',
    headers: [
      ...['dateofservice', 'dos', 'servicedate', 'visitdate', 'appointmentdate', 'apptdate', 'appointment', 'appt'],
      ...['appointmenttime', 'appttime'],
    ],
  },
  {
    name: 'services',
    label: 'Service types',
    headers: ['servicetypes', 'servicetype', 'servicetypecodes', 'servicecode'],
  },
  {
    name: 'reference',
    label: 'Your reference',
    headers: [
      'reference',
      'yourreference',
      'mrn',
      'patientid',
      'chartnumber',
      'chart',
      'accountnumber',
      'account',
      'id',
    ],
  },
]

/** The column of each field, by position; -1 for none. */
export type Mapping = Record<ColumnName, number>

/** `Patient name (Last, First)`: what is in brackets explains, unless it says that the column is of another coverage, as a 2 does anywhere. */
const EXPLANATION = /\((?!\s*(?:sec|ter|other|[23]))[^)]*\)/g

export function guessMapping(headers: readonly string[]): Mapping {
  const plain = headers.map((header) =>
    header
      .toLowerCase()
      .replaceAll(EXPLANATION, '')
      .replaceAll(/[^a-z2-9]/g, ''),
  )
  const placeOf = (known: readonly string[]) =>
    known.map((header) => plain.indexOf(header)).find((place) => place >= 0) ?? -1
  const mapping = Object.fromEntries(columns.map(({ name, headers: known }) => [name, placeOf(known)])) as Mapping
  const hasName = mapping.first >= 0 && mapping.last >= 0
  return hasName ? { ...mapping, full: -1 } : mapping
}

/** The headers as choices: empty and repeated ones are distinguished by their position; an empty one also shows the value of the first row. */
export const columnLabels = (headers: readonly string[], first: readonly string[] = []): string[] =>
  headers.map((header, index) => {
    if (header === '') return first[index] ? `Column ${index + 1}: ${first[index]}` : `Column ${index + 1}`
    return headers.filter((other) => other === header).length > 1 ? `${header} (column ${index + 1})` : header
  })
