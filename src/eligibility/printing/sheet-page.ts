// The pages of a benefit sheet, written from top to bottom. decisions/0050-benefit-sheet.md
import { type Content, type SheetTable, sheetTable, type Write } from './sheet-table.ts'
import { inLetters, LETTER_WIDTH, type Letters, runsOf, sheetFonts } from './sheet-text.ts'

/** US Letter, in points. */
const PAGE = { width: 612, height: 792, margin: 40 }
const FOOTER = { size: 6.8, height: 28 }
/** A white line on black, with so many points around it. */
const BAR = { size: 11, padding: 5 }
/** From one line to the next, as a part of the font's size. */
const LEADING = 1.16
/** The top of the footer. */
const FOOTER_AT = PAGE.height - PAGE.margin - 34

/** How a line looks; `size` is that of the font, in points. */
interface Look {
  size: number
  isBold?: boolean
  color?: string | undefined
}

export interface SheetPages {
  /** Begins a line, and returns a function that writes its parts one after the other. */
  beginLine(look: Look): Write
  /** Writes a line as an element of the document: `H1`, `P`. */
  draw(tag: string, words: string, look: Look): void
  /** A table of this many columns, which takes lines that were begun here. */
  table(columns: number): SheetTable
  /** A line in white on black, which a printer without colors shows as well. */
  drawBar(words: string): void
  /** Leaves this many points free. */
  skip(points: number): void
  /** Whether this many lines of this font size fit above the footer. */
  hasRoomFor(size: number, lines?: number): boolean
  /** What is written then begins at the top of the next page. */
  addPage(): void
  /** How many pages there are. */
  readonly count: number
  /** Whether letters without a glyph in the fonts were replaced. */
  readonly isTransliterated: boolean
  /** Writes the footer of each page, with its number, after which nothing more is written. */
  drawFooters(words: string): void
  /** The pages as a PDF file. */
  toFile(): Promise<Buffer>
}

/** How many letters of a font of this size fit on a line. */
export const lettersInLine = (size: number) => Math.floor((PAGE.width - 2 * PAGE.margin) / (size * LETTER_WIDTH))

/** Pages, tagged for screen readers. */
export async function openSheetPages(info: DocumentInfo): Promise<SheetPages> {
  const { doc, root, file } = await openDocument(info)
  const letters = [lettersOf(doc.font('bold')), lettersOf(doc.font('regular'))]
  let isTransliterated = false
  let y = PAGE.margin
  let count = 1

  function beginLine(look: Look): Write {
    const top = y
    y += look.size * LEADING
    let x = PAGE.margin
    const choose = () =>
      doc
        // By its name: given as bytes, pdfkit would read the whole font again.
        .font(look.isBold ? 'bold' : 'regular')
        .fontSize(look.size)
        .fillColor(look.color ?? '#000000')
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

  /** What a screen reader leaves out. */
  function decorate(drawing: () => void): void {
    doc.markContent('Artifact')
    drawing()
    doc.endMarkedContent()
  }

  return {
    beginLine,
    draw,
    drawBar(words) {
      const { size, padding } = BAR
      const width = PAGE.width - 2 * PAGE.margin
      const height = size * LEADING + 2 * padding
      decorate(() => doc.rect(PAGE.margin, y, width, height).fill('#000000'))
      y += padding
      // The line begins at the margin, as all lines do.
      draw('P', ` ${words}`, { size, isBold: true, color: '#ffffff' })
      y += padding
    },
    table: (columns) => sheetTable(doc, root, columns),
    skip(points) {
      y += points
    },
    hasRoomFor: (size, lines = 1) => y + (lines - 1) * size * LEADING <= FOOTER_AT - size,
    addPage() {
      doc.addPage()
      count += 1
      y = PAGE.margin
    },
    get count() {
      return count
    },
    get isTransliterated() {
      return isTransliterated
    },
    drawFooters(words) {
      const area = { width: PAGE.width - 2 * PAGE.margin, height: FOOTER.height }
      for (let at = 0; at < count; at++) {
        doc.switchToPage(at)
        doc.font('regular').fontSize(FOOTER.size).fillColor('#000000')
        const write = () => void doc.text(`Page ${at + 1} of ${count}. ${words}`, PAGE.margin, FOOTER_AT + 6, area)
        // Read once, at the end.
        if (at < count - 1) decorate(write)
        else root.add(doc.struct('P', {}, write))
      }
      root.end()
    },
    toFile() {
      doc.end()
      return file
    },
  }
}

interface DocumentInfo {
  Title: string
  Creator: string
  Subject: string
}

/** A PDF document with the fonts of the sheet, the root of its tags, and what becomes its file. */
async function openDocument(info: DocumentInfo) {
  // Fonts and compression take a tenth of a second to load, and most processes never make a sheet.
  const { default: PDFDocument } = await import('pdfkit')
  const fonts = sheetFonts()
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: PAGE.margin,
    // Named below: the default is a standard font, which is not embedded.
    font: '',
    tagged: true,
    // The footers state how many there are.
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-US',
    displayTitle: true,
    info,
  })
  const file = collect(doc)
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  return { doc, root, file }
}

/** The present font as fontkit has read it, which pdfkit's types leave out. */
const lettersOf = (doc: unknown) => (doc as { _font: { font: Letters } })._font.font

function collect(doc: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
