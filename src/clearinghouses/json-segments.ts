// Values of a connector's JSON as parts of a 271, for every form of JSON.
import type { DatePeriod, Party, Reference } from '../x12/model.ts'
import { readDatePeriod } from '../x12/party.ts'
import { type JsonObject, textOf } from './json-values.ts'

/** REF02 and REF03 under this REF01; empty without either. */
export function readReference(qualifier: string, value: unknown, description?: unknown): Reference[] {
  const [stated, described] = [textOf(value), textOf(description)]
  if (stated === undefined && described === undefined) return []
  return [{ qualifier, value: stated, description: described }]
}

/** Whether an object has one of these keys. Most have none of a long table, which their own few keys show. */
export function hasAny(json: JsonObject, keys: ReadonlySet<string>): boolean {
  for (const key in json) if (keys.has(key)) return true
  return false
}

/** The keys of REF02 and REF03, by REF01. */
export type ReferenceKeys = ReadonlyMap<string, readonly [value: string, description?: string | undefined]>

/** A function that reads the references of a table, in its order. */
export function referenceReader(table: ReferenceKeys): (json: JsonObject) => Reference[] {
  const keys = new Set([...table.values()].flatMap((names) => names.filter((name) => name !== undefined)))
  return (json) => {
    const references: Reference[] = []
    if (!hasAny(json, keys)) return references
    for (const [qualifier, [value, description]] of table)
      references.push(...readReference(qualifier, json[value], description && json[description]))
    return references
  }
}

/** NM109 from the first of the keys that has a text; `keys` are by their NM108. */
export function readId(json: JsonObject, keys: Readonly<Record<string, string>>): Pick<Party, 'idQualifier' | 'id'> {
  for (const [idQualifier, key] of Object.entries(keys)) {
    const id = textOf(json[key])
    if (id !== undefined) return { idQualifier, id }
  }
  return {}
}

/** A day or a range under this DTP01, in any notation that is read in X12; other text is kept in `raw` only. */
export function readPeriodText(qualifier: string, text: string): DatePeriod {
  const format = text.includes('-') ? 'RD8' : 'D8'
  return readDatePeriod({ id: 'DTP', elements: ['DTP', qualifier, format, text], ordinal: 0 })
}

/** The code of each name of a table, in lower case. */
export function codesByLowerName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).map(([code, name]) => [name.toLowerCase(), code]))
}

/** A function that reads a code under its key, else the code of the name under another key; undefined for an unknown name. */
export function readerOfCodes(
  codeKey: string,
  nameKey: string,
  names: Readonly<Record<string, string>>,
): (json: JsonObject) => string | undefined {
  const codes = codesByLowerName(names)
  return (json) => textOf(json[codeKey]) ?? codes.get(textOf(json[nameKey])?.trim().toLowerCase() ?? '')
}
