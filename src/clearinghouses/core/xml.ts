import { XMLParser } from 'fast-xml-parser'

/** An element without its namespace. `text` joins its own text and CDATA, unchanged except for character references. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

type OrderedNode = Record<string, unknown>

/** A CORE envelope has six levels; a document near this limit is an attack or not an envelope. */
const maxDepth = 64
/** An envelope has about thirty tags, including the namespaces of all intermediaries. */
const maxTags = 2_000
/** When escaped, the largest known answers take half of this. */
const maxOutside = 300_000

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // The parser never expands entities: the five predefined ones and character references are resolved below.
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: maxDepth,
})

/**
 * Reads a document leniently: unclosed elements are closed at the end, because a truncated document may still hold an error code. Undefined
 * when it is not XML, nests too deeply, or has a document type (SOAP forbids one: SOAP 1.2 part 1, 5).
 */
export function readXml(text: string): XmlElement | undefined {
  if (/<!doctype/i.test(prologue(text)) || !isPlausible(text)) return undefined
  try {
    const nodes: OrderedNode[] = parser.parse(text)
    return nodes.map(toElement).find((element) => element !== undefined)
  } catch {
    return undefined
  }
}

/** Whether the document ends with the closing tag of its root, i.e. nothing was cut off. */
export function isComplete(text: string, root: XmlElement): boolean {
  const lastClosingTag = text.slice(text.lastIndexOf('</')).slice(2, 200)
  return /^(?:[^\s:>]+:)?([^\s:>]+)\s*>/.exec(lastClosingTag)?.[1] === root.name
}

/** The elements below `root`, including `root`, in document order. */
export function* descendants(root: XmlElement): Generator<XmlElement> {
  const pending = [root]
  for (let element = pending.pop(); element; element = pending.pop()) {
    yield element
    for (let i = element.children.length - 1; i >= 0; i--) pending.push(element.children[i]!)
  }
}

/** The first element with this name, without a namespace, in document order; `root` included. */
export function findElement(root: XmlElement, name: string): XmlElement | undefined {
  for (const element of descendants(root)) if (element.name === name) return element
  return undefined
}

/** Escapes text for use between two tags. Characters that XML 1.0 does not allow are replaced by a blank. */
export function escapeXml(text: string): string {
  return withoutIllegalCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Text as CDATA; an inner `]]>` is split over two sections. */
export function cdata(text: string): string {
  return `<![CDATA[${withoutIllegalCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

/**
 * Whether the document has no more tags, and outside of CDATA no more characters, than an envelope may have: the parser creates an object
 * for every tag and reads text character by character. Tags and comments are distinguished from CDATA as in the parser.
 */
function isPlausible(text: string): boolean {
  let [tags, outside, at] = [0, 0, 0]
  while (at < text.length) {
    const start = at
    const isTag = text[at] === '<'
    if (isTag && ++tags > maxTags) return false
    const isCdata = isTag && text.startsWith('<![CDATA[', at)
    if (isCdata) at = endOf(text, ']]>', at)
    else if (text.startsWith('<!--', at)) at = endOf(text, '-->', at)
    else if (isTag) at = endOfTag(text, at)
    else at = text.indexOf('<', at) === -1 ? text.length : text.indexOf('<', at)
    if (!isCdata) outside += at - start
    if (outside > maxOutside) return false
  }
  return true
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

/** The position after the tag that begins at `from`; its attributes may contain `>`. */
function endOfTag(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at + 1
    else if (character === '"' || character === "'") quote = character
  }
  return text.length
}

function prologue(text: string): string {
  const rootStart = /<[A-Za-z_]/.exec(text)
  return rootStart ? text.slice(0, rootStart.index) : text.slice(0, 1000)
}

function toElement(node: OrderedNode): XmlElement | undefined {
  const name = Object.keys(node).find((key) => key !== ':@')
  if (name === undefined || name.startsWith('#')) return undefined
  const element: XmlElement = { name, attributes: readAttributes(node[':@']), children: [], text: '' }
  for (const child of node[name] as OrderedNode[]) {
    if ('#text' in child) element.text += resolveReferences(String(child['#text']))
    else if ('#cdata' in child) element.text += cdataText(child['#cdata'])
    else {
      const childElement = toElement(child)
      if (childElement) element.children.push(childElement)
    }
  }
  return element
}

function cdataText(section: unknown): string {
  return (section as OrderedNode[]).map((node) => String(node['#text'] ?? '')).join('')
}

function readAttributes(attributes: unknown): Record<string, string> {
  const entries = Object.entries((attributes ?? {}) as OrderedNode)
  return Object.fromEntries(entries.map(([name, value]) => [name, resolveReferences(String(value))]))
}

const predefinedEntities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function resolveReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (reference, hex, decimal, name) => {
    if (name) return predefinedEntities[name] ?? reference
    const codePoint = hex ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10)
    return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : reference
  })
}

function withoutIllegalCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly the characters XML 1.0 forbids.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
}
