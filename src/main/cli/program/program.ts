// Builds the command line from its declarations: commander parses, and anything that a command did not declare is wrong
// usage.
import { Argument, Command, CommanderError, Option } from 'commander'
import { oneOf } from '../../../contract/one-of.ts'
import { programVersion } from '../../../platform/package-root.ts'
import { UsageError } from './command-line.ts'
import {
  type CommandDeclaration,
  type CommandGroup,
  type Declaration,
  type FlagDeclaration,
  flatten,
  isGroup,
  usageOf,
} from './declaration.ts'
import { print } from './output.ts'

/**
 * Runs the command line after `anteroom`. @throws UsageError, before anything is opened, for undeclared words and
 * flags.
 */
export async function runProgram(args: readonly string[], declarations: readonly Declaration[]): Promise<void> {
  try {
    await createProgram(declarations, new Set(args)).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new UsageError(asOneLine(error.message), { cause: error })
  }
}

const asOneLine = (message: string) => message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')

/** With the commands that were typed: to make all of them takes longer than to run one. */
function createProgram(declarations: readonly Declaration[], typed: ReadonlySet<string>): Command {
  // What follows a command is its own: `--version` after one is not a flag of the program.
  const root = plainCommand('anteroom').version(programVersion()).enablePositionalOptions()
  const overview = () => overviewOf(flatten(declarations))
  root.helpInformation = overview
  root.argument('[command...]').action(([name]: string[]) => {
    if (name !== undefined) throw new UsageError(`unknown command ${name}: anteroom help lists all commands`)
    print(overview().trimEnd())
  })
  for (const declaration of declarations) if (isNamed(declaration, typed)) root.addCommand(commandOf(declaration))
  root.addCommand(helpCommand(root))
  return root
}

function isNamed(declaration: Declaration, typed: ReadonlySet<string>): boolean {
  return typed.has(declaration.name) || (!isGroup(declaration) && typed.has(declaration.alias ?? declaration.name))
}

function commandOf(declaration: Declaration): Command {
  return isGroup(declaration) ? groupOf(declaration) : leafOf(declaration)
}

/** `anteroom help client create` is `anteroom client create --help`. */
function helpCommand(root: Command): Command {
  return plainCommand('help')
    .argument('[command...]')
    .action((names: string[]) => {
      const command = names.reduce<Command | undefined>(
        (parent, name) => parent?.commands.find((each) => each.name() === name || each.aliases().includes(name)),
        root,
      )
      if (!command) throw new UsageError(`unknown command ${names.join(' ')}: anteroom help lists all commands`)
      command.outputHelp()
    })
}

function groupOf(group: CommandGroup): Command {
  const parent = plainCommand(group.name).description(group.summary)
  parent.helpInformation = () => overviewOf(flatten([group]))
  parent.argument('[command...]').action(() => {
    throw new UsageError(`${group.name} takes ${oneOf(group.commands.map(({ name }) => name))}`)
  })
  for (const declaration of group.commands) parent.addCommand(leafOf(declaration))
  return parent
}

function leafOf(declaration: CommandDeclaration): Command {
  const { name, alias, summary, words = [], flags = {}, examples = [] } = declaration
  const command = plainCommand(name).description(summary).usage(usageOf(declaration))
  if (alias) command.alias(alias)
  // All words are optional for commander: a missing one is reported in the declaration's own words.
  for (const word of words) {
    command.addArgument(new Argument(word.kind === 'several' ? `[${word.name}...]` : `[${word.name}]`, word.what))
  }
  for (const [flag, each] of Object.entries(flags)) command.addOption(optionOf(flag, each))
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`)
  return command.action(async () => {
    const given = command.opts()
    const line = {
      words: [...command.args],
      flags: Object.fromEntries(Object.keys(flags).map((flag) => [flag, given[camelCase(flag)]])),
    }
    requireDeclared(declaration, line)
    await declaration.run(line)
  })
}

function requireDeclared(
  { words = [], flags = {} }: CommandDeclaration,
  line: { words: string[]; flags: Record<string, unknown> },
): void {
  for (const [position, { what, kind }] of words.entries()) {
    const isMissing = kind === 'optional' ? line.words[position] === '' : !line.words[position]
    if (isMissing) throw new UsageError(`${what} is required`)
  }
  for (const [flag, { isRequired }] of Object.entries(flags)) {
    if (isRequired && line.flags[flag] === undefined) throw new UsageError(`--${flag} is required`)
  }
}

function optionOf(name: string, flag: FlagDeclaration): Option {
  const option = new Option(flag.value ? `--${name} <${flag.value}>` : `--${name}`, flag.summary)
  return flag.value === undefined ? option : option.argParser(readValue(name, flag))
}

/** The value as text. It is validated here; the command parses it where it needs it. */
function readValue(name: string, { choices, check, mayBeEmpty }: FlagDeclaration) {
  return (text: string, earlier: string | undefined): string => {
    if (earlier !== undefined) throw new UsageError(`--${name} is given more than once`)
    // Commander accepts any next word: a flag whose value was forgotten would take the next flag as its value.
    if ((text.trim() === '' && !mayBeEmpty) || /^--?[^-\d\s]/.test(text))
      throw new UsageError(`--${name} needs a value`)
    if (check) check(text, name)
    else if (choices && !choices.includes(text)) throw new UsageError(`--${name} takes ${oneOf(choices)}`)
    return text
  }
}

/** A command that neither ends the process nor guesses what was meant, as commander does by default. */
function plainCommand(name: string): Command {
  return new Command(name)
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show this')
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: () => {} })
    .configureHelp({ optionTerm: (option) => termOf(option), helpWidth: 120 })
}

const termOf = ({ flags }: Option) => flags.replace(/ <((?:\w+\|)+\w+)>$/, ' $1')

const camelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function overviewOf(commands: { path: string; command: CommandDeclaration }[]): string {
  const lines = commands.flatMap(({ path, command }) => [
    `  ${['anteroom', path, usageOf(command)].filter(Boolean).join(' ')}`,
    `      ${command.summary}`,
  ])
  const more =
    'anteroom <command> --help shows more; anteroom --version prints the version. Settings come from the environment and .env; docs/settings.md lists them.'
  return `${['Usage:', ...lines, '', more].join('\n')}\n`
}
