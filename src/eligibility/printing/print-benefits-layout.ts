import { money } from '../../contract/money.ts'
import { withDateNames } from '../../contract/shown-days.ts'
import { isUnlimited } from '../../contract/unlimited.ts'

/** Maximum width of a printed line, in characters. */
const WIDTH = 100

export interface PrintOptions {
  /** Whether the output supports ANSI colors; off by default. */
  color?: boolean
  /** Whether the rows and cells of tables are marked with `ROW` and `CELL`; off by default. */
  marksCells?: boolean
}

/** Before a row of a table, and between its cells. No printed text has them: `plain` removes control characters. */
export const ROW = '\u001e'
export const CELL = '\u001f'

/** The line, filled up with blanks to a width that its marks do not count for. */
export const padTo = (line: string, width: number): string =>
  line + ' '.repeat(Math.max(0, width - line.replaceAll(ROW, '').replaceAll(CELL, '').length))

/** How text is highlighted when colors are supported. */
export type Style = 'good' | 'bad' | 'open' | 'title'

const STYLES: Readonly<Record<Style, string>> = { good: '1;32', bad: '1;31', open: '1;33', title: '1' }

/** The text in a style, or unchanged without colors. */
export function styled(text: string, style: Style, options: PrintOptions): string {
  return options.color ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text
}

/**
 * A payer's text in a form that is safe for a terminal: no control characters, no bidirectional marks, single blanks. Text from outside
 * must not move the cursor.
 */
export function plain(text: string): string {
  return withDateNames(text.replaceAll(/[\p{C}\s]+/gu, ' ').trim())
}

/** Text in lines of at most `WIDTH`: the first after `indent` and `label`, the others aligned below it. */
export function wrap(text: string, indent: number, label = ''): string[] {
  const start = ' '.repeat(indent) + label
  const rest = ' '.repeat(Math.min(start.length, WIDTH / 2))
  const available = WIDTH - start.length
  return fold(plain(text), available, WIDTH - rest.length).map((line, index) => (index === 0 ? start : rest) + line)
}

/** Words in lines of at most the given lengths; a longer word is cut. */
function fold(text: string, first: number, others = first): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    let left = word
    while (left !== '') {
      const room = Math.max(1, lines.length === 0 ? first : others)
      if (line === '' && left.length > room) {
        lines.push(left.slice(0, room))
        left = left.slice(room)
      } else if (line === '' || line.length + 1 + left.length <= room) {
        line = line === '' ? left : `${line} ${left}`
        left = ''
      } else {
        lines.push(line)
        line = ''
      }
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** Facts one per line, with the names in one column. Missing ones are left out. */
export function facts(entries: readonly (readonly [name: string, value: string | undefined])[]): string[] {
  const known = entries.flatMap(([name, value]) => (value ? [[plain(name).slice(0, WIDTH / 3), value] as const] : []))
  const width = Math.max(0, ...known.map(([name]) => name.length)) + 2
  return known.flatMap(([name, value]) => wrap(value, 2, name.padEnd(width)))
}

/** Cells side by side, each folded to its column; the last column takes the remaining width. */
export function columns(
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  indent: number,
  { marksCells = false }: PrintOptions = {},
): string[] {
  const folded = cells.map((lines, index) => lines.flatMap((line) => fold(plain(line), (widths[index] ?? WIDTH) - 1)))
  const height = Math.max(0, ...folded.map((lines) => lines.length))
  return Array.from({ length: height }, (_, row) => {
    const line = folded.map((lines, index) => (lines[row] ?? '').padEnd(widths[index] ?? 0))
    const start = marksCells && row === 0 ? ROW : ''
    return (start + ' '.repeat(indent) + line.join(marksCells ? CELL : '')).trimEnd()
  })
}

const BAR = 16

/** The used share of a whole, e.g. `[####------------] 25 %`. */
export function bar(part: number, whole: number): string {
  const share = Math.min(1, Math.max(0, part / whole))
  const full = Math.round(share * BAR)
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${Math.round(share * 100)} %`
}

/** An amount, or `no limit` for an amount of nines. */
export const dollars = (value: number): string => (isUnlimited(value) ? 'no limit' : money(value))

/** `planBegin` as `plan begin`. */
export function spell(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

/** `in network` and `out of network`, or both in one. */
export function nameNetworks(networks: ReadonlySet<string>): string {
  return networks.size > 1 ? 'in and out of network' : ([...networks][0] ?? '')
}
