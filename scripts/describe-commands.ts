import { declarations } from '../src/main/cli/commands/index.ts'
import { type CommandDeclaration, flatten, signatureOf, usageOf } from '../src/main/cli/program/declaration.ts'

/** docs/command-line.md: every command with its flags, as `--help` gives them. */
export function describeCommands(): string {
  return `${[HEADING, ...flatten(declarations).map(({ path, command }) => describe(path, command))].join('\n\n')}\n`
}

function describe(path: string, command: CommandDeclaration): string {
  const { alias, summary, flags = {}, examples = [] } = command
  const parts = [`## ${path}`, fenced([`anteroom ${path} ${usageOf(command)}`.trim()]), `${sentence(summary)}`]
  if (alias) parts.push(`Earlier name: \`${alias}\`.`)
  const options = Object.entries(flags).map(([name, flag]) => `- \`${signatureOf(name, flag)}\`: ${flag.summary}`)
  if (options.length > 0) parts.push(options.join('\n'))
  if (examples.length > 0) parts.push(fenced([...examples]))
  return parts.join('\n\n')
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const fenced = (lines: string[]) => ['```', ...lines, '```'].join('\n')

const HEADING = `# Command line

<!-- Generated from src/main/cli/commands by \`npm run generate\`. Do not edit. -->

Run \`npx anteroom <command>\`. Commands work while a server runs. Exit code 0 is success and 1 is failure. Exit code 2 is a usage
error: an unknown flag, an invalid value, or an extra argument. In that case nothing was changed.
\`--help\` after any command prints its flags, and \`anteroom --version\` the version of the program.
\`source <(npx anteroom completion bash)\` completes commands and flags; \`completion zsh\` does the same for zsh.

\`serve\`, \`migrate\` and \`restore\` create a database if there is none (\`worker\` does so in \`DATABASE_URL\`). Every other command
works on the data in \`DATA_DIR\` or \`DATABASE_URL\`, and reports an error if there is none.`
