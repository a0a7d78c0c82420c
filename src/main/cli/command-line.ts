/** Wrong words on the command line: exit code 2, as against 1 for work that failed. */
export class UsageError extends Error {}

/** What was typed, checked against the declaration of the command: the words that it takes and its own flags. */
export interface CommandLine {
  words: string[]
  flags: Record<string, string | boolean | undefined>
}

/** A flag's text. @throws UsageError when it is needed and missing. */
export function requireFlag(line: CommandLine, name: string): string {
  const value = line.flags[name]
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is needed`)
  return value
}

/** A word after the command. @throws UsageError that says what is missing. */
export function requireWord(line: CommandLine, position: number, what: string): string {
  const word = line.words[position]
  if (!word) throw new UsageError(`${what} is needed`)
  return word
}
