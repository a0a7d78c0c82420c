// A check's answer as tagged PDF pages for the patient's file. decisions/0050-benefit-sheet.md
import { PROHIBITION } from '../../contract/answer-notes.ts'
import { inShownForms } from '../../contract/shown-days.ts'
import { limitsOf, wordOfActive } from '../answers/coverage/limits.ts'
import { isProhibition } from '../answers/coverage/qualified-beneficiary.ts'
import { askedPatient, type FinishedCheck, sectionsOf } from './print-benefits.ts'
import { CELL, ROW } from './print-benefits-layout.ts'
import { lettersInLine, openSheetPages, type SheetPages } from './sheet-page.ts'

interface SheetFacts {
  checkId: string
  organization: string
  /** When the inquiry was sent, in the organization's time zone. */
  askedAt: string
}

/** Some 600 lines. What a payer writes has no end, and each line costs a millisecond. */
const MOST_PAGES = 10

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

/** As many pages as the answer needs, up to a limit; lines beyond it are counted at the end. All text of the payer is treated as plain text. */
export async function makeBenefitSheet(
  check: FinishedCheck,
  sheet: SheetFacts,
  takeTurn: TakeTurn = () => undefined,
): Promise<Buffer> {
  const subject = `Eligibility check ${sheet.checkId}`
  const pages = await openSheetPages({ Title: 'Benefit sheet', Creator: 'Anteroom', Subject: subject })
  const patient = inShownForms(askedPatient(check) ?? 'Patient without a name')
  drawHead(pages, sheet, patient)
  if (check.parsed_response?.benefits?.notes?.split('\n').some(isProhibition)) pages.drawBar(`${PROHIBITION}.`)
  await takeTurn()
  const state = { leftOut: 0, head: `${patient}. Benefit sheet, inquiry sent at ${sheet.askedAt}, continued.` }
  let isFirst = true
  for (const section of sectionsOf(check, { color: true, marksCells: true })) {
    await drawSection(pages, linesOf(section, check, isFirst), state, takeTurn)
    isFirst = false
    await takeTurn()
  }
  pages.drawFooters(describeFooter(sheet.checkId, state.leftOut, pages.isTransliterated))
  await takeTurn()
  return pages.toFile()
}

function drawHead(pages: SheetPages, { organization, askedAt }: SheetFacts, patient: string): void {
  pages.draw('H1', 'Benefit sheet', { size: SIZE.title, isBold: true })
  pages.skip(SIZE.text * 0.4)
  drawPatient(pages, patient)
  const made = `. Inquiry sent at ${askedAt}.`
  pages.draw('P', cutToLine(organization, made.length) + made, { size: SIZE.text })
  pages.skip(SIZE.text * 0.6)
}

/** Sheets are parted and mixed up: whose it is stands at the top of each page, before what the payer calls the patient. */
function drawPatient(pages: SheetPages, patient: string): void {
  pages.draw('P', cutToLine(patient), { size: SIZE.text, isBold: true })
}

/** Lines beyond the last page are counted in `state`, which also has the head of each further page. */
async function drawSection(
  pages: SheetPages,
  lines: readonly Line[],
  state: { leftOut: number; head: string },
  takeTurn: TakeTurn,
): Promise<void> {
  const tableEnd = lines.findLastIndex(({ cells }) => cells !== undefined)
  const columns = Math.max(...lines.map(({ cells }) => cells?.length ?? 0))
  let table = pages.table(columns)

  function drawLine(line: Line, isInTable: boolean): void {
    const isHeading = line.kind !== 'text'
    const look = {
      size: line.kind === 'status' ? SIZE.status : SIZE.text,
      // What has a color must stand out without one.
      isBold: line.style !== undefined,
      color: line.style && COLORS[line.style],
    }
    if (isInTable) table.add(line, isHeading, pages.beginLine(look))
    else {
      table.end()
      pages.draw(isHeading ? 'H2' : 'P', line.text, look)
    }
    if (isHeading) pages.skip(SIZE.text * 0.15)
  }

  for (const [index, line] of lines.entries()) {
    // A heading does not stand alone at the end of a page.
    const needed = line.kind === 'text' ? 1 : Math.min(lines.length, 3)
    if (state.leftOut > 0 || !pages.hasRoomFor(SIZE.text, needed)) {
      if (pages.count === MOST_PAGES) {
        state.leftOut += 1
        continue
      }
      table.end()
      pages.addPage()
      drawPatient(pages, state.head)
      pages.skip(SIZE.text * 0.6)
      table = pages.table(columns)
      const [first] = lines
      if (index > 0 && first?.kind === 'heading') drawLine(first, index <= tableEnd)
    }
    await takeTurn()
    drawLine(line, index <= tableEnd)
  }
  table.end()
  pages.skip(SIZE.text * 0.5)
}

const cutToLine = (text: string, others = 0) => cut(text, lettersInLine(SIZE.text) - others)

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
  const shown = inShownForms(printed)
  const unmarked = shown.replace(ROW, '')
  const [first] = unmarked.split(STYLE)
  const codes = unmarked.match(STYLE) ?? []
  const text = unmarked.replaceAll(STYLE, '')
  return {
    kind: 'text',
    style: first?.trim() === '' ? codes[0]?.slice(2, -1) : undefined,
    text,
    ...(text.includes(CELL) && { cells: text.split(CELL), isNewRow: unmarked !== shown }),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that `styled` writes
const STYLE = /\u001b\[[\d;]*m/g

function describeFooter(checkId: string, leftOut: number, isTransliterated: boolean): string {
  return [
    leftOut > 0 && `${leftOut} more lines do not fit on this sheet: the console shows the whole answer.`,
    isTransliterated &&
      'Letters that this sheet cannot print are transliterated; the record keeps the original spelling.',
    'This information is not a guarantee of payment.',
    `Eligibility check ${checkId}. Generated by Anteroom.`,
  ]
    .filter(Boolean)
    .join(' ')
}
