// Bodies of about one size that are the most expensive to read without limits: deep, wide, with many values, or with long texts.
import { patientBody } from '../test/support/bodies.ts'

const MARK = '\u0301'
const filled = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))
const inPatient = (field: string, value: string) => `${JSON.stringify(patientBody()).slice(0, -1)},"${field}":${value}}`
const list = (unit: string, bytes: number) => `[${filled(`${unit},`, bytes)}${unit}]`

/** The bodies by name; `bytes` is the size of each. */
export function hostileBodies(bytes: number): Record<string, string> {
  const half = bytes / 2
  return {
    'nested arrays': `${filled('[', half)}${filled(']', half)}`,
    'nested objects': `${filled('{"a":', half)}1${filled('}', half / 5)}`,
    'half-open arrays': filled('[', bytes),
    'empty arrays': list('[]', bytes),
    'empty objects': list('{}', bytes),
    nulls: list('null', bytes),
    numbers: list('1', bytes),
    'long numbers': list(`1${filled('0', 300)}`, bytes),
    'one long number': filled('9', bytes),
    escapes: `{"a":"${filled('\\u0041', bytes)}"}`,
    backslashes: `{"a":"${filled('\\\\', bytes)}"}`,
    'one long name': inPatient('mrn', `"${filled('a', bytes)}"`),
    'marks up to the limit': inPatient('mrn', `"${filled(`a${MARK.repeat(30)}`, bytes)}"`),
    'letters and deletes': inPatient('mrn', `"${filled('a\x7f', bytes)}"`),
    'unseen characters': inPatient('mrn', `"${filled('\u200b', bytes)}"`),
    'combining marks': inPatient('mrn', `"a${filled(MARK, bytes)}"`),
    keys: `{${Array.from({ length: bytes / 12 }, (_, index) => `"key${index}":1`).join(',')}}`,
    'one key again and again': `{${filled('"a":1,', bytes)}"a":1}`,
    'list of a record': inPatient('custom_metadata', list('{"metadata_schema_id":"x","key_value_pairs":{}}', bytes)),
  }
}
