// A check's answer as one tagged PDF page for the patient's file. decisions/0050-benefit-sheet.md
import { toAscii } from '../../x12/ascii.ts'
import { limitsOf, wordOfActive } from './limits.ts'
import { type FinishedCheck, printSections } from './print-benefits.ts'

export interface SheetFacts {
  checkId: string
  organization: string
  /** When the inquiry was sent, in the organization's time zone. */
  askedAt: string
}

/** US Letter, in points. */
const PAGE = { width: 612, height: 792, margin: 40 }
const FONT = { text: 8.6, title: 16, status: 12, foot: 7 }
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
}

/** One page; lines that do not fit are counted at its end. All text of the payer is treated as plain text. */
export async function makeBenefitSheet(check: FinishedCheck, sheet: SheetFacts): Promise<Buffer> {
  // Fonts and compression take a tenth of a second to load, and most processes never make a sheet.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: PAGE.margin,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en-US',
    displayTitle: true,
    info: { Title: 'Benefit sheet', Creator: 'Anteroom', Subject: `Eligibility check ${sheet.checkId}` },
  })
  const done = collect(doc)
  const root = doc.struct('Document')
  doc.addStructure(root)
  const tagged = (tag: string, write: () => void) => root.add(doc.struct(tag, {}, write))
  const sections = printSections(check, { colour: true }).map((lines) => lines.map(toLine))
  const all = [sheet.organization, ...sections.flat().map(({ text }) => text)]

  doc.font('Helvetica-Bold').fontSize(FONT.title)
  tagged('H1', () => doc.text('Benefit sheet', PAGE.margin, PAGE.margin))
  doc.font('Helvetica').fontSize(FONT.text)
  const introduction = `${sheet.organization}. Inquiry sent at ${sheet.askedAt}.`
  tagged('P', () => doc.text(inLatin(introduction), { height: 24, ellipsis: true }))
  doc.moveDown(0.6)

  let isFirst = true
  let leftOut = 0
  for (const section of sections) {
    for (const [index, line] of section.entries()) {
      if (doc.y > FOOT_AT - 3 * FONT.text) {
        leftOut += 1
        continue
      }
      const isStatus = isFirst
      isFirst = false
      const isHeading = isStatus || (index === 0 && line.style !== undefined)
      doc
        .font(isStatus ? 'Helvetica-Bold' : isHeading ? 'Courier-Bold' : 'Courier')
        .fontSize(isStatus ? FONT.status : FONT.text)
      doc.fillColor((line.style && COLOURS[line.style]) ?? '#000000')
      const words = isStatus ? describeStatus(line.text, check) : line.text
      // Without breaking lines pdfkit leaves its place at the end of the text: the next one begins at the margin again.
      tagged(isHeading ? 'H2' : 'P', () => doc.text(inLatin(words) || ' ', PAGE.margin, doc.y, { lineBreak: false }))
      doc.moveDown(isHeading ? 1.15 : 1).fillColor('#000000')
    }
    if (doc.y < FOOT_AT) doc.moveDown(0.5)
  }
  doc.font('Helvetica').fontSize(FONT.foot)
  const foot = describeFoot(sheet.checkId, leftOut, all.some(isTransliterated))
  tagged('P', () => doc.text(foot, PAGE.margin, FOOT_AT + 6, { width: PAGE.width - 2 * PAGE.margin, height: 28 }))
  root.end()
  doc.end()
  return done
}

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

/** Our own styles are ANSI codes; other text holds no control characters (print-benefits-layout.ts). */
function toLine(printed: string): Line {
  const [first, ...rest] = printed.split(STYLE)
  const codes = printed.match(STYLE) ?? []
  const begins = first?.trim() === '' ? codes[0]?.slice(2, -1) : undefined
  return { style: begins, text: [first, ...rest].join('') }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that `styled` writes
const STYLE = /\u001b\[[\d;]*m/g

/** The characters that the standard fonts of PDF have. Source: PDF 32000-1, annex D (WinAnsiEncoding). */
const OUTSIDE = /[^\x20-\x7e\u00a1-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac]/gu

const inLatin = (text: string) => text.replace(OUTSIDE, (character) => toAscii(character) || '?')

const isTransliterated = (text: string) => inLatin(text) !== text

function describeFoot(checkId: string, leftOut: number, isChanged: boolean): string {
  return [
    leftOut > 0 && `${leftOut} more lines do not fit on this page: the console shows the whole answer.`,
    isChanged && 'Text in other scripts is transliterated here; the record keeps the original.',
    'This information is not a guarantee of payment.',
    `Eligibility check ${checkId}. Made by Anteroom.`,
  ]
    .filter(Boolean)
    .join(' ')
}
