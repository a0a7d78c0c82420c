// Sentences about the order of payers, prepared for the patterns of primacy.ts. decisions/0073, 0194.
import { isProperName } from '../names/proper-names.ts'

/** A question with its answer NO, before what is the case: "MSP: NO - MEDICARE IS PRIMARY". */
const ANSWERED_NO = /^\W*[A-Z ]{2,40}[:=?] ?NO?\b(?: -+ |, |- )/
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bPRI\b/g, 'PRIMARY'],
  [/\bSEC\b/g, 'SECONDARY'],
  [/\bMC(?:R|ARE)\b/g, 'MEDICARE'],
  [/\b1ST\b/g, 'FIRST'],
  [/\b2ND\b/g, 'SECOND'],
  // "Medicare now primary": what has been so since an event is so.
  [
    /\b(?:(?:IS|ARE) )?(?:NOW|CURRENTLY|PRESENTLY|BECAME|(?:HAS|HAVE) BECOME)(?: THE| OUR)? (?=(?:PRIMARY|SECONDARY|TERTIARY)\b(?! CARE))/g,
    'IS ',
  ],
  [/\b(?:NOW|CURRENTLY|PRESENTLY) (?=PAYS?\b)/g, ''],
]
const ANY_SHORT = /[:=?] ?NO?\b|\b(?:PRI|SEC|MCR|MCARE|1ST|2ND|NOW|CURRENTLY|PRESENTLY|BECAME|BECOME)\b|\bPAYS? AFTER\b/

/** What precedes the last dash of a sentence without a condition: "30 month coordination ended - Medicare primary". */
const BEFORE_CONCLUSION = /^(?!.*\b(?:IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY)\b).+ -+ (?=[A-Z])/

/** What a sentence states at last: a negation before the last dash is none of that statement. */
export function conclusionOf(sentence: string): string {
  return sentence.replace(BEFORE_CONCLUSION, '')
}

/** What follows for claims is part of no other statement: "enrolled in US Family Health Plan - claims not payable by TRICARE". */
const CONSEQUENCE =
  / -+ (?:[A-Z]+ ){0,2}(?:CLAIMS?|SERVICES|CHARGES|BILLS|CARE) (?:(?:IS|ARE|WILL|SHOULD|MUST|CAN|MAY|BE) )*(?:NOT|NO LONGER)\b.*$/

/** A sentence without what follows for claims, whose negation denies nothing before it. */
const withoutConsequence = (sentence: string): string => sentence.replace(CONSEQUENCE, '')

/** "This policy pays after Cigna", and not after the deductible. */
const AFTER_NAMED = /\bPAYS? AFTER ([A-Z][A-Z&'-]*(?: [A-Z&'-]+){0,3})(?=\W*$)/

/** A sentence about the order of payers with its abbreviations in full, and without a question that is answered with NO. */
export function orderInFull(sentence: string): string {
  const stated = withoutConsequence(sentence)
  if (!ANY_SHORT.test(stated)) return stated
  const full = SHORT.reduce((text, [short, word]) => text.replace(short, word), stated.replace(ANSWERED_NO, ''))
  return full.replace(AFTER_NAMED, (words, name: string) => (isProperName(name) ? `PAYS SECONDARY TO ${name}` : words))
}
