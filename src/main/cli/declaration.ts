// A command as data. Parsing, help, docs/command-line.md and the completions are all made of these declarations, so that a flag which
// a command does not declare cannot be given to it.
import type { CommandLine } from './command-line.ts'

export type FlagDeclaration = ValueFlag | SwitchFlag

interface AnyFlag {
  summary: string
  isRequired?: true
}

interface ValueFlag extends AnyFlag {
  /** What stands for its value in the usage. */
  value: string
  /** The only values that it takes. */
  choices?: readonly string[]
  /** An empty text is a value of it. */
  mayBeEmpty?: true
  /** Its value is the path of a file. */
  isFile?: true
  /** Reads the value before anything is opened. @throws UsageError for text that the command does not understand. */
  check?(text: string, flag: string): unknown
}

/** What only a value can have is an error of types here: a flag that should take one would silently be a switch. */
interface SwitchFlag extends AnyFlag {
  value?: never
  choices?: never
  mayBeEmpty?: never
  isFile?: never
  check?: never
}

export interface WordDeclaration {
  /** As the usage shows it. */
  name: string
  /** As an error names it: "… is needed". */
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
  /** Whole command lines. */
  examples?: readonly string[]
  /** Loads the command's code, and runs it: `x12 decode` needs no database driver. */
  run(line: CommandLine): Promise<void>
}

export interface CommandGroup {
  name: string
  summary: string
  commands: readonly CommandDeclaration[]
}

export type Declaration = CommandDeclaration | CommandGroup

export const isGroup = (declaration: Declaration): declaration is CommandGroup => 'commands' in declaration

/** Every command with the words that call it. */
export function flatten(declarations: readonly Declaration[]): { path: string; command: CommandDeclaration }[] {
  return declarations.flatMap((each) =>
    isGroup(each)
      ? each.commands.map((command) => ({ path: `${each.name} ${command.name}`, command }))
      : [{ path: each.name, command: each }],
  )
}

/** What follows the command's name, e.g. `<name> --organization <id or name> [--json]`. */
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
