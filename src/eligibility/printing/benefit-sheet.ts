// A check's answer as one tagged PDF page for the patient's file. decisions/0050-benefit-sheet.md
import { limitsOf, wordOfActive } from '../answers/coverage/limits.ts'
import { type FinishedCheck, sectionsOf } from './print-benefits.ts'
import { CELL, ROW } from './print-benefits-layout.ts'
import { lettersInLine, openSheetPage, type SheetPage } from './sheet-page.ts'

interface SheetFacts {
  checkId: string
  organization: string
  /** When the inquiry was sent, in the organization's time zone. */
  askedAt: string
}

/** Sizes of the font, in points. */
const SIZE = { text: 8.5, title: 16, status: 12 }
const COLORS: Readonly<Record<string, string>> = {
  '1;32': '#1a6b2d',
  '1;31': '#a11a1a',
  '1;33': '#7a4d00',
  1: '#000000',
}
const STATUS_WORDS: Readonly<Record<string, string>> = {
  INACTIVE: 'Not active',
  UNKNOWN: 'Not known',
}

interface Line {
  kind: 'status' | 'heading' | 'text'
  text: string
  /** The style of a heading or a highlighted sentence. */
  style: string | undefined
  /** Of a line of a table; together they are the text. */
  cells?: string[]
  isNewRow?: boolean
}

/** Awaited before a piece of work that takes a millisecond or two. */
type TakeTurn = () => Promise<void> | undefined

/** One page; lines that do not fit are counted at its end. All text of the payer is treated as plain text. */
export async function makeBenefitSheet(
  check: FinishedCheck,
  sheet: SheetFacts,
  takeTurn: TakeTurn = () => undefined,
): Promise<Buffer> {
  const subject = `Eligibility check ${sheet.checkId}`
  const page = await openSheetPage({ Title: 'Benefit sheet', Creator: 'Anteroom', Subject: subject })
  drawHead(page, sheet)
  await takeTurn()
  let leftOut = 0
  let isFirst = true
  for (const section of sectionsOf(check, { color: true, marksCells: true })) {
    leftOut += await drawSection(page, linesOf(section, check, isFirst), takeTurn)
    isFirst = false
    await takeTurn()
  }
  page.drawFooter(describeFooter(sheet.checkId, leftOut, page.isTransliterated))
  await takeTurn()
  return page.toFile()
}

function drawHead(page: SheetPage, { organization, askedAt }: SheetFacts): void {
  page.draw('H1', 'Benefit sheet', { size: SIZE.title, isBold: true })
  page.skip(SIZE.text * 0.4)
  const made = `. Inquiry sent at ${askedAt}.`
  page.draw('P', cut(organization, lettersInLine(SIZE.text) - made.length) + made, { size: SIZE.text })
  page.skip(SIZE.text * 0.6)
}

/** Returns how many of the lines do not fit on the page. */
async function drawSection(page: SheetPage, lines: readonly Line[], takeTurn: TakeTurn): Promise<number> {
  const tableEnd = lines.findLastIndex(({ cells }) => cells !== undefined)
  const table = page.table(Math.max(...lines.map(({ cells }) => cells?.length ?? 0)))
  let leftOut = 0
  for (const [index, line] of lines.entries()) {
    if (!page.hasRoomFor(SIZE.text)) {
      leftOut += 1
      continue
    }
    await takeTurn()
    const isHeading = line.kind !== 'text'
    const look = {
      size: line.kind === 'status' ? SIZE.status : SIZE.text,
      isBold: isHeading,
      color: line.style && COLORS[line.style],
    }
    if (index <= tableEnd) table.add(line, isHeading, page.beginLine(look))
    else {
      table.end()
      page.draw(isHeading ? 'H2' : 'P', line.text, look)
    }
    if (isHeading) page.skip(SIZE.text * 0.15)
  }
  table.end()
  page.skip(SIZE.text * 0.5)
  return leftOut
}

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** The lines of a section. The first section begins with the status. */
function linesOf(section: readonly string[], check: FinishedCheck, isFirst: boolean): Line[] {
  return section.map((printed, index) => {
    const line = toLine(printed)
    if (index > 0) return line
    if (isFirst) return { ...line, kind: 'status', text: describeStatus(line.text, check) }
    return { ...line, kind: line.style === undefined ? 'text' : 'heading' }
  })
}

const describeStatus = (status: string, { parsed_response: parsed }: FinishedCheck) =>
  status === 'ACTIVE' ? wordOfActive(limitsOf(parsed)) : (STATUS_WORDS[status] ?? status)

/** Our own styles are ANSI codes, and our cells are marked; other text holds no control characters (print-benefits-layout.ts). */
function toLine(printed: string): Line {
  const unmarked = printed.replace(ROW, '')
  const [first] = unmarked.split(STYLE)
  const codes = unmarked.match(STYLE) ?? []
  const text = unmarked.replaceAll(STYLE, '')
  return {
    kind: 'text',
    style: first?.trim() === '' ? codes[0]?.slice(2, -1) : undefined,
    text,
    ...(text.includes(CELL) && { cells: text.split(CELL), isNewRow: unmarked !== printed }),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that `styled` writes
const STYLE = /\u001b\[[\d;]*m/g

function describeFooter(checkId: string, leftOut: number, isTransliterated: boolean): string {
  return [
    leftOut > 0 && `${leftOut} more lines do not fit on this page: the console shows the whole answer.`,
    isTransliterated &&
      'Letters that this sheet cannot print are transliterated; the record keeps the original spelling.',
    'This information is not a guarantee of payment.',
    `Eligibility check ${checkId}. Generated by Anteroom.`,
  ]
    .filter(Boolean)
    .join(' ')
}
