// Denials of what a medical plan is for, by what it is called: "medical services are not covered". rules.md 17; decisions/0232.

import { phrases } from '../phrase-group.ts'
import { CONDITION, OF_PLAN } from './denied.ts'

const CARE =
  '(?:(?:ALL|ANY|GENERAL|THE) )*(?:(?:MEDICAL|HEALTH|HEALTHCARE|PHYSICIANS?|PROFESSIONAL)(?: CARE)? (?:CARE|SERVICES|TREATMENT|EXPENSES|CLAIMS)|OUTPATIENT (?:CARE|SERVICES)|PRIMARY CARE(?: SERVICES)?)'
const NOT_COVERED =
  '(?:(?:IS|ARE|WILL)(?: BE)? )?(?:NOT (?:BE )?(?:AN? )?(?:COVERED|ELIGIBLE|INCLUDED|PAID|PAYABLE|BENEFITS?)(?: (?:BENEFITS?|EXPENSES?|SERVICES?))?|EXCLUDED|CARVED[ -]?OUT)'

export const NO_MEDICAL_CARE = phrases({
  meaning: 'medical services, which an office visit is one of, are not covered',
  source: 'Plans for other services or for stays alone that answer service type 30; TPAs',
  says: [
    new RegExp(`^\\W*${CARE}(?: ?[:-]+)? ${NOT_COVERED}(?: (?:FROM|OF|IN) (?:THIS|THE) (?:PLAN|POLICY))?${OF_PLAN}`),
    new RegExp(
      `^\\W*(?:${CARE} ?[:=-]+ ?NO?|(?:COVERED SERVICES|SERVICES COVERED) ?[:=-]+ ?NONE|NO COVERED SERVICES)\\W*$`,
    ),
    new RegExp(`^\\W*NO (?:${CARE}|SERVICES) (?:(?:IS|ARE|WILL BE) )?(?:COVERED|PAYABLE)${OF_PLAN}`),
    new RegExp(`\\b(?:DOES|DO|WILL) NOT (?:COVER|PAY FOR|INCLUDE) ${CARE}${OF_PLAN}`),
    new RegExp(
      `\\b(?:NO (?:COVERAGE|BENEFITS)|NOT (?:COVERED|ELIGIBLE|ENTITLED)) (?:FOR|TO) ${CARE}${OF_PLAN}|^\\W*NO (?:MEDICAL|PHYSICIAN|PROFESSIONAL) COVERAGE\\W*$`,
    ),
  ],
  unless: [CONDITION],
  examples: [
    'MEDICAL SERVICES ARE NOT COVERED UNDER THIS PLAN',
    'MEDICAL EXPENSES ARE NOT COVERED',
    'PHYSICIAN SERVICES - NOT COVERED',
    'OUTPATIENT CARE IS NOT A BENEFIT OF THIS PLAN',
    'MEDICAL SERVICES: N',
    'COVERED SERVICES: NONE',
    'NO MEDICAL SERVICES ARE COVERED',
    'THIS PLAN DOES NOT COVER MEDICAL SERVICES',
    'MEMBER IS NOT COVERED FOR MEDICAL SERVICES',
    'NO PROFESSIONAL COVERAGE',
  ],
  counterexamples: [
    'MEDICAL SERVICES ARE NOT COVERED OUTSIDE THE UNITED STATES',
    'MEDICAL SERVICES NOT AUTHORIZED ARE NOT COVERED',
    'HOME HEALTH SERVICES ARE NOT COVERED',
    'NO COVERED SERVICES REQUIRE REFERRAL',
    'NO COVERAGE FOR PHYSICIAN SERVICES RELATED TO WEIGHT LOSS',
    'OUTPATIENT SURGERY NOT COVERED',
  ],
})
