/** Wrong usage of the command line: exit code 2, while failed work has exit code 1. */
export class UsageError extends Error {}

/** The parsed command line, checked against the declaration of the command: its words and flags. */
export interface CommandLine {
  words: string[]
  flags: Record<string, string | boolean | undefined>
}

/** The text of a flag. @throws UsageError when it is missing. */
export function requireFlag(line: CommandLine, name: string): string {
  const value = line.flags[name]
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is required`)
  return value
}

/** A word after the command. @throws UsageError that names the missing word. */
export function requireWord(line: CommandLine, position: number, what: string): string {
  const word = line.words[position]
  if (!word) throw new UsageError(`${what} is required`)
  return word
}
