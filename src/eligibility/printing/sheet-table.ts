// The table of a section of the benefit sheet, with its rows, headings and cells for a screen reader. Source: PDF 32000-1, 14.8.4.3.4 and 14.8.5.7.

type Document = PDFKit.PDFDocument
type Element = PDFKit.PDFStructureElement
/** What is drawn for an element, and the elements in it. */
export type Content = (() => void) | Element

interface TableLine {
  text: string
  cells?: readonly string[]
  isNewRow?: boolean
}

/** Writes a part of the present line. */
export type Write = (words: string) => Content[]

export interface SheetTable {
  /** A line: the beginning or the continuation of a row, or words across the table, such as the conditions of the row above. */
  add: (line: TableLine, isHeading: boolean, write: Write) => void
  /** May be called again. */
  end: () => void
}

/** A table is added to `root` with its first row. `width`: its number of columns. */
export function sheetTable(doc: Document, root: Element, width: number): SheetTable {
  let table: Element | undefined
  let row: { cells: Content[][]; isHeading: boolean } | undefined

  function flush(): void {
    if (!row) return
    if (!table) {
      table = doc.struct('Table')
      root.add(table)
    }
    const { cells, isHeading } = row
    const parts = cells.map((content, place) => {
      const isTitle = content.length > 0 && (isHeading || (place === 0 && cells.length > 1))
      const options = isTitle ? { scope: isHeading ? 'Column' : 'Row' } : {}
      const cell = doc.struct(isTitle ? 'TH' : 'TD', options as object, content)
      const span = place === cells.length - 1 ? width - place : 1
      if (span > 1) widen(cell, span)
      return cell
    })
    table.add(doc.struct('TR', {}, parts))
    row = undefined
  }

  return {
    add({ text, cells = [text], isNewRow = false }, isHeading, write) {
      const isContinued = cells.length > 1 && !isNewRow && row !== undefined
      if (!isContinued) flush()
      // The title of the section is in the line of the headings, above the names of the rows.
      if (isHeading) root.add(doc.struct('H2', {}, write(cells[0] ?? '')))
      const contents = isHeading ? [[], ...cells.slice(1).map(write)] : cellsOf(cells, write)
      if (isContinued && row) row = { ...row, cells: row.cells.map((old, at) => [...old, ...(contents[at] ?? [])]) }
      else row = { cells: contents, isHeading }
    },
    end() {
      flush()
      table?.end()
      table = undefined
    },
  }
}

/** Blanks before a cell are drawn with it, so that every line begins at the margin. */
function cellsOf(cells: readonly string[], write: Write): Content[][] {
  let blanks = ''
  return cells.map((cell) => {
    blanks += cell
    if (cell.trim() === '') return []
    const content = write(blanks)
    blanks = ''
    return content
  })
}

/** pdfkit's elements have no option for ColSpan. */
function widen(cell: Element, columns: number): void {
  const { data } = (cell as unknown as { dictionary: { data: { A?: object } } }).dictionary
  data.A = { ...data.A, O: 'Table', ColSpan: columns }
}
