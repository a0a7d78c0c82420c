// The fields of a record in a form, and the comparison when two users change the same record.
import { entered } from './entered.ts'

export interface Field<Value> {
  name: string
  label: string
  group: string
  read: (record: Value) => string
  /** The record with this field changed. The text is the user's input, as `entered` reads it. */
  write: (record: Value, text: string) => Value
  /** Where the interface has it, if the form's record is not in its form: `attending_doctor.npi`. */
  at?: string
  input?: 'text' | 'date' | 'time' | 'number' | 'tel' | 'email' | 'checkbox'
  options?: readonly { value: string; label: string }[]
  isRequired?: boolean
  /** Several lines, which stay as they are typed. */
  hasLines?: boolean
  /** The checkbox that says that a required field is empty with reason. */
  unless?: string
  autoComplete?: string
  /** Why the text is probably mistyped: a warning, not a refusal. `value` reads the form as it is. */
  odd?: (text: string, value: (name: string) => string) => string | undefined
  /** Input that a choice of this field brings with it, by name of the field. `value` reads the form as it is. */
  follow?: (text: string, value: (name: string) => string) => Typed
}

/** The warning about an entry; none about an empty one. */
export function oddityOf(
  { odd }: Pick<Field<never>, 'odd'>,
  text: string,
  value: (name: string) => string,
): string | undefined {
  const entry = entered(text)
  return entry === '' ? undefined : odd?.(entry, value)
}

/** The input by name of the field; unchanged fields are not included. */
export type Typed = Record<string, string>

export function applyTyped<Value>(fields: readonly Field<Value>[], record: Value, typed: Typed): Value {
  return fields.reduce((result, { name, read, write, hasLines }) => {
    const text = typed[name] === undefined ? undefined : enteredIn({ hasLines }, typed[name])
    return text === undefined || text === read(record) ? result : write(result, text)
  }, record)
}

/** Edited, and different from the record with which the form was opened. */
export function changedFields<Value>(fields: readonly Field<Value>[], base: Value, typed: Typed): Field<Value>[] {
  return fields.filter((field) => {
    const text = typed[field.name]
    return text !== undefined && enteredIn(field, text) !== field.read(base)
  })
}

const enteredIn = ({ hasLines }: { hasLines?: boolean | undefined }, text: string) =>
  hasLines ? text.trim() : entered(text)

/**
 * The field whose input is at this path of the interface, such as `primary_address.line[0]`: the one without which the record has something else
 * there. None at the path of several, such as `subscriber`.
 */
export function fieldAt<Value>(fields: readonly Field<Value>[], record: Value, path: string): Field<Value> | undefined {
  const stands = valueAt(record, path)
  if (typeof stands === 'object' && !Array.isArray(stands)) return undefined
  return fields.find(({ at, write }) =>
    at === undefined ? valueAt(write(record, ''), path) !== stands : path === at || path.startsWith(`${at}[`),
  )
}

/** `name.given[0]`; undefined where nothing is. */
const valueAt = (record: unknown, path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], record)

export interface Conflict {
  name: string
  label: string
  before: string
  theirs: string
  /** This user's input; undefined when only the other user changed the field. */
  mine: string | undefined
}

/** The changes of other users since the form was opened, field by field. */
export function findConflicts<Value>(
  fields: readonly Field<Value>[],
  base: Value,
  theirs: Value,
  typed: Typed,
): Conflict[] {
  return fields
    .filter(({ read }) => read(base) !== read(theirs))
    .map((field) => {
      const mine =
        changedFields([field], base, typed).length > 0 ? enteredIn(field, typed[field.name] ?? '') : undefined
      const { name, label, read } = field
      return { name, label, before: read(base), theirs: read(theirs), mine: mine === read(theirs) ? undefined : mine }
    })
}

/**
 * Names of required fields that are empty. What a stored record lacks, such as a street, is not required before anything else of it can be
 * corrected.
 */
export function missingFields<Value>(
  fields: readonly Field<Value>[],
  record: Value,
  typed: Typed,
  isStored = false,
): string[] {
  const textOf = (name: string) =>
    entered(typed[name] ?? fields.find((field) => field.name === name)?.read(record) ?? '')
  return fields
    .filter(({ isRequired, read }) => isRequired && !(isStored && read(record) === ''))
    .filter(({ unless }) => !(unless && textOf(unless) === 'yes'))
    .filter(({ name }) => textOf(name) === '')
    .map(({ name }) => name)
}

/**
 * Names of date fields with a year of fewer than four digits: a browser reads 90 as the year 0090, which the service would store. What is stored
 * so already prevents no other correction.
 */
export function shortYears<Value>(fields: readonly Field<Value>[], base: Value, typed: Typed): string[] {
  const dates = fields.filter(({ input }) => input === 'date')
  return changedFields(dates, base, typed)
    .map(({ name }) => name)
    .filter((name) => /^0/.test(typed[name] ?? ''))
}

export const missingWords = (count: number) =>
  count === 1 ? '1 required field is empty.' : `${count} required fields are empty.`
