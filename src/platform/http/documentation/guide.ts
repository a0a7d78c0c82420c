// The guide: README.md, docs/ and SECURITY.md as pages without scripts. Every heading can be linked to and found by
// search.
import { readdir, readFile } from 'node:fs/promises'
import { Marked } from 'marked'
import { packageFile } from '../../package-root.ts'
import { escapeHtml } from './docs-text.ts'

/** A page of the guide. */
export interface GuidePage {
  /** The last part of its path. */
  name: string
  title: string
  html: string
  sections: Section[]
}

interface Section {
  id: string
  title: string
  /** Its text without markup. */
  text: string
}

/** A search result. */
export interface Found {
  page: string
  pageTitle: string
  id: string
  title: string
  excerpt: string
}

/** A comment of an author, such as that a page is generated. */
const COMMENT = /^<!--(?:(?!-->)[\s\S])*-->\s*$/

/** The reading order; pages that are not listed follow by name. */
const ORDER = [
  'README',
  'first-clinic',
  'concepts',
  'eligibility',
  'polling',
  'filters',
  'clients',
  'console',
  'users',
  'events',
  'verification',
  'clearinghouses',
  'connector-settings',
  'tools',
  'production',
  'sizing',
  'settings',
  'command-line',
  'runbook',
  'troubleshooting',
  'SECURITY',
]

/** The pages by name, in reading order. */
export async function readGuide(): Promise<Map<string, GuidePage>> {
  const inDocs = (await readdir(packageFile('docs'))).filter((file) => file.endsWith('.md'))
  const names = ['README', 'SECURITY', ...inDocs.map((file) => file.slice(0, -3))]
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  names.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  const pages = await Promise.all(names.map((name) => readPage(name, new Set(names))))
  return new Map(pages.map((page) => [page.name, page]))
}

async function readPage(name: string, names: ReadonlySet<string>): Promise<GuidePage> {
  const inDocs = name !== 'README' && name !== 'SECURITY'
  const markdown = await readFile(packageFile(...(inDocs ? ['docs'] : []), `${name}.md`), 'utf8')
  const page = render(markdown, (target) => addressOf(target, names))
  return { name, ...page, ...(name === 'README' && { title: 'Quick start' }) }
}

/** The path in the guide that a link between files leads to; undefined for a file that is not a page. */
function addressOf(target: string, names: ReadonlySet<string>): string | undefined {
  if (/^(?:https?:|#)/.test(target)) return target
  const [, name = '', anchor = ''] = /^(?:\.\.\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(target) ?? []
  return names.has(name) ? `/docs/guide/${name}${anchor}` : undefined
}

/** Renders Markdown as HTML. HTML in the Markdown is shown as text, so nothing in a page can run. */
export function render(markdown: string, addressOf: (target: string) => string | undefined): Omit<GuidePage, 'name'> {
  const sections: Section[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = sections.find(({ title }) => title === plainText(text))?.id ?? ''
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = addressOf(href)
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
      },
      html: ({ text }) => (COMMENT.test(text) ? '' : escapeHtml(text)),
      image: ({ text }) => escapeHtml(text),
    },
  })
  const tokens = marked.lexer(markdown)
  for (const token of tokens) {
    if (COMMENT.test(token.raw)) continue
    const plain =
      token.type === 'code' ? onOneLine(token.text) : plainText(token.type === 'heading' ? token.text : token.raw)
    const current = sections.at(-1)
    if (token.type === 'heading')
      sections.push({ id: sections.length === 0 ? 'top' : idOf(plain), title: plain, text: '' })
    else if (current && plain !== '') current.text += ` ${plain}`
  }
  return { title: sections[0]?.title ?? '', html: marked.parser(tokens), sections }
}

/** As on GitHub, so that links to headings work in both places. */
const idOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

const plainText = (markdown: string) =>
  onOneLine(
    markdown
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/<(https?:[^>]*)>/g, '$1')
      .replaceAll(/[`*|]/g, ''),
  )

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const FOUND_MAX = 30
const QUERY_WORDS = 8
const EXCERPT = 160

/** The sections that contain every word of the query, those with the words in their heading first. */
export function searchGuide(pages: Iterable<GuidePage>, query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, QUERY_WORDS)
  if (words.length === 0) return []
  const found = [...pages].flatMap((page) =>
    page.sections.flatMap((section) => {
      const heading = `${page.title} ${section.title}`.toLowerCase()
      const body = section.text.toLowerCase()
      if (!words.every((word) => heading.includes(word) || body.includes(word))) return []
      const rank = words.filter((word) => section.title.toLowerCase().includes(word)).length
      return [{ rank, page, section }]
    }),
  )
  return found
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, FOUND_MAX)
    .map(({ page, section }) => ({
      page: page.name,
      pageTitle: page.title,
      id: section.id,
      title: section.title,
      excerpt: excerptOf(section.text, words[0] ?? ''),
    }))
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT / 4)
  const excerpt = text.slice(at, at + EXCERPT)
  return `${at > 0 ? '… ' : ''}${excerpt}${at + EXCERPT < text.length ? ' …' : ''}`
}
