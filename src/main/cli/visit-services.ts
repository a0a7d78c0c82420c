import { isServiceTypeCode } from '../../contract/wire-codes.ts'
import { UniversalServiceIdentifier } from '../../resources/appointments/appointment.schema.ts'
import { UsageError } from './program/command-line.ts'

const KNOWN: readonly string[] = UniversalServiceIdentifier.enum

/**
 * `Treatment=PT,98;Tests=5` as a table; an empty text gives an empty table. @throws UsageError for a malformed list.
 */
export function readVisitServices(text: string, flag: string): Record<string, string[]> {
  const entries = text.split(';').filter((entry) => entry.trim() !== '')
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', codes = '', ...rest] = entry.split('=').map((part) => part.trim())
      const list = codes.split(',').map((code) => code.trim().toUpperCase())
      if (rest.length > 0 || !KNOWN.includes(name) || !list.every(isServiceTypeCode)) {
        throw new UsageError(
          `--${flag} takes service=codes;…: services are ${KNOWN.join(', ')}, codes service types that an inquiry may name (X12 1365)`,
        )
      }
      return [name, list]
    }),
  )
}
