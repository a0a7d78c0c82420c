// The texts of SQL in the source, found by parsing it, and whether a statement that was sent contains them: what shows
// that the statements which a test has seen are all statements that there are.
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { packageFile } from '../../src/platform/package-root.ts'

/** A text of SQL as the source has it: the parts between its interpolations. */
export interface SourceText {
  file: string
  line: number
  start: number
  end: number
  parts: string[]
}

/** Text that names a table after one of these words is SQL; other text is prose. */
const NAMES_A_TABLE = /\b(?:from|join|insert into|update|delete from)\s+(?:only\s+)?(\w+|\$)/g
const BEGINS_A_STATEMENT = /^\s*(?:select|insert into|update|delete from|with)\s/

export const isStatement = (text: string) => BEGINS_A_STATEMENT.test(text)

/** The texts below a folder of the project. */
export function sourceTexts(tables: ReadonlySet<string>, folder = 'src'): SourceText[] {
  return sourceFiles(folder).flatMap((file) => {
    const text = readFileSync(packageFile(`${folder}/${file}`), 'utf8')
    return literalsOf(parseSync(file, text).program)
      .filter(({ parts }) => isSql(parts, tables))
      .map((literal) => ({ ...literal, file, line: text.slice(0, literal.start).split('\n').length }))
  })
}

/** The texts that `statement` contains; interpolations may have become anything. */
export function textsIn(statement: string, texts: readonly SourceText[]): SourceText[] {
  const sent = inOneLine(statement)
  return texts.filter((text) => {
    const { longest, pattern } = formOf(text)
    return sent.includes(longest) && pattern.test(sent)
  })
}

/** Statements as they stand in the source: what is a whole statement and has no interpolation. */
export const constantStatements = (texts: readonly SourceText[]) =>
  texts.flatMap(({ parts: [text = '', ...others] }) =>
    others.length === 0 && BEGINS_A_STATEMENT.test(text) ? [text] : [],
  )

/** The files whose texts `statement` begins with. */
export function filesOf(statement: string, texts: readonly SourceText[]): string[] {
  const sent = inOneLine(statement).trim()
  const begun = texts.filter((text) => {
    const { longest, pattern } = formOf(text)
    return (text.parts[0] ?? '').trim() !== '' && sent.includes(longest) && sent.search(pattern) === 0
  })
  return [...new Set(begun.map(({ file }) => file))]
}

/** `longest`, the longest part, is looked for first, because most statements lack it. */
interface Form {
  longest: string
  pattern: RegExp
}
const forms = new WeakMap<SourceText, Form>()

function formOf(text: SourceText): Form {
  const known = forms.get(text)
  if (known) return known
  const fixed = text.parts.map((part) => inOneLine(part).trim())
  const [longest = ''] = fixed.toSorted((one, other) => other.length - one.length)
  const escaped = fixed.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s'))
  // What stands before the first part may be anything as it is.
  const form = { longest, pattern: new RegExp(escaped.join('[^]*?').replace(/^(\[\^\]\*\?)+/, '')) }
  forms.set(text, form)
  return form
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

function isSql(parts: string[], tables: ReadonlySet<string>): boolean {
  const text = parts.join('$')
  const named = [...text.matchAll(NAMES_A_TABLE)].map(([, name = '']) => name)
  return named.some((name) => tables.has(name)) || (BEGINS_A_STATEMENT.test(text) && named.includes('$'))
}

function sourceFiles(folder: string): string[] {
  return readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
}

type Literal = Pick<SourceText, 'start' | 'end' | 'parts'>

/** Every string and template of a parsed file. */
function literalsOf(node: unknown, found: Literal[] = []): Literal[] {
  if (typeof node !== 'object' || node === null) return found
  const { type, start, end, value, quasis } = node as Omit<Literal, 'parts'> & {
    type: string
    value: unknown
    quasis: unknown
  }
  if (type === 'Literal' && typeof value === 'string') found.push({ start, end, parts: [value] })
  if (type === 'TemplateLiteral') found.push({ start, end, parts: cookedParts(quasis) })
  for (const below of Object.values(node)) literalsOf(below, found)
  return found
}

const cookedParts = (quasis: unknown) =>
  (quasis as { value: { cooked: string } }[]).map(({ value: { cooked } }) => cooked)
