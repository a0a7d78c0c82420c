import { toAscii } from './ascii.ts'
import type { Delimiters, InterchangeAddress } from './model.ts'

/** The content of one element: a value, nothing, several repetitions of a value, or a composite. */
export type ElementContent = string | undefined | readonly string[] | Composite

interface Composite {
  components: readonly (string | undefined)[]
}

/** A segment to write: its id and elements 01, 02 … Lists become repetitions. */
export type SegmentContent = readonly [id: string, ...elements: ElementContent[]]

export type WrittenDelimiters = Delimiters & { repetition: string }

interface InterchangeContent {
  address: InterchangeAddress
  /** GS01: HS makes every transaction a 270, HB a 271. */
  functionalId: 'HS' | 'HB'
  /** GS08 and ST03; 005010X279A1 when left out. */
  version?: string
  /** The segments of each transaction, ST and SE excluded. */
  transactions: readonly (readonly SegmentContent[])[]
  /** `* : ~ ^` when left out. */
  delimiters?: WrittenDelimiters
}

export const standardDelimiters: WrittenDelimiters = { element: '*', component: ':', segment: '~', repetition: '^' }

/** A composite element such as EB13, `composite('HC', '99213')`. */
export function composite(...components: (string | undefined)[]): Composite {
  return { components }
}

/**
 * Writes one interchange with one group: ISA, GS, each transaction in its ST and SE, GE, IEA, with correct counts and widths. Data is
 * upper-cased, transliterated to ASCII, and freed of delimiters and of everything outside printable ASCII. Empty trailing elements are left
 * out, and so is a segment that has only its id. Times are in UTC. Throws when the control number or an id of the address does not fit its
 * element. Source: x12-271.md 1.
 */
export function writeInterchange(content: InterchangeContent): string {
  const { address, functionalId, version = '005010X279A1', transactions, delimiters = standardDelimiters } = content
  const { controlNumber } = address
  if (!Number.isInteger(controlNumber) || controlNumber < 1 || controlNumber > 999_999_999) {
    throw new RangeError('control number must be an integer from 1 to 999999999')
  }
  const setId = functionalId === 'HS' ? '270' : '271'
  const group = String(controlNumber)
  const write = (segment: SegmentContent) => writeSegment(segment, delimiters)
  const moment = writeMoment(address.at)
  const { date, time } = moment
  const lines = [
    writeHeader(address, moment, delimiters),
    write(['GS', functionalId, ...applicationIds(address), date, time, group, 'X', version]),
  ]
  for (const [index, transaction] of transactions.entries()) {
    const setNumber = String(index + 1).padStart(4, '0')
    const body = transaction.map(write).filter((line) => line !== '')
    lines.push(write(['ST', setId, setNumber, version]))
    for (const line of body) lines.push(line)
    lines.push(write(['SE', String(body.length + 2), setNumber]))
  }
  lines.push(write(['GE', String(transactions.length), group]), write(['IEA', '1', group.padStart(9, '0')]))
  return lines.join('')
}

/** CCYYMMDD and HHMM. Our choice: UTC, since X12 has no place for a time zone. */
export function writeMoment(at: Date): { date: string; time: string } {
  const text = at.toISOString()
  return {
    date: text.slice(0, 4) + text.slice(5, 7) + text.slice(8, 10),
    time: text.slice(11, 13) + text.slice(14, 16),
  }
}

/** Most elements are codes and ids, which contain no character that could be a delimiter. */
const PLAIN = /^[A-Z0-9]+$/

/**
 * Makes a text safe as element data: upper case, ASCII, without surrounding blanks. Delimiters and characters outside X12's extended
 * character set become blanks. Source: x12-271.md 1; 005010X279A1 B.1.1.2.
 */
export function cleanData(text: string, delimiters: WrittenDelimiters = standardDelimiters): string {
  if (PLAIN.test(text)) return text
  let clean = toAscii(text).toUpperCase()
  for (const delimiter of [delimiters.element, delimiters.component, delimiters.segment, delimiters.repetition, '^']) {
    if (clean.includes(delimiter)) clean = clean.replaceAll(delimiter, ' ')
  }
  return clean.trim()
}

function writeSegment(segment: SegmentContent, delimiters: WrittenDelimiters): string {
  let written = ''
  let separators = ''
  for (let position = 1; position < segment.length; position++) {
    separators += delimiters.element
    const element = writeElement(segment[position], delimiters)
    if (element === '') continue
    written += separators + element
    separators = ''
  }
  return written === '' ? '' : segment[0] + written + delimiters.segment
}

function writeElement(content: ElementContent, delimiters: WrittenDelimiters): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return cleanData(content, delimiters)
  if ('components' in content) {
    const components = content.components.map((component) => cleanData(component ?? '', delimiters))
    while (components.at(-1) === '') components.pop()
    return components.join(delimiters.component)
  }
  return content.map((value) => cleanData(value, delimiters)).join(delimiters.repetition)
}

/** The ISA has fixed widths and is the only segment in which blanks are significant. */
function writeHeader(
  address: InterchangeAddress,
  { date, time }: ReturnType<typeof writeMoment>,
  delimiters: WrittenDelimiters,
): string {
  const elements = [
    'ISA',
    '00',
    ' '.repeat(10),
    '00',
    ' '.repeat(10),
    fitted('ISA05', address.senderQualifier, 2, delimiters),
    fitted('ISA06', address.senderId, 15, delimiters),
    fitted('ISA07', address.receiverQualifier, 2, delimiters),
    fitted('ISA08', address.receiverId, 15, delimiters),
    date.slice(2),
    time,
    delimiters.repetition,
    '00501',
    String(address.controlNumber).padStart(9, '0'),
    '0',
    address.usage,
    delimiters.component,
  ]
  return `${elements.join(delimiters.element)}${delimiters.segment}`
}

function applicationIds(address: InterchangeAddress): [string, string] {
  return [address.applicationSender ?? address.senderId, address.applicationReceiver ?? address.receiverId]
}

function fitted(name: string, value: string, width: number, delimiters: WrittenDelimiters): string {
  const clean = cleanData(value, delimiters)
  if (clean.length > width) throw new RangeError(`${name} must have at most ${width} characters`)
  return clean.padEnd(width)
}
