// The format of a code for each code type. Letters are accepted in upper and lower case and stored as sent. Source:
// rules.md 4.
import { invalidCoreRequest } from '../../contract/errors.ts'
import type { DiagnosisTypeCode } from './diagnosis.schema.ts'

interface CodeFormat {
  description: string
  fits(code: string): boolean
}

/** A letter, a digit, a digit or A or B, then up to four more characters; a trailing period is harmless. */
const ICD_10 = /^[A-Z][0-9][0-9AB]\.?[0-9A-Z]{0,4}$/i
/** Three to five digits; a V code has two before the period, an E code three. Source: ICD-9-CM, volume 1. */
const ICD_9 = /^([0-9]{3}\.?[0-9]{0,2}|V[0-9]{2}\.?[0-9]{0,2}|E[0-9]{3}\.?[0-9]?)$/i
const DRG = /^[0-9]{3}$/
/** Older codes are shorter than five digits, newer ones longer. */
const LOINC = /^[0-9]{1,7}-[0-9]$/

const icd10: CodeFormat = {
  description:
    'an ICD-10 code: a letter, a digit, a digit or A or B, and up to four letters or digits after an optional period',
  fits: (code) => ICD_10.test(code),
}
const icd9: CodeFormat = {
  description: 'an ICD-9 code: three to five digits, or a V or E code, with an optional period',
  fits: (code) => ICD_9.test(code),
}
const drg: CodeFormat = { description: 'a DRG of three digits', fits: (code) => DRG.test(code) }
const loinc: CodeFormat = {
  description: 'a LOINC code with its check digit (NNNNN-N)',
  fits: (code) => LOINC.test(code) && hasCheckDigit(code),
}

const formats: Record<DiagnosisTypeCode, CodeFormat> = {
  ABF: icd10,
  ABJ: icd10,
  ABK: icd10,
  APR: icd10,
  BF: icd9,
  BJ: icd9,
  BK: icd9,
  PR: icd9,
  DR: drg,
  LOI: loinc,
}

/** @throws HttpRequestValidationsError (422) for a code that does not match its type. */
export function checkCode({ code, code_type }: { code: string; code_type: DiagnosisTypeCode }): void {
  const { description, fits } = formats[code_type]
  if (!fits(code)) throw invalidCoreRequest('code', `code must be ${description}, since code_type is ${code_type}`)
}

/** The mod 10 check digit of LOINC (Users' Guide, appendix C), which is Luhn's: every second digit from the right counts twice. */
function hasCheckDigit(code: string): boolean {
  const digits = [...code.replace('-', '')].reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const counted = index % 2 === 1 ? digit * 2 : digit
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}
