// The notation of the guide's rules: a table with one line for each segment and one cell for each element.
//
//   segment('NM1', 'R', 1, `R2-3 IL | R1 1 2 | S1-60 | S1-35`, { key: 1, notes: 'P0809' })
//
// A cell is the usage (R required, S situational, N not used), the length (`2-3`, or `1` for exactly one), a type (`n` whole number,
// `r` decimal number, text otherwise), `^99` for the number of repetitions, and the permitted codes. `S{ … / … }` is a composite.
// Elements after the last cell are not used. Notes are X12's own: P paired, R at least one, C the first needs the others, E not both,
// L the first needs one of the others.

export interface ElementRule {
  usage: 'R' | 'S' | 'N'
  min: number
  max: number
  type: 'text' | 'n' | 'r'
  repeats: number
  codes: ReadonlySet<string> | undefined
  components: ElementRule[] | undefined
}

export interface SegmentRule {
  id: string
  usage: 'R' | 'S'
  max: number
  elements: ElementRule[]
  /** The element that distinguishes it from other segments of the same id by the codes of its cell. */
  key: number | undefined
  notes: string[]
}

/** Segments and loops in order; the first one begins the loop. */
export interface LoopRule {
  loop: string
  usage: 'R' | 'S'
  max: number
  parts: (SegmentRule | LoopRule)[]
}

export function segment(
  id: string,
  usage: 'R' | 'S',
  max: number,
  cells: string,
  { key, notes = '' }: { key?: number; notes?: string } = {},
): SegmentRule {
  const elements = splitCells(cells, '|').map(readCell)
  return { id, usage, max, elements, key, notes: notes.split(' ').filter(Boolean) }
}

export function loop(name: string, usage: 'R' | 'S', max: number, ...parts: LoopRule['parts']): LoopRule {
  return { loop: name, usage, max, parts }
}

function splitCells(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
}

const CELL = /^([RSN])(?:(\d+)(?:-(\d+))?)?([nr])?(?:\^(\d+))?(?:\s+(\S.*))?$/s

function readCell(cell: string): ElementRule {
  const composite = /^([RSN])\{(.*)\}$/s.exec(cell)
  if (composite) {
    const [, usage, inside = ''] = composite
    const components = splitCells(inside, '/').map(readCell)
    return { ...anyText, usage: usage as ElementRule['usage'], components }
  }
  const match = CELL.exec(cell)
  if (!match) throw new Error(`"${cell}" is no cell`)
  const [, usage, min = '1', max = min, type = 'text', repeats = '1', codes] = match
  return {
    usage: usage as ElementRule['usage'],
    min: Number(min),
    max: Number(max),
    type: type as ElementRule['type'],
    repeats: Number(repeats),
    codes: codes === undefined ? undefined : new Set(codes.trim().split(/\s+/)),
    components: undefined,
  }
}

const anyText = { min: 1, max: Number.POSITIVE_INFINITY, type: 'text', repeats: 1, codes: undefined } as const
