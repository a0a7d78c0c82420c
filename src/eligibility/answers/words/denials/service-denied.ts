// A service of the visit that a text about the plan denies or leaves to another organization: "behavioral health carved out to Magellan".
// rules.md 17; decisions/0194.
import {
  DENTAL_CARE,
  MENTAL_HEALTH,
  OFFICE_VISIT,
  PHARMACY,
  PHYSICIAN,
  PLAN_SERVICE,
  serviceTypeName,
  VISION,
} from '../../../../x12/codes/service-types.ts'
import { cachedByName } from '../names/known-names.ts'
import { isOrganizationName } from '../names/proper-names.ts'

const MENTAL_HEALTH_NAMES = ['(?:MENTAL|BEHAVIORAL) HEALTH', 'PSYCHIATRIC', 'PSYCH', 'MH', 'BH']
const ADDICTION_NAMES = [
  'SUBSTANCE (?:ABUSE|USE)(?: DISORDERS?)?',
  'CHEMICAL DEPENDENCY',
  'SUD',
  'BEHAVIORAL HEALTH',
  'BH',
]

/** What payers call services besides their names, by X12 1365. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ...[MENTAL_HEALTH, 'A4', 'A6', 'A8', 'CE', 'CF', 'CG', 'CH'].map((code) => [code, MENTAL_HEALTH_NAMES] as const),
  ...['AI', 'AJ', 'AK', 'CI', 'CJ'].map((code) => [code, ADDICTION_NAMES] as const),
  ['33', ['CHIRO']],
  [DENTAL_CARE, ['DENTAL']],
  ['69', ['PREGNANCY', 'OB']],
  [PHARMACY, ['PRESCRIPTIONS?', 'PRESCRIPTION DRUGS?', 'RX']],
  ['AD', ['OT', 'THERAPIES']],
  ['AF', ['ST', 'THERAPIES']],
  [VISION, ['VISION', 'OPTICAL', 'OPTOMETRY']],
  ['DM', ['DME']],
  ['PT', ['PT', 'THERAPIES']],
])

/** What is part of a name and not said of all of the service. */
const NARROWER = /\b(?:INPATIENT|RESIDENTIAL|FACILITY|HOSPITAL|ROOM|PROVIDER)\b/
const OF_SERVICE = '(?: (?:SERVICES?|BENEFITS?|COVERAGE|CARE|TREATMENT|VISITS?|CLAIMS))*'

interface Patterns {
  /** The service with what belongs to its name. */
  service: RegExp
  carvedOut: RegExp
  /** With the organization that answers for the service as its only group. */
  elsewhere: RegExp
}

const BETWEEN =
  '(?: (?:(?!(?:IS|ARE|WAS|HAS|HAVE|WILL|NOT|NO|INPATIENT|RESIDENTIAL|FACILITY|HOSPITAL|DRUGS?|MEDICATIONS?|PHARMACY|PROVIDERS?)\\b)[A-Z]+|[&/-]))'
const VERBS = '(?: (?:IS|ARE|HAS|HAVE|BEEN|WILL|BE|CURRENTLY|FULLY))*'
const CARVED = 'CARVED?[ -]?OUT'
const ANSWERED_NO = '(?! ?[:=-] ?N(?:O|ONE|/A)?\\b)'
const NAME = "([A-Z][A-Z0-9&'-]*(?: [A-Z0-9&'-]+){0,3})"
const BY = '(?:ADMINISTERED|MANAGED|HANDLED|PROVIDED|COVERED|PAID|OFFERED|PROCESSED|SERVICED) (?:BY|THROUGH)'
const TO = '(?:CALL|CONTACT|BILL|SEE|REFER TO|(?:SUBMIT|SEND|MAIL|DIRECT)(?: CLAIMS)? TO)'

const patternsOf = cachedByName((service): Patterns | undefined => {
  const own = (serviceTypeName(service) ?? '').toUpperCase().replace(/ \(.*?\)| - .*$/g, '')
  const names = [...(OTHER_NAMES.get(service) ?? []), ...(own === '' || NARROWER.test(own) ? [] : [own])]
  if (names.length === 0) return undefined
  const subject = `(?<!\\b(?:INPATIENT|RESIDENTIAL|NON)[ -])\\b(?:${names.join('|')})\\b`
  return {
    service: new RegExp(`${subject}${OF_SERVICE}`, 'g'),
    carvedOut: new RegExp(
      `${subject}${BETWEEN}{0,8}${VERBS}[ :-]+${CARVED}\\b${ANSWERED_NO}|\\b${CARVED}(?: (?:BENEFITS?|SERVICES?|VENDOR|FOR|OF))*[ :-]+(?:[A-Z]+(?:,|,? AND|[ ]?[&/]) )?${subject}`,
    ),
    elsewhere: new RegExp(
      `${subject}${BETWEEN}{0,6}${VERBS} ${BY} ${NAME}|\\bFOR ${subject}${BETWEEN}{0,5}(?<! (?:AUTHORIZATIONS?|REFERRALS?|QUESTIONS|PRECERTIFICATION)),? ${TO} ${NAME}|\\b(?:SUBMIT|SEND|MAIL|DIRECT|BILL)(?: ALL)? ${subject}${BETWEEN}{0,3} TO ${NAME}`,
    ),
  }
})

/** Visits to an office are what a medical plan is for: texts about them are read as those about the coverage (denied.ts). */
const patternsFor = (service: string) => (PLAIN.has(service) ? undefined : patternsOf(service))
const PLAIN: ReadonlySet<string> = new Set(['1', PLAN_SERVICE, '60', PHYSICIAN, OFFICE_VISIT, 'A0', 'BY', 'BZ'])

/** "... is not a covered benefit". */
const COVERED_BENEFIT = /\bNOT (?:AN? )?(?:COVERED|ELIGIBLE) (?:BENEFIT|SERVICE|EXPENSE)S?\b/

/** True for a service other than visits to an office. */
export const hasNamesInWords = (service: string): boolean => patternsFor(service) !== undefined

/** True for a sentence in capitals, in a row of a service, by which another organization covers it. */
export const isCarvedOutAlone = (text: string): boolean => CARVED_OUT_ALONE.test(text)

const CARVED_OUT_ALONE = new RegExp(
  `^\\W*(?:(?:THIS|SERVICE|SERVICES|BENEFITS?|IS|ARE|HAS|HAVE|BEEN) )*${CARVED}\\b${ANSWERED_NO}`,
)

/** A sentence in capitals with the name of a service (X12 1365) as that of the coverage: what denies the one denies the other for its visit. */
export function withServiceAsCoverage(text: string, service: string): string {
  const { service: named } = patternsFor(service) ?? {}
  const ofCoverage = named ? text.replace(named, 'COVERAGE') : text
  return ofCoverage === text ? text : ofCoverage.replace(COVERED_BENEFIT, 'NOT COVERED')
}

/** True for a sentence in capitals by which another organization covers the service: "mental health is carved out". */
export function isCarvedOutInWords(text: string, service: string): boolean {
  if (!/\bCARVED?[ -]?OUT\b/.test(text)) return false
  return patternsFor(service)?.carvedOut.test(text) ?? false
}

/** The organization by which the benefits of the service are administered, or that a sentence says to contact or bill for it; undefined for none. */
export function organizationFor(text: string, service: string): string | undefined {
  const name = patternsFor(service)?.elsewhere.exec(text)?.slice(1).find(Boolean)
  return name !== undefined && isOrganizationName(name) ? name : undefined
}

const DONE =
  '(?:ADMINISTERED|MANAGED|HANDLED|PROVIDED|COVERED|PAID|OFFERED|PROCESSED|SERVICED|BILLED|DELEGATED|ARRANGED)'
/** Up to what is said of the organization besides its name. */
const NAME_OF_VENDOR =
  "([A-Z][A-Z0-9&'-]*(?: (?!(?:ONLY|AT|CALL|PH|PHONE|TEL|EFF|EFFECTIVE|AS|SINCE|FROM|FOR|PLEASE)\\b)[A-Z0-9&'-]+){0,3})(?=\\W*$| (?:ONLY|AT|CALL|PH|PHONE|TEL|EFF|EFFECTIVE|AS|SINCE|FROM|FOR|PLEASE)\\b|[ ,:(-]+[\\d(])"
const OF_ROW = `(?:[A-Z'-]+[ /&]+){0,6}?${DONE}(?:(?: AND|,| ?/) ?${DONE})* (?:BY|THROUGH|(?<=\\bDELEGATED )TO) `
const VENDOR = new RegExp(`^\\W*(?:${OF_ROW}|(?:PLEASE )?${TO} )${NAME_OF_VENDOR}`)
/** Who decides whether care is necessary covers none of it, and a document names no organization. */
const OF_REVIEW =
  /\b(?:(?:PRE)?-?(?:AUTH|CERT)\w*|REFERRALS?|REVIEWS?|UTILIZATION|CASE|DISEASE|QUESTIONS?|NETWORK|PROVIDERS?|CLAIMS? STATUS|SPD|SBC|EOC|COC|EOB|BOOKLET|BROCHURE|CERTIFICATE|DOCUMENTS?|GUIDE|HANDBOOK|MANUAL|PORTAL|SUMMARY|WEB ?SITE|NOT|IF|WHEN|UNLESS)\b/

/**
 * The organization that a sentence in capitals, below the row of one service that only says whom to ask (EB01 U), names as the one that covers it: "this
 * benefit is administered by ComPsych", "contact Magellan". Undefined for none.
 */
export function vendorNamedIn(text: string): string | undefined {
  const name = OF_REVIEW.test(text) ? undefined : VENDOR.exec(text)?.slice(1).find(Boolean)
  if (name === undefined || /^(?:AN?|ANY|OUR|YOUR) /.test(name)) return undefined
  return isOrganizationName(name) || COMPANY.test(name) ? name : undefined
}

/** A name of words that have a meaning, and yet one of a company: "Care Management Partners", "Member Support Services Inc". */
const COMPANY =
  / (?:ADMINISTRATORS|ALLIANCE|AMERICA|ASSOCIATES|CO|COMPANY|CORP(?:ORATION)?|INC(?:ORPORATED)?|INTERNATIONAL|LL[CP]|PARTNERS|SOLUTIONS|SYSTEMS|USA)$/
