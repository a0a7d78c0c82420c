// A command as data. Parsing, help, docs/command-line.md and the completions are all derived from these declarations,
// so that a command accepts only the flags that it declares.
import type { CommandLine } from './command-line.ts'

export type FlagDeclaration = ValueFlag | SwitchFlag

interface AnyFlag {
  summary: string
  isRequired?: true
}

interface ValueFlag extends AnyFlag {
  /** The placeholder of the value in the usage line. */
  value: string
  /** The only values that it accepts. */
  choices?: readonly string[]
  /** True when an empty text is a legal value. */
  mayBeEmpty?: true
  /** Its value is the path of a file. */
  isFile?: true
  /** Validates the value before anything is opened. @throws UsageError for an invalid value. */
  check?(text: string, flag: string): unknown
}

/**
 * Properties that only make sense with a value are a type error here; otherwise a flag that needs a value could be
 * declared as a switch by mistake.
 */
interface SwitchFlag extends AnyFlag {
  value?: never
  choices?: never
  mayBeEmpty?: never
  isFile?: never
  check?: never
}

export interface WordDeclaration {
  /** The name in the usage line. */
  name: string
  /** The name in errors: "… is required". */
  what: string
  kind?: 'optional' | 'several'
  isFile?: true
}

export interface CommandDeclaration {
  name: string
  /** Earlier names that still work. */
  alias?: string
  summary: string
  words?: readonly WordDeclaration[]
  flags?: Readonly<Record<string, FlagDeclaration>>
  /** Complete command lines. */
  examples?: readonly string[]
  /** Loads the command's code and runs it, so that `x12 decode`, for instance, needs no database driver. */
  run(line: CommandLine): Promise<void>
}

export interface CommandGroup {
  name: string
  summary: string
  commands: readonly CommandDeclaration[]
}

export type Declaration = CommandDeclaration | CommandGroup

export const isGroup = (declaration: Declaration): declaration is CommandGroup => 'commands' in declaration

/** Every command with its full path. */
export function flatten(declarations: readonly Declaration[]): { path: string; command: CommandDeclaration }[] {
  return declarations.flatMap((each) =>
    isGroup(each)
      ? each.commands.map((command) => ({ path: `${each.name} ${command.name}`, command }))
      : [{ path: each.name, command: each }],
  )
}

/** The usage after the command's name, e.g. `<name> --organization <id or name> [--json]`. */
export function usageOf({ words = [], flags = {} }: CommandDeclaration): string {
  return [
    ...words.map(({ name, kind }) =>
      kind === 'optional' ? `[${name}]` : kind === 'several' ? `<${name}>…` : `<${name}>`,
    ),
    ...Object.entries(flags).map(([name, flag]) =>
      flag.isRequired ? signatureOf(name, flag) : `[${signatureOf(name, flag)}]`,
    ),
  ].join(' ')
}

/** `--kind core|stedi|availity`, `--before <day>`, `--json`. */
export function signatureOf(name: string, { value, choices }: FlagDeclaration): string {
  const shown = choices ? choices.join('|') : value && `<${value}>`
  return `--${name}${shown ? ` ${shown}` : ''}`
}
