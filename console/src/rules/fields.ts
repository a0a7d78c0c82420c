// Fields of a record as a form has them, and what happens when two people change the same record.

export interface Field<Value> {
  name: string
  label: string
  group: string
  read: (record: Value) => string
  /** The record with this field changed. It is given what a person typed, without surrounding blanks. */
  write: (record: Value, text: string) => Value
  input?: 'text' | 'date' | 'tel' | 'email' | 'checkbox'
  options?: readonly { value: string; label: string }[]
  isRequired?: boolean
  autoComplete?: string
}

/** What was typed, by the name of the field; fields that nobody touched are not in it. */
export type Typed = Record<string, string>

export function applyTyped<Value>(fields: readonly Field<Value>[], record: Value, typed: Typed): Value {
  return fields.reduce((result, { name, read, write }) => {
    const text = typed[name]?.trim()
    return text === undefined || text === read(record) ? result : write(result, text)
  }, record)
}

/** Touched and different from the record that the form was opened with. */
export function changedFields<Value>(fields: readonly Field<Value>[], base: Value, typed: Typed): Field<Value>[] {
  return fields.filter(({ name, read }) => typed[name] !== undefined && typed[name].trim() !== read(base))
}

export interface Clash {
  name: string
  label: string
  before: string
  theirs: string
  /** What this person typed; undefined where only the other one changed the field. */
  mine: string | undefined
}

/** What somebody else changed since the form was opened, field by field. */
export function findClashes<Value>(fields: readonly Field<Value>[], base: Value, theirs: Value, typed: Typed): Clash[] {
  return fields
    .filter(({ read }) => read(base) !== read(theirs))
    .map((field) => {
      const mine = changedFields([field], base, typed).length > 0 ? typed[field.name]?.trim() : undefined
      const { name, label, read } = field
      return { name, label, before: read(base), theirs: read(theirs), mine: mine === read(theirs) ? undefined : mine }
    })
}

/** Names of required fields that are empty. */
export function missingFields<Value>(fields: readonly Field<Value>[], record: Value, typed: Typed): string[] {
  return fields
    .filter(({ name, read, isRequired }) => isRequired && (typed[name] ?? read(record)).trim() === '')
    .map(({ name }) => name)
}
