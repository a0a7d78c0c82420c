// The shapes that a clearinghouse's JSON has by its description. decisions/0215-odd-shapes-and-odd-transport.md

/**
 * The kind of a single value:
 * - `text`, `truth` (true or false), `day`, `period` (a day or two), `amount`, `percent`, `count`, `figure` (an amount or a percentage);
 * - `code`: the code or word of an enumeration, which has no blanks at its ends;
 * - `words`: what the payer says, as texts at any depth;
 * - `known`: not read here, whatever it is.
 */
export type Kind =
  | 'text'
  | 'truth'
  | 'day'
  | 'period'
  | 'amount'
  | 'percent'
  | 'count'
  | 'figure'
  | 'code'
  | 'words'
  | 'known'

/** A value of an enumeration: as its code or its name, in one member or two. */
export interface Choice {
  /** The name of each code. */
  readonly names: Readonly<Record<string, string>>
  /** Which of the two the member has; the other is read as well. */
  readonly as: 'code' | 'name'
  /** The member with the name, if there is one. */
  readonly beside?: string
  /** Whether a figure or its place depends on it, so that a value that is neither a code nor a known name is unreadable. */
  readonly isStrict?: boolean
}

export interface ListShape {
  readonly list: Shape
}

export interface ObjectShape {
  readonly members: ReadonlyMap<string, Shape>
  /** The canonical name of each member by its plain one. */
  readonly names: ReadonlyMap<string, string>
  /** The member that a single value in place of the object is. */
  readonly alone?: string | undefined
  /** By the member that holds it. */
  readonly choices: readonly (readonly [name: string, choice: Choice])[]
  /** Whether a list of objects with one member each holds the members of one. */
  readonly hasParts: boolean
  /** The member for what the payer says under a name that the description has not. */
  readonly words?: string | undefined
}

export type Shape = Kind | ListShape | ObjectShape

export const listOf = (list: Shape): ListShape => ({ list })

/** An object with these members. */
export function objectWith(
  members: Readonly<Record<string, Shape>>,
  { choices = {}, hasParts = false, ...more }: More = {},
): ObjectShape {
  const names = new Map(Object.keys(members).map((name) => [plainName(name), name]))
  return { members: new Map(Object.entries(members)), names, choices: Object.entries(choices), hasParts, ...more }
}

interface More extends Pick<ObjectShape, 'alone' | 'words'> {
  choices?: Readonly<Record<string, Choice>>
  hasParts?: boolean
}

/** The members of one kind, by their names in a text. */
export function membersOf(kind: Shape, names: string): Record<string, Shape> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

/** A name in any case, and with the words in it divided in any way. */
export const plainName = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
