// Which codes a diagnosis may have. Only the format of ICD-10 codes is published; the codes of the other types (ICD-9, DRG and LOINC) are
// taken as they are sent. Letters are accepted in upper and lower case and stored as sent. Source: rules.md 4.
// decisions/0173-rules-that-are-written.md
import { invalidCoreRequest } from '../../contract/errors.ts'
import type { DiagnosisTypeCode } from './diagnosis.schema.ts'

const ICD_10_TYPES: readonly DiagnosisTypeCode[] = ['ABF', 'ABJ', 'ABK', 'APR']
/** A letter, a digit, a digit or A or B, then up to four more characters; a trailing period is harmless. */
const ICD_10 = /^[A-Z][0-9][0-9AB]\.?[0-9A-Z]{0,4}$/i

/** @throws HttpRequestValidationsError (422) for a code that is not an ICD-10 code where its type demands one, and for a blank code. */
export function checkCode({ code, code_type }: { code: string; code_type: DiagnosisTypeCode }): void {
  if (ICD_10_TYPES.includes(code_type) ? ICD_10.test(code) : code.trim() !== '') return
  const wanted = ICD_10_TYPES.includes(code_type)
    ? 'an ICD-10 code: a letter, a digit, a digit or A or B, and up to four letters or digits after an optional period'
    : 'a text that is not blank'
  throw invalidCoreRequest('code', `code must be ${wanted}, since code_type is ${code_type}`)
}
