import { readFileSync } from 'node:fs'

/** A source with the line of the program where it begins, and its own line for each line of the program from there on. */
type Row = [source: string, first: number, ...lines: number[]]

/**
 * Names the source and its line in the stacks of errors, in place of the program's one file: `src/records/page.ts:88:5`. V8 calls it when a stack is
 * first read. The table of the places is read with the first one, because a start needs none. Without it stacks stay as they are.
 * @param program the name of the program's file. Its folder is that of the build, which compiled code remembers.
 * @param table the path of the table that the build makes (scripts/source-places.js).
 */
export function nameSources(program: string, table: string): void {
  let rows: readonly Row[] | undefined
  const textOf = (site: NodeJS.CallSite) => {
    const text = `${site}`
    const file = site.getFileName()
    if (!file?.endsWith(program)) return text
    const line = site.getLineNumber() ?? 0
    rows ??= readRows(table)
    // By index: taking a row apart copies it.
    const row = rows.findLast((each) => each[1] <= line)
    return row ? text.replace(`${file}:${line}`, () => `${row[0]}:${row[2 + line - row[1]]}`) : text
  }
  Error.prepareStackTrace = (error, sites) =>
    `${headOf(error)}${sites.map((site) => `\n    at ${textOf(site)}`).join('')}`
}

function readRows(table: string): readonly Row[] {
  try {
    return JSON.parse(readFileSync(table, 'utf8'))
  } catch {
    return []
  }
}

/** As V8 writes it. An error may be any object, and its own text may throw. */
function headOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}
