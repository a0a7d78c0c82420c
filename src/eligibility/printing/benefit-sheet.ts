// A check's answer as one tagged PDF page for the patient's file. decisions/0050-benefit-sheet.md
import { limitsOf, wordOfActive } from '../answers/coverage/limits.ts'
import { type FinishedCheck, printSections } from './print-benefits.ts'
import { CELL, ROW } from './print-benefits-layout.ts'
import { type Content, sheetTable } from './sheet-table.ts'
import { inLetters, LETTER_WIDTH, type Letters, runsOf, sheetFonts } from './sheet-text.ts'

export interface SheetFacts {
  checkId: string
  organization: string
  /** When the inquiry was sent, in the organization's time zone. */
  askedAt: string
}

/** US Letter, in points. */
const PAGE = { width: 612, height: 792, margin: 40 }
const FONT = { text: 8.5, title: 16, status: 12, foot: 6.8 }
/** From one line to the next, as a part of the font's size. */
const LEADING = 1.16
/** The top of the footer. */
const FOOT_AT = PAGE.height - PAGE.margin - 34
const COLOURS: Readonly<Record<string, string>> = {
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
  text: string
  /** The style of a heading or a highlighted sentence. */
  style: string | undefined
  /** Of a line of a table; together they are the text. */
  cells?: string[]
  isNewRow?: boolean
}

interface Look {
  size: number
  isBold?: boolean
  colour?: string | undefined
}

/**
 * One page; lines that do not fit are counted at its end. All text of the payer is treated as plain text. A line takes a millisecond or two, so
 * `takeTurn` is awaited before each.
 */
export async function makeBenefitSheet(
  check: FinishedCheck,
  sheet: SheetFacts,
  takeTurn: () => Promise<void> | undefined = () => undefined,
): Promise<Buffer> {
  // Fonts and compression take a tenth of a second to load, and most processes never make a sheet.
  const { default: PDFDocument } = await import('pdfkit')
  const fonts = sheetFonts()
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: PAGE.margin,
    // Named below: the default is a standard font, which is not embedded.
    font: '',
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en-US',
    displayTitle: true,
    info: { Title: 'Benefit sheet', Creator: 'Anteroom', Subject: `Eligibility check ${sheet.checkId}` },
  })
  const done = collect(doc)
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  const letters = [lettersOf(doc.font('bold')), lettersOf(doc.font('regular'))]
  let isTransliterated = false
  let y = PAGE.margin

  /** Begins a line, and returns a function that writes its parts one after the other. */
  function beginLine(look: Look) {
    const top = y
    y += look.size * LEADING
    let x = PAGE.margin
    const choose = () =>
      doc
        // By its name: given as bytes, pdfkit would read the whole font again.
        .font(look.isBold ? 'bold' : 'regular')
        .fontSize(look.size)
        .fillColor(look.colour ?? '#000000')
    return (words: string): Content[] => {
      const shown = inLetters(words, letters)
      isTransliterated ||= shown !== words.normalize('NFC')
      choose()
      // Words in another direction are marked with their text, which the order of their glyphs does not tell.
      const parts = runsOf(shown).map(({ text, isRightToLeft }) => {
        const left = x
        // Given features, pdfkit shapes the text as a whole and not word by word.
        const write = () => {
          choose()
          doc.text(text, left, top, { lineBreak: false, features: [] })
        }
        x += doc.widthOfString(text, { features: [] })
        return isRightToLeft ? doc.struct('Span', { actual: text }, write) : write
      })
      return shown.trim() === '' ? [] : parts
    }
  }
  function draw(tag: string, words: string, look: Look): void {
    const content = beginLine(look)(words)
    if (content.length > 0) root.add(doc.struct(tag, {}, content))
  }

  draw('H1', 'Benefit sheet', { size: FONT.title, isBold: true })
  y += FONT.text * 0.4
  const made = `. Inquiry sent at ${sheet.askedAt}.`
  draw('P', cut(sheet.organization, COLUMNS - made.length) + made, { size: FONT.text })
  y += FONT.text * 0.6
  let isFirst = true
  let leftOut = 0
  await takeTurn()
  for (const section of printSections(check, { colour: true, marksCells: true })) {
    const lines = section.map(toLine)
    const tableEnd = lines.findLastIndex(({ cells }) => cells !== undefined)
    const table = sheetTable(doc, root, Math.max(...lines.map(({ cells }) => cells?.length ?? 0)))
    for (const [index, line] of lines.entries()) {
      if (y > FOOT_AT - FONT.text) {
        leftOut += 1
        continue
      }
      await takeTurn()
      const isStatus = isFirst
      isFirst = false
      const isHeading = isStatus || (index === 0 && line.style !== undefined)
      const look = {
        size: isStatus ? FONT.status : FONT.text,
        isBold: isHeading,
        colour: line.style && COLOURS[line.style],
      }
      if (index <= tableEnd) table.add(line, isHeading, beginLine(look))
      else {
        table.end()
        draw(isHeading ? 'H2' : 'P', isStatus ? describeStatus(line.text, check) : line.text, look)
      }
      if (isHeading) y += FONT.text * 0.15
    }
    table.end()
    y += FONT.text * 0.5
  }
  doc.font('regular').fontSize(FONT.foot).fillColor('#000000')
  const foot = describeFoot(sheet.checkId, leftOut, isTransliterated)
  const area = { width: PAGE.width - 2 * PAGE.margin, height: 28 }
  root.add(doc.struct('P', {}, () => void doc.text(foot, PAGE.margin, FOOT_AT + 6, area)))
  root.end()
  await takeTurn()
  doc.end()
  return done
}

/** The letters of a line of plain text. */
const COLUMNS = Math.floor((PAGE.width - 2 * PAGE.margin) / (FONT.text * LETTER_WIDTH))

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** The present font as fontkit has read it, which pdfkit's types leave out. */
const lettersOf = (doc: unknown) => (doc as { _font: { font: Letters } })._font.font

const describeStatus = (status: string, { parsed_response: parsed }: FinishedCheck) =>
  status === 'ACTIVE' ? wordOfActive(limitsOf(parsed)) : (STATUS_WORDS[status] ?? status)

function collect(doc: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}

/** Our own styles are ANSI codes, and our cells are marked; other text holds no control characters (print-benefits-layout.ts). */
function toLine(printed: string): Line {
  const unmarked = printed.replace(ROW, '')
  const [first] = unmarked.split(STYLE)
  const codes = unmarked.match(STYLE) ?? []
  const text = unmarked.replaceAll(STYLE, '')
  return {
    style: first?.trim() === '' ? codes[0]?.slice(2, -1) : undefined,
    text,
    ...(text.includes(CELL) && { cells: text.split(CELL), isNewRow: unmarked !== printed }),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that `styled` writes
const STYLE = /\u001b\[[\d;]*m/g

function describeFoot(checkId: string, leftOut: number, isChanged: boolean): string {
  return [
    leftOut > 0 && `${leftOut} more lines do not fit on this page: the console shows the whole answer.`,
    isChanged && 'Letters that this sheet has no font for are transliterated; the record keeps the original.',
    'This information is not a guarantee of payment.',
    `Eligibility check ${checkId}. Made by Anteroom.`,
  ]
    .filter(Boolean)
    .join(' ')
}
