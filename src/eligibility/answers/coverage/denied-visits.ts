// Texts about the plan by which visits to an office are not covered. Source: rules.md 17; decisions/0232, 0235.
import { NO_OFFICE_VISITS } from '../words/denials/denied.ts'
import { NO_MEDICAL_CARE } from '../words/denials/no-medical-care.ts'
import { inOwnWords, type OwnNames } from '../words/names/own-names.ts'
import { states } from '../words/phrase-group.ts'

/** True for sentences in capitals of one row, one of which denies visits. "Outpatient services: N" below "auth required" answers that, and denies nothing. */
export function denyVisits(sentences: readonly string[], own: OwnNames): boolean {
  const denials = sentences.filter((sentence) => {
    const words = inOwnWords(sentence, own)
    return DENIALS.some((denial) => states(denial, words))
  })
  return denials.some((sentence) => !ANSWER.test(sentence) || !sentences.some((each) => HEADING.test(each)))
}

const DENIALS = [NO_OFFICE_VISITS, NO_MEDICAL_CARE]
const ANSWER = /[:=-] ?NO?\W*$/
const HEADING =
  /^\W*(?:PRIOR |PRE-?)?(?:AUTH\w*|CERT\w*|REFERRALS?|DEDUCTIBLE|CO-?PAY\w*) (?:APPLIES|NEEDED|REQ(?:UIRED)?)\W*$/
