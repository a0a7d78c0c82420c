import { codeTable } from './code-table.ts'

/** AAA03, X12 element 901. */
export const rejectReasonNames = codeTable({
  '04': 'Authorized Quantity Exceeded',
  15: 'Required application data missing',
  33: 'Input Errors',
  35: 'Out of Network',
  41: 'Authorization/Access Restrictions',
  42: 'Unable to Respond at Current Time',
  43: 'Invalid/Missing Provider Identification',
  44: 'Invalid/Missing Provider Name',
  45: 'Invalid/Missing Provider Specialty',
  46: 'Invalid/Missing Provider Phone Number',
  47: 'Invalid/Missing Provider State',
  48: 'Invalid/Missing Referring Provider Identification Number',
  49: 'Provider is Not Primary Care Physician',
  50: 'Provider Ineligible for Inquiries',
  51: 'Provider Not on File',
  52: 'Service Dates Not Within Provider Plan Enrollment',
  53: 'Inquired Benefit Inconsistent with Provider Type',
  54: 'Inappropriate Product/Service ID Qualifier',
  55: 'Inappropriate Product/Service ID',
  56: 'Inappropriate Date',
  57: 'Invalid/Missing Date(s) of Service',
  58: 'Invalid/Missing Date-of-Birth',
  60: 'Date of Birth Follows Date(s) of Service',
  61: 'Date of Death Precedes Date(s) of Service',
  62: 'Date of Service Not Within Allowable Inquiry Period',
  63: 'Date of Service in Future',
  64: 'Invalid/Missing Patient ID',
  65: 'Invalid/Missing Patient Name',
  66: 'Invalid/Missing Patient Gender Code',
  67: 'Patient Not Found',
  68: 'Duplicate Patient ID Number',
  69: "Inconsistent with Patient's Age",
  70: "Inconsistent with Patient's Gender",
  71: 'Patient Birth Date Does Not Match That for the Patient on the Database',
  72: 'Invalid/Missing Subscriber/Insured ID',
  73: 'Invalid/Missing Subscriber/Insured Name',
  74: 'Invalid/Missing Subscriber/Insured Gender Code',
  75: 'Subscriber/Insured Not Found',
  76: 'Duplicate Subscriber/Insured ID Number',
  77: 'Subscriber Found, Patient Not Found',
  78: 'Subscriber/Insured Not in Group/Plan Identified',
  79: 'Invalid Participant Identification',
  80: 'No Response received - Transaction Terminated',
  97: 'Invalid or Missing Provider Address',
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
  T4: 'Payer Name or Identifier Missing',
})

/** AAA03: invalid participant identification. */
export const INVALID_PARTICIPANT = '79'
/** AAA03: payer name or identifier missing. */
export const PAYER_MISSING = 'T4'

/**
 * What a reject reason is about. `outage` is a payer that cannot answer now, `access` the permission to inquire, `inquiry` its required
 * data, `service` one benefit or an authorization, beside which the rest of the answer is valid.
 */
export type RejectSubject =
  | 'outage'
  | 'payer'
  | 'access'
  | 'provider'
  | 'identity'
  | 'inquiry'
  | 'date'
  | 'network'
  | 'service'

/** Every AAA03 by its subject. Source: x12-271.md 5, rule 5, and 8. */
const REASONS: Readonly<Record<RejectSubject, string>> = {
  outage: '42 80',
  payer: '04 79 T4',
  access: '41',
  provider: '43 44 45 46 47 48 49 50 51 97',
  identity: '58 64 65 66 67 68 71 72 73 74 75 76 77 78',
  inquiry: '15 57 60',
  date: '52 56 61 62 63',
  network: '35',
  service: '33 53 54 55 69 70 98 AA AE AF AG AO CI E8 IA MA',
}

const SUBJECTS: ReadonlyMap<string | undefined, RejectSubject> = new Map(
  (Object.keys(REASONS) as RejectSubject[]).flatMap((subject) =>
    REASONS[subject].split(' ').map((reason) => [reason, subject] as const),
  ),
)

/** What a reject reason (AAA03) is about; undefined for a private reason or none. */
export function subjectOfReason(reasonCode: string | undefined): RejectSubject | undefined {
  return SUBJECTS.get(reasonCode)
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
