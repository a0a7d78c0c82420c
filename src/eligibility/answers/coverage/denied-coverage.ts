// Rows by which the payer contradicts active coverage in words: a text that it is suspended, ended or not for the requested service.
// Source: rules.md 17; decisions/0073-coverage-that-is-no-medical-coverage.md.
import { isActiveRow } from '../../../x12/benefit-row.ts'
import {
  CONTACT_ENTITY,
  EXCLUSIONS,
  MANAGED_CARE_COORDINATOR,
  NON_COVERED,
  PRIMARY_CARE_PROVIDER,
} from '../../../x12/codes/benefits.ts'
import { OFFICE_VISIT, PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { type BetweenRows, DATE, datesOf, MONTH_OF_YEAR, monthsOf, sentencesOf, sentencesOfAll } from '../payer-text.ts'
import {
  FIRST_MONTH,
  LAST_MONTH,
  NAMED_FIRST_DAY,
  NAMED_LAST_DAY,
  NOTHING_AFTER,
  NOTHING_BEFORE,
  WAITING,
  withDayNamed,
} from '../words/days/dates-in-words.ts'
import { daysInForce } from '../words/days/days-in-force.ts'
import { withYears } from '../words/days/days-without-years.ts'
import { isPastFirstDays } from '../words/days/first-days-of-life.ts'
import { DENIAL_WORDS, denialsIn } from '../words/denials/denial-grammar.ts'
import { EXHAUSTED, LISTED_DENIALS } from '../words/denials/denied.ts'
import {
  DELEGATED,
  isBilledElsewhere,
  NOT_BILLED,
  OTHER_GROUP,
  payerOfAll,
  RUN_OUT,
} from '../words/denials/paid-by-others.ts'
import {
  isRequiredAndMissing,
  isUnauthorized,
  REFERRAL_WORD,
  RESTRICTED,
  RESTRICTION_WORD,
} from '../words/denials/restricted.ts'
import {
  hasNamesInWords,
  isCarvedOutAlone,
  isCarvedOutInWords,
  organizationFor,
  vendorNamedIn,
  withServiceAsCoverage,
} from '../words/denials/service-denied.ts'
import { IN_A_PROGRAM, OUTDATED, RETROACTIVE_MONTH } from '../words/denials/undetermined.ts'
import { GRACE_PERIOD, UNPAID_UNTIL } from '../words/denials/unpaid.ts'
import { unreadStatementIn } from '../words/denials/unread-statements.ts'
import { isOfEarlierYear } from '../words/figures/used-up.ts'
import { inOwnWords, type OwnNames } from '../words/names/own-names.ts'
import { states } from '../words/phrase-group.ts'
import { spellOut } from '../words/sentences/abbreviations.ts'
import { IS_PAID } from '../words/sentences/run-on-sentences.ts'
import { areForOtherDays, countsOn, holds, isUpTo, LASTS } from './denied-days.ts'
import { denyVisits } from './denied-visits.ts'
import { findEndedBelowFigures } from './ended-below-figures.ts'
import { explainOutOfForce } from './in-force.ts'
import { findStating } from './limited-coverage.ts'
import { isAbout } from './uncovered-rows.ts'

/**
 * The rows whose text states that the coverage, or the coverage of a requested service, is suspended, exhausted, ended or not yet begun; a day
 * that lies ahead ends nothing yet.
 */
export async function findDenials(
  rows: readonly BenefitRow[],
  { services, day, pause, own }: { services: readonly string[]; day: string; pause: BetweenRows; own: OwnNames },
): Promise<BenefitRow[]> {
  const denies = ({ messages, planDescription = '' }: BenefitRow): boolean => {
    const [texts, names] = [sentencesOfAll(messages), sentencesOf(planDescription)]
    if ([...texts, ...names].some((sentence) => isDenied(sentence, day, own))) return true
    if (texts.some((sentence) => REFERRAL_WORD.test(sentence)) && isRequiredAndMissing(texts)) return true
    if (
      texts.some((text) => BILL_WORD.test(text)) &&
      texts.some((text) => OTHER_PLAN.test(text)) &&
      isBilledElsewhere(clausesOf(texts, own))
    )
      return true
    if (texts.some((text) => PAYER_WORD.test(text) && isPaidByOther(text, day, own))) return true
    if (services.includes(OFFICE_VISIT) && denyVisits(texts, own)) return true
    return names.some((name) => HAS_NUMBER.test(name) && isNamedForOtherDays(spellOut(name), day))
  }
  const denied = await findStating(rows, { day, pause, alsoIn: DENYING_ROWS }, denies)
  denied.push(...rows.filter((row) => leavesToGroup(row, services, day)))
  const isOver = (text: string) => isDeniedByGrammar(text, day, own)
  denied.push(...(await findEndedBelowFigures(rows, { services, day, pause, denies: isOver })))
  for (const service of services) {
    if (service === PLAN_SERVICE) continue
    const isListed = rows.some((row) => isActiveRow(row) && row.serviceTypeCodes.includes(service))
    const leavesIt = (text: string) => isCarvedOutAlone(text) || isCarvedOutInWords(text, service)
    const deniesIt = (row: BenefitRow) => {
      const texts = sentencesOfAll(row.messages)
      const namesVendor = !isListed && row.code === CONTACT_ENTITY && texts.some((text) => isOfVendor(text, own))
      return namesVendor || denies(row) || texts.some(leavesIt)
    }
    denied.push(...(await findStating(rows, { day, pause, service, alsoIn: NAMING_ROWS }, deniesIt)))
    if (!hasNamesInWords(service)) continue
    const deniesByName = ({ messages }: BenefitRow) =>
      sentencesOfAll(messages).some((text) => isServiceDenied(inOwnWords(text, own), service, { day, own, isListed }))
    denied.push(...(await findStating(rows, { day, pause, alsoIn: DENYING_ROWS }, deniesByName)))
  }
  return [...new Set(denied)]
}

const isDeniedByGrammar = (text: string, day: string, own: OwnNames) =>
  denialsIn(inFull(text, day, own)).some((denial) => holds(denial, day))

const inFull = (text: string, day: string, own: OwnNames) =>
  withDayNamed(inOwnWords(withYears(spellOut(text), day), own))

/** The rows with a statement about the plan or the patient that nobody understands, unless another active row states the plan without one. */
export function findUnreadStatements(
  rows: readonly BenefitRow[],
  { day, pause, own }: { day: string; pause: BetweenRows; own: OwnNames },
): Promise<BenefitRow[]> {
  const isUnread = ({ messages }: BenefitRow) =>
    sentencesOfAll(messages).some((sentence) => {
      // "Not enrolled in an HMO" is about managed care, in a Medicaid program's answer.
      return unreadStatementIn(sentence) !== undefined && unreadStatementIn(inOwnWords(sentence, own)) !== undefined
    })
  return findStating(rows, { day, pause, alsoIn: DENYING_ROWS }, isUnread)
}

/**
 * True for a sentence about the plan by which a service of the visit is not covered, or is covered by another organization. One that only says whom to ask or bill
 * counts where no active row lists the service, as the row of a vendor does (EB01 U).
 */
function isServiceDenied(
  text: string,
  service: string,
  { day, own, isListed }: { day: string; own: OwnNames; isListed: boolean },
): boolean {
  if (isCarvedOutInWords(text, service) || (!isListed && organizationFor(text, service) !== undefined)) return true
  const ofCoverage = withServiceAsCoverage(text, service)
  return ofCoverage !== text && isDenied(ofCoverage, day, own)
}

/** True for the row of a primary care provider or coordinator by whose text claims go to a medical group; its other texts are about the doctor. */
function leavesToGroup(row: BenefitRow, services: readonly string[], day: string): boolean {
  if (!DOCTOR_ROWS.has(row.code) || row.messages.length === 0 || !isAbout(row, services)) return false
  if (explainOutOfForce(row.dates, day) !== undefined) return false
  return sentencesOfAll(row.messages).some((text) => TO_GROUP.some((group) => states(group, spellOut(text))))
}

const DOCTOR_ROWS: ReadonlySet<string> = new Set([PRIMARY_CARE_PROVIDER, MANAGED_CARE_COORDINATOR])
const TO_GROUP = [DELEGATED, NOT_BILLED, OTHER_GROUP]

/** True for a text, below the row of a service (EB01 U), by which another organization than the inquired payer covers it. */
function isOfVendor(text: string, own: OwnNames): boolean {
  const name = vendorNamedIn(text)
  return name !== undefined && inOwnWords(`TO ${name}`, own) === `TO ${name}`
}

/** Without one, a name has no date. */
const HAS_NUMBER = /\d/

/** Below which a row of one service may say that another organization covers it. */
const NAMING_ROWS: ReadonlySet<string> = new Set([CONTACT_ENTITY])

const DENYING_ROWS: ReadonlySet<string> = new Set([CONTACT_ENTITY, NON_COVERED, EXCLUSIONS])

/** The date after a dash belongs to the clause before it, and so does a payment. */
const CLAUSES = new RegExp(` -+ (?!${DATE}|${IS_PAID.source.slice(1)})`)

/** Without a word of each, a row does not say so, and is not searched. */
const BILL_WORD = /\b(?:BILL|CLAIMS?)\b/
const OTHER_PLAN = /\b(?:ENROLL|MOVED|TRANSFER|CHANGED|SWITCHED|CONVERTED|COVERED|COVERAGE|INSURANCE|POLICY)/
/** "Bill Humana": the own name of the payer is recognized after TO. */
const BILL_TO = /\bBILL (?!TO\b|WITH\b)/g

const PAYER_WORD = /\bRESPONSIBLE\b|\bARE (?:PAID|PROCESSED|ADMINISTERED|HANDLED) BY\b/

/** A day that lies ahead changes nothing yet. */
function isPaidByOther(text: string, day: string, own: OwnNames): boolean {
  const name = payerOfAll(text)
  if (name === undefined || (own.isMedicare && name === 'MEDICARE') || (own.isMedicaid && name === 'MEDICAID'))
    return false
  return (
    inOwnWords(`TO ${name}`, own) === `TO ${name}` && datesOf(text).every((date) => date === undefined || date <= day)
  )
}

const clausesOf = (texts: readonly string[], own: OwnNames) =>
  texts.flatMap((text) => inOwnWords(text.replace(BILL_TO, 'BILL TO '), own).split(/ -+ /))

/** Most texts have neither a date nor any of these words. Not in one pattern, which took longer to compile, and to search for, than all of them. */
const ANY_WORDS: readonly RegExp[] = [
  DENIAL_WORDS,
  new RegExp(`\\b${DATE}`),
  new RegExp(MONTH_OF_YEAR),
  ...[EXHAUSTED, GRACE_PERIOD, ...LISTED_DENIALS].flatMap(({ any }) => any ?? []),
  ...UNPAID_UNTIL.splits.map(({ at }) => at),
  // Groups that are searched clause by clause, and end with one.
  /\b(?:FORMER|PREVIOUS|PRIOR|PAST|EX|FUTURE|GRACE|WAIT|LAST|DOWN|UNAVAILABLE|OFFLINE|ONLY|NON|MUST|PACE|TEAM|LOCK-?OUT|RUN[ -]?OUT|RESPONSIBILITY|AGE|TURNED|INSTEAD|REACHED|MET|EXHAUSTED|EXCEEDED)\b|\bNOW (?:UNDER|COVERED|ENROLLED)\b|\bUNDER (?:[A-Z]+ ){1,2}(?:REVIEW|INVESTIGATION)\b/,
]

/** What Medicaid itself is not. */
const OTHER_PROGRAM = /\bCHIP\b/

function isDenied(text: string, day: string, own: OwnNames): boolean {
  if (REFERRAL_WORD.test(text) && isUnauthorizedOn(spellOut(text), day, own)) return true
  if (RESTRICTION_WORD.test(text) && isRestricted(spellOut(text), day, own)) return true
  if (own.infantBorn !== undefined && isPastFirstDays(text, own.infantBorn, day)) return true
  if (!ANY_WORDS.some((words) => words.test(text))) return false
  if (!own.isMedicare && (!own.isMedicaid || OTHER_PROGRAM.test(text)) && states(IN_A_PROGRAM, text)) {
    if (datesOf(text).every((date) => date === undefined || date <= day)) return true
  }
  const sentence = inFull(text, day, own)
  if (denialsIn(sentence).some((denial) => holds(denial, day))) return true
  if (areForOtherDays(daysInForce(sentence), day)) return true
  return sentence.split(CLAUSES).some((clause) => isListed(clause, day))
}

/** An authorization that ends later is one. */
function isUnauthorizedOn(sentence: string, day: string, { isOfVeterans }: OwnNames): boolean {
  const isLater = datesOf(sentence).some((date) => date !== undefined && date > day)
  return !isLater && isUnauthorized(sentence, isOfVeterans)
}

/** The program that restricts a person stands before the dash, and the doctor after it. The visit's own provider restricts nothing. */
function isRestricted(sentence: string, day: string, { providerNpi }: OwnNames): boolean {
  if (!states(RESTRICTED, sentence) || (providerNpi !== undefined && sentence.includes(providerNpi))) return false
  const dates = datesOf(sentence.replace(NUMBER_OF_DOCTOR, ''))
  const [only] = dates
  if (dates.length === 1 && LASTS.test(sentence)) return only === undefined || only >= day
  return countsOn(sentence, dates, day)
}

/** Eight digits that are no date: "locked in to provider 41000123". */
const NUMBER_OF_DOCTOR = /\b(?:PROVIDER|PHYSICIAN|DOCTOR|CLINIC|PCP|ID|NUMBER)[ #:]*\d{8}\b/g

/** True for the name of a plan that ends with its first day, if that lies ahead, or with its last day, if that has passed. */
function isNamedForOtherDays(name: string, day: string): boolean {
  const date = datesOf(name).at(-1)
  if (date === undefined) return false
  return (date > day && states(NAMED_FIRST_DAY, name)) || (date < day && states(NAMED_LAST_DAY, name))
}

function isListed(sentence: string, day: string): boolean {
  const dates = datesOf(sentence)
  if (states(WAITING, sentence) && dates.some((date) => date === undefined || date > day)) return true
  if (states(UNPAID_UNTIL, sentence)) return true
  if (states(GRACE_PERIOD, sentence) || states(RUN_OUT, sentence))
    return !BEGINS.test(sentence) || dates.length === 0 || dates.some(isUpTo(day))
  if (dates.length > 0) {
    const arePast = dates.every((date) => date !== undefined && date < day)
    if (arePast && states(NOTHING_AFTER, sentence)) return true
    const areAhead = dates.every((date) => date !== undefined && date > day)
    if (areAhead && states(NOTHING_BEFORE, sentence)) return true
  }
  const [months, month] = [monthsOf(sentence), day.slice(0, 'CCYY-MM'.length)]
  if (months.length > 0) {
    if (months.includes(month) && states(RETROACTIVE_MONTH, sentence)) return true
    if (states(LAST_MONTH, sentence) && months.every((each) => each < month)) return true
    if (states(FIRST_MONTH, sentence) && months.every((each) => each > month)) return true
  }
  if (states(EXHAUSTED, sentence) && !isOfEarlierYear(sentence, undefined, day)) return true
  if (states(OUTDATED, sentence)) return true
  if (!LISTED_DENIALS.some((denial) => states(denial, sentence))) return false
  return countsOn(sentence, dates, day)
}

/** The days of a grace period or of a run-out are its last, unless it is said to begin on one. */
const BEGINS = /\b(?:BEG[AI]NS?|STARTS?|STARTED|EFFECTIVE)\b/
