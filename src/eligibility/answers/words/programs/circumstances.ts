// Words by which coverage is for care under some circumstances alone: abroad, or after one accident. Source: decisions/0180.
import { phrases } from '../phrase-group.ts'

const HOME = '(?:THE )?(?:USA?|UNITED STATES(?: OF AMERICA)?)\\b'
const OTHER_COUNTRIES = `(?:OUTSIDE (?:OF )?(?:${HOME}|THE COUNTRY\\b)|OUT OF THE COUNTRY\\b|ABROAD\\b|OVERSEAS\\b)`

export const ABROAD = phrases({
  meaning: 'the coverage is for care in other countries alone',
  source: 'Travel and expatriate policies (GeoBlue, Cigna Global, IMG)',
  says: [
    new RegExp(`\\b${OTHER_COUNTRIES}[ ,-]+ONLY\\W*$`),
    new RegExp(`\\bONLY(?: [A-Z]+){0,4} ${OTHER_COUNTRIES}`),
    new RegExp(`\\b(?:LIMITED|RESTRICTED) TO(?: [A-Z]+){0,5} ${OTHER_COUNTRIES}`),
    new RegExp(
      `\\b(?:NO (?:BENEFITS?|COVERAGE)|NOT (?:VALID|COVERED|PAYABLE|ELIGIBLE))(?: [A-Z]+){0,5} (?:IN|WITHIN|INSIDE) ${HOME}`,
    ),
    new RegExp(
      `\\b(?:SERVICES|CARE|TREATMENT|CLAIMS|EXPENSES)(?: [A-Z]+){0,3} (?:IN|WITHIN|INSIDE) ${HOME}(?: [A-Z]+){0,2} NOT (?:COVERED|PAYABLE|ELIGIBLE)\\b`,
    ),
    new RegExp(`\\bEXCLUD(?:ES?|ING|ED)(?: (?!OUTSIDE|ABROAD)[A-Z]+){0,3} ${HOME}`),
  ],
  unless: [/\b(?:IF|UNLESS|EMERGENC\w*|URGENT|DRUGS?|PHARMACY|PRESCRIPTIONS?|DENTAL|VISION|NOT LIMITED)\b/],
  examples: [
    'OUTSIDE US ONLY',
    'COVERED OUTSIDE OF THE UNITED STATES ONLY',
    'BENEFITS LIMITED TO SERVICES RECEIVED OUTSIDE THE USA',
    'NO BENEFITS FOR SERVICES RENDERED IN THE UNITED STATES',
    'SERVICES WITHIN THE USA ARE NOT COVERED',
    'WORLDWIDE COVERAGE EXCLUDING USA',
  ],
  counterexamples: [
    'EMERGENCY CARE OUTSIDE THE US ONLY',
    'SERVICES RENDERED OUTSIDE THE UNITED STATES ARE COVERED FOR EMERGENCIES ONLY',
    'WORLDWIDE COVERAGE INCLUDING USA',
    'EXCLUDES CARE OUTSIDE THE US',
    'COVERAGE IS VALID IN THE US ONLY',
  ],
})

const CAUSE =
  '(?:THE |AN? |THIS )?(?:[A-Z]+ )?(?:ACCIDENT|INJUR(?:Y|IES)|CRIME|INCIDENT|(?:COMPENSABLE|ACCEPTED|ALLOWED|CERTIFIED|WTC) CONDITIONS?)\\b'

export const ONE_CAUSE = phrases({
  meaning: 'the coverage is for one accident, injury, crime or accepted condition alone',
  source: 'Workers compensation, no-fault insurance and compensation funds that send no EB04',
  says: [
    new RegExp(`\\b(?:SERVICES|CARE|TREATMENT|CLAIMS|CHARGES|VISITS) MUST (?:BE RELATED|RELATE) TO ${CAUSE}`),
    new RegExp(`\\bONLY (?:(?:SERVICES|CARE|TREATMENT|CLAIMS|CHARGES|VISITS) )?RELATED TO ${CAUSE}`),
    /^\W*(?:(?:THIS|WC|CLAIM|INJURY|CONDITION|IS|WAS|HAS|BEEN) )*(?:CLAIM|INJURY|CONDITION)(?: (?:IS|WAS|HAS|BEEN|STATUS))*[ :-]+(?:ACCEPTED|ALLOWED|COMPENSABLE)(?: (?:FOR|AS)\b.*\b(?:ONLY|DOI|DATE OF (?:INJURY|LOSS))\b|[ ,;:-]+(?:DOI|DATE OF (?:INJURY|LOSS))\b)/,
    /^\W*(?:ACCEPTED|ALLOWED|COMPENSABLE) BODY PARTS? ?[:-]/,
    /^\W*(?:ACCEPTED|ALLOWED|COMPENSABLE|CERTIFIED) (?:CONDITIONS?|INJUR(?:Y|IES)|BODY PARTS?) ONLY\W*$/,
  ],
  unless: [/\b(?:IF|WHEN|UNLESS|DENTAL|VISION|PHARMACY)\b/],
  examples: [
    'SERVICES MUST BE RELATED TO THE ACCIDENT',
    'TREATMENT MUST RELATE TO THE COMPENSABLE CONDITION',
    'ONLY CARE RELATED TO THE WTC CONDITION IS PAYABLE',
    'ACCEPTED CONDITIONS ONLY',
    'CLAIM ACCEPTED FOR LEFT KNEE ONLY DOI 11/02/2025',
    'ACCEPTED BODY PARTS: LUMBAR SPINE',
  ],
  counterexamples: [
    'CLAIM ACCEPTED FOR PROCESSING',
    'CLAIMS RELATED TO AN ACCIDENT REQUIRE A QUESTIONNAIRE',
    'PREVENTIVE SERVICES MUST BE RELATED TO A ROUTINE DIAGNOSIS',
    'DENTAL SERVICES MUST BE RELATED TO AN ACCIDENT',
  ],
})

const BROAD = '(?:EMERGENCY|FAMILY PLANNING|PREGNANCY|PRENATAL)'

export const NARROW_CATEGORY = phrases({
  meaning: 'the category or scope of the coverage, after its label, is a limited one',
  source: 'Aid codes and coverage groups of Medicaid programs (Medi-Cal: restricted scope); 42 CFR 440.255',
  says: [
    /^\W*SCOPE(?: OF (?:BENEFITS|COVERAGE|SERVICES))?[ :=-]+(?:EMERGENCY|LIMITED|PARTIAL|RESTRICTED)(?= ONLY\b|\W*$|[,(]| -)/,
    new RegExp(
      `^\\W*(?:AID|BENEFIT|COVERAGE|ELIGIBILITY|MEDICAID|RECIPIENT) (?:CODE|CATEGORY|GROUP|PACKAGE|PLAN|TYPE)(?: \\w{1,3})?[ :-]+${BROAD}(?:[ ,/&-]+(?:${BROAD}|AND|OR|BENEFITS?|CARE|COVERAGE|ONLY|RELATED|SERVICES?|TREATMENT))*\\W*$`,
    ),
  ],
  examples: ['SCOPE OF COVERAGE: RESTRICTED', 'AID CODE 58: PREGNANCY RELATED AND EMERGENCY SERVICES'],
  counterexamples: [
    'SCOPE OF COVERAGE: FULL',
    'AID CODE 58: PREGNANT WOMEN',
    'SCOPE OF COVERAGE LIMITED TO NETWORK PROVIDERS',
  ],
})
