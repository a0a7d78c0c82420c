// The page of a benefit sheet, written from top to bottom. decisions/0050-benefit-sheet.md
import { type Content, type SheetTable, sheetTable, type Write } from './sheet-table.ts'
import { inLetters, LETTER_WIDTH, type Letters, runsOf, sheetFonts } from './sheet-text.ts'

/** US Letter, in points. */
const PAGE = { width: 612, height: 792, margin: 40 }
const FOOTER = { size: 6.8, height: 28 }
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

export interface SheetPage {
  /** Begins a line, and returns a function that writes its parts one after the other. */
  beginLine(look: Look): Write
  /** Writes a line as an element of the document: `H1`, `P`. */
  draw(tag: string, words: string, look: Look): void
  /** A table of this many columns, which takes lines that were begun here. */
  table(columns: number): SheetTable
  /** Leaves so many points free. */
  skip(points: number): void
  /** Whether a line of this font size fits above the footer. */
  hasRoomFor(size: number): boolean
  /** Whether letters without a glyph in the fonts were replaced. */
  readonly isTransliterated: boolean
  /** Writes the footer, after which nothing more is written. */
  drawFooter(words: string): void
  /** The page as a PDF file. */
  toFile(): Promise<Buffer>
}

/** How many letters of a font of this size fit on a line. */
export const lettersInLine = (size: number) => Math.floor((PAGE.width - 2 * PAGE.margin) / (size * LETTER_WIDTH))

/** An empty page, tagged for screen readers. */
export async function openSheetPage(info: { Title: string; Creator: string; Subject: string }): Promise<SheetPage> {
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
    info,
  })
  const file = collect(doc)
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold)
  const letters = [lettersOf(doc.font('bold')), lettersOf(doc.font('regular'))]
  let isTransliterated = false
  let y = PAGE.margin

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

  return {
    beginLine,
    draw(tag, words, look) {
      const content = beginLine(look)(words)
      if (content.length > 0) root.add(doc.struct(tag, {}, content))
    },
    table: (columns) => sheetTable(doc, root, columns),
    skip(points) {
      y += points
    },
    hasRoomFor: (size) => y <= FOOTER_AT - size,
    get isTransliterated() {
      return isTransliterated
    },
    drawFooter(words) {
      doc.font('regular').fontSize(FOOTER.size).fillColor('#000000')
      const area = { width: PAGE.width - 2 * PAGE.margin, height: FOOTER.height }
      root.add(doc.struct('P', {}, () => void doc.text(words, PAGE.margin, FOOTER_AT + 6, area)))
      root.end()
    },
    toFile() {
      doc.end()
      return file
    },
  }
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
