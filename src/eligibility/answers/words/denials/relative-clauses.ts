// Relative clauses about the patient, read as statements: "inquiry is about a member who is no longer eligible". The grammar of denials takes all
// others as conditions: "for members who are not eligible". decisions/0100-a-grammar-of-denials.md.

import { DATE } from '../../payer-text.ts'

const PERSON =
  '(?:MEMBER|PATIENT|SUBSCRIBER|INSURED|INDIVIDUAL|RECIPIENT|BENEFICIARY|CLIENT|ENROLLEE|PARTICIPANT|PERSON|EMPLOYEE)'
const COVERAGE = '(?:GROUP|EMPLOYER|POLICY|PLAN|COVERAGE|CONTRACT|ACCOUNT|INSURANCE|ELIGIBILITY)'
const ARTICLE = '(?:(?:A|AN|THE|THIS) )?'
/** "Patient is", "this is", "you have inquired about". */
const INTRODUCTION = `(?:(?:${ARTICLE}${PERSON}|IT|THIS) (?:IS|WAS)(?: FOR)? |(?:[A-Z]+ ){0,3}(?:INQUIRED|INQUIRING|INQUIRY|REQUEST|REQUESTED|ASKED)(?: IS| WAS)? (?:ABOUT|FOR|ON) )?`
/** "A member of a group", "patient is enrolled in a plan". */
const OF_COVERAGE = `(?:(?:IS |WAS )?(?:(?:ENROLLED|COVERED|INSURED) )?(?:OF|IN|UNDER|WITH|BY|HAS|HAD) ${ARTICLE}${COVERAGE}|BELONGS TO ${ARTICLE}${COVERAGE})`
const VERB = '(?:IS|WAS|HAS|HAD|DOES|DID|LOST|LEFT|DIED|NO|NEVER)'

const CLAUSE = new RegExp(
  `^\\W*${INTRODUCTION}${ARTICLE}${PERSON}(?: ${OF_COVERAGE})?,? (?:(?:WHO|THAT|WHICH) (?=${VERB}\\b)|WHOSE (?=${COVERAGE}\\b))`,
)
/** "Member has coverage which expired", "policy which lapsed 01/31/2026". */
const OF_THE_COVERAGE = new RegExp(
  `^\\W*(?:${ARTICLE}${PERSON} (?:HAS|HAD) )?${ARTICLE}${COVERAGE},? (?:WHICH|THAT) (?=(?:${VERB}|EXPIRED|ENDED|LAPSED|TERMINATED|CEASED|INACTIVATED|CANCELLED)\\b)`,
)
/** "Expenses incurred after coverage terminates are not covered": whenever it does, which says nothing of this one. A day, or "terminated", is an event. */
const WHENEVER = new RegExp(
  `\\b(?:AFTER|BEFORE|FOLLOWING|PRIOR TO|SUBSEQUENT TO) (?=(?:(?:ALL|HIS|HER|THE|THEIR|THIS|YOUR) )*(?:(?:GROUP|HEALTH|MEDICAL|INSURANCE) )*(?:BENEFITS?|COVERAGE|ELIGIBILITY|ENROLLMENT|INSURANCE|INSURED|MEMBER(?:SHIP)?|PATIENT|PERSON|PLAN|POLICY|SUBSCRIBER|YOU)(?:'S)?(?: (?:COVERAGE|ELIGIBILITY|INSURANCE))? (?:BEGINS?|BECOMES? (?:EFFECTIVE|ELIGIBLE|INSURED)|CEASES?|ENDS?|EXPIRES?|IS (?:CANCELL?ED|EFFECTIVE|IN EFFECT|TERMINATED)|HAS (?:BEGUN|ENDED|EXPIRED|TERMINATED)|LAPSES?|STARTS?|TAKES EFFECT|TERMINATES?)\\b(?!(?: ON)? (?:${DATE})))`,
)

/** What is stated of any such person: "a member who is not covered may appeal". */
const GENERAL = /\b(?:MUST|MAY|SHOULD|WILL|CAN|SHALL)\b/

const TIMES = /\b(?:AFTER|BEFORE|FOLLOWING|PRIOR|SUBSEQUENT) /

/** A sentence in capitals without abbreviations, with the relative clause about the patient as its main clause. */
export function withMainClause(whole: string): string {
  const sentence = TIMES.test(whole) ? whole.replace(WHENEVER, 'WHEN ') : whole
  if (!/\bWH(?:O|OSE|ICH)\b|\bTHAT\b/.test(sentence) || GENERAL.test(sentence)) return sentence
  return sentence.replace(CLAUSE, 'MEMBER ').replace(OF_THE_COVERAGE, 'COVERAGE ')
}
