import { codeTable } from './code-table.ts'

/**
 * Every reject reason (AAA03, X12 element 901) by what it is about: `outage` is a payer that cannot answer now, `access` the permission to
 * inquire, `inquiry` its required data, `service` one benefit or an authorization, beside which the rest of the answer is valid. Source:
 * x12-271.md 5, rule 5, and 8.
 */
const REASONS = {
  outage: {
    42: 'Unable to Respond at Current Time',
    80: 'No Response received - Transaction Terminated',
  },
  payer: {
    '04': 'Authorized Quantity Exceeded',
    79: 'Invalid Participant Identification',
    T4: 'Payer Name or Identifier Missing',
  },
  access: {
    41: 'Authorization/Access Restrictions',
  },
  provider: {
    43: 'Invalid/Missing Provider Identification',
    44: 'Invalid/Missing Provider Name',
    45: 'Invalid/Missing Provider Specialty',
    46: 'Invalid/Missing Provider Phone Number',
    47: 'Invalid/Missing Provider State',
    48: 'Invalid/Missing Referring Provider Identification Number',
    49: 'Provider is Not Primary Care Physician',
    50: 'Provider Ineligible for Inquiries',
    51: 'Provider Not on File',
    97: 'Invalid or Missing Provider Address',
  },
  identity: {
    58: 'Invalid/Missing Date-of-Birth',
    64: 'Invalid/Missing Patient ID',
    65: 'Invalid/Missing Patient Name',
    66: 'Invalid/Missing Patient Gender Code',
    67: 'Patient Not Found',
    68: 'Duplicate Patient ID Number',
    71: 'Patient Birth Date Does Not Match That for the Patient on the Database',
    72: 'Invalid/Missing Subscriber/Insured ID',
    73: 'Invalid/Missing Subscriber/Insured Name',
    74: 'Invalid/Missing Subscriber/Insured Gender Code',
    75: 'Subscriber/Insured Not Found',
    76: 'Duplicate Subscriber/Insured ID Number',
    77: 'Subscriber Found, Patient Not Found',
    78: 'Subscriber/Insured Not in Group/Plan Identified',
  },
  inquiry: {
    15: 'Required application data missing',
    57: 'Invalid/Missing Date(s) of Service',
    60: 'Date of Birth Follows Date(s) of Service',
  },
  date: {
    52: 'Service Dates Not Within Provider Plan Enrollment',
    56: 'Inappropriate Date',
    61: 'Date of Death Precedes Date(s) of Service',
    62: 'Date of Service Not Within Allowable Inquiry Period',
    63: 'Date of Service in Future',
  },
  network: {
    35: 'Out of Network',
  },
  service: {
    33: 'Input Errors',
    53: 'Inquired Benefit Inconsistent with Provider Type',
    54: 'Inappropriate Product/Service ID Qualifier',
    55: 'Inappropriate Product/Service ID',
    69: "Inconsistent with Patient's Age",
    70: "Inconsistent with Patient's Gender",
    98: 'Experimental Service or Procedure',
    AA: 'Authorization Number Not Found',
    AE: 'Requires Primary Care Physician Authorization',
    AF: 'Invalid/Missing Diagnosis Code(s)',
    AG: 'Invalid/Missing Procedure Code(s)',
    AO: 'Additional Patient Condition Information Required',
    CI: 'Certification Information Does Not Match Patient',
    E8: 'Requires Medical Review',
    IA: 'Invalid Authorization Number Format',
    MA: 'Missing Authorization Number',
  },
}
export type RejectSubject = keyof typeof REASONS
type ReasonAbout<Subject extends RejectSubject> = Subject extends RejectSubject
  ? keyof (typeof REASONS)[Subject]
  : never

/** The reasons for which people need advice of their own: beside the others the rest of the answer is valid. */
export type AdvisedReason = ReasonAbout<Exclude<RejectSubject, 'network' | 'service'>>

/** The name of every reason. */
export const rejectReasonNames = codeTable(Object.assign({}, ...Object.values(REASONS)))

/** AAA03: invalid participant identification. */
export const INVALID_PARTICIPANT = '79'
/** AAA03: payer name or identifier missing. */
export const PAYER_MISSING = 'T4'

const SUBJECTS: ReadonlyMap<string | undefined, RejectSubject> = new Map(
  (Object.keys(REASONS) as RejectSubject[]).flatMap((subject) =>
    Object.keys(REASONS[subject]).map((reason) => [reason, subject] as const),
  ),
)

/** What a reject reason (AAA03) is about; undefined for a private reason or none. */
export function subjectOfReason(reasonCode: string | undefined): RejectSubject | undefined {
  return SUBJECTS.get(reasonCode)
}

/** Who has to act on a rejected inquiry: `retry` is nobody, `registrar` and `date` the front desk. Source: x12-271.md 8. */
export type HandlingClass = 'retry' | 'registrar' | 'billing' | 'date' | 'informational'

const HANDLING: Readonly<Record<RejectSubject, HandlingClass>> = {
  outage: 'retry',
  payer: 'billing',
  access: 'billing',
  provider: 'billing',
  identity: 'registrar',
  inquiry: 'registrar',
  date: 'date',
  network: 'informational',
  service: 'informational',
}

/** Who has to act on a reject reason (AAA03); undefined for a private reason or none. */
export function handlingOfReason(reasonCode: string | undefined): HandlingClass | undefined {
  const subject = subjectOfReason(reasonCode)
  return subject && HANDLING[subject]
}

/** AAA04, X12 element 889. */
export const followUpActionNames = codeTable({
  C: 'Please Correct and Resubmit',
  N: 'Resubmission Not Allowed',
  P: 'Please Resubmit Original Transaction',
  R: 'Resubmission Allowed',
  S: 'Do Not Resubmit; Inquiry Initiated to a Third Party',
  W: 'Please Wait 30 Days and Resubmit',
  X: 'Please Wait 10 Days and Resubmit',
  Y: 'Do Not Resubmit; We Will Hold Your Request and Respond Again Shortly',
})
