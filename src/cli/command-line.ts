/** Wrong words on the command line: exit code 2, as against 1 for work that failed. */
export class UsageError extends Error {}

export interface CommandLine {
  /** The words after the command's name. */
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

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Whether a person's terminal shows what we print; NO_COLOR turns colours off. Source: https://no-color.org. */
export function showsColour(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR
}

/** One object as `key: value` lines, or as JSON for programs. */
export function printObject(line: CommandLine, object: object): void {
  const lines = Object.entries(object).map(([key, value]) => `${key}: ${value}`)
  print(line.flags.json ? JSON.stringify(object, null, 2) : lines.join('\n'))
}

/** Objects as a table with a heading, or as a JSON array for programs. */
export function printTable(line: CommandLine, objects: object[]): void {
  print(line.flags.json ? JSON.stringify(objects, null, 2) : tableOf(objects))
}

function tableOf(objects: object[]): string {
  const [first] = objects
  if (!first) return 'none'
  const rows = [Object.keys(first), ...objects.map((object) => Object.values(object).map(String))]
  const widths = Object.keys(first).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
