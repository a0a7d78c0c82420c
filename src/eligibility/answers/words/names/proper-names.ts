// Names of payers and plans that no list has: a text names them by words without a meaning of their own.
import { classesOf, pattern } from '../denials/denial-classes.ts'

/** Programs, doctors and their practices, and those who process the claims of a state. */
const NO_PLAN =
  /^(?:US|MAIL|TRIBE|EPSDT|WIC|SNAP|TANF|SSI|DR|MD|HEAD START|HEALTHY STEPS|REGION|COUNTY|DISTRICT|GROUP|TIER|LEVEL|CATEGORY|PO|BOX|DXC|GAINWELL|CONDUENT|TMHP|ACS|EDS|HP|HPE|XEROX|NCTRACKS|PROMISE|CHAMPS|MMIS|FISCAL|FFS|FEE|STANDARD|BASIC|REGULAR|TRADITIONAL|ALTERNATIVE|ENHANCED|TITLE|XIX|XXI|MAGI|ADULT|AGED|BLIND|NEWBORN)\b| (?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])$|\b(?:FISCAL AGENT|CLEARINGHOUSE|PEDIATRICS?|INTERNISTS?|PRACTICE|ORTHOPEDICS|CARDIOLOGY|DERMATOLOGY|PHYSICIANS|OB ?GYN)\b|^(?:OAK STREET|ONE MEDICAL|CHENMED|VILLAGEMD|VILLAGE MEDICAL|IORA|CANO HEALTH|CENTERWELL|CONVIVA|PRIVIA|EVERSIDE|CAREMAX|DEDICATED SENIOR)\b/

/** True for the name of doctors, by what they practice or by what such places are called. */
export const isPractice = (name: string): boolean => PRACTICE.test(name)
const PRACTICE =
  /\b(?:(?:FAMILY|INTERNAL|ADULT|SPORTS|OCCUPATIONAL) (?:CARE|HEALTH(?: CENTER)?|MEDICINE|PRACTICE)|PEDIATRICS?|PEDIATRICIANS?|INTERNISTS?|PRACTICE|ORTHOPEDICS|CARDIOLOGY|DERMATOLOGY|OB ?GYN|PHYSICIANS|DOCTORS|PRIMARY CARE|WOMEN'?S HEALTH|(?:HEALTH|MEDICAL) (?:ASSOCIATES|CENTER|CLINIC|GROUP)|CLINIC)\b/

const PROPER_NAME = pattern('^ unknown+ (filler|coverage|unknown)* $')

/** True for a name of words that are in no list of the grammar, and not of a program or doctor: "Caresource", "Blue Cross". */
export function isProperName(name: string): boolean {
  return !NO_PLAN.test(name) && PROPER_NAME.test(classesOf(name))
}

const ORGANIZATION_NAME = pattern('^ (filler|coverage)* unknown (filler|coverage|unknown)* $')

/** The same, also of a name that begins with words of the grammar: "Health Net". */
export function isOrganizationName(name: string): boolean {
  return !NO_PLAN.test(name) && ORGANIZATION_NAME.test(classesOf(name))
}
