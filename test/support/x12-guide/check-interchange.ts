// A strict validator of 270 and 271 interchanges, written only from the guide: any validator should accept what it accepts.
// Source: 005010X279A1; X12.5, X12.6.
import { checkSegment, type Marks, type RawSegment } from './check-elements.ts'
import { checkLevels, checkMeaning, checkReferences, isDate, isTime } from './check-meaning.ts'
import { guide270 } from './guide-270.ts'
import { guide271 } from './guide-271.ts'
import type { LoopRule, SegmentRule } from './notation.ts'

type Raw = Omit<RawSegment, 'loop'>

const kinds: Readonly<Record<string, { functionalId: string; guide: LoopRule }>> = {
  '270': { functionalId: 'HS', guide: guide270 },
  '271': { functionalId: 'HB', guide: guide271 },
}

/** The violations of the guide in an interchange of 270s or 271s; none if it is valid. */
export function checkInterchange(text: string): string[] {
  if (!/^ISA/.test(text) || text.length < 106) return ['the text does not begin with an ISA of 106 characters']
  const marks: Marks = {
    element: text.charAt(3),
    repetition: text.charAt(82),
    component: text.charAt(104),
    segment: text.charAt(105),
  }
  const faults = new Set(Object.values(marks)).size === 4 ? [] : ['two delimiters are the same']
  const pieces = text.split(marks.segment)
  if (pieces.pop() !== '') faults.push('something stands behind the last segment')
  const segments = pieces.map((piece) => {
    const elements = piece.split(marks.element)
    return { id: elements[0] ?? '', elements }
  })
  faults.push(...checkHeader(segments[0]!, text))
  faults.push(...checkGroup(segments, marks))
  return faults
}

const ISA_WIDTHS = [3, 2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1]

function checkHeader({ elements }: Raw, text: string): string[] {
  const faults = elements.flatMap((element, place) => {
    return element.length === ISA_WIDTHS[place] ? [] : [`ISA${String(place).padStart(2, '0')} has the wrong width`]
  })
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const at = (position: number) => elements[position] ?? ''
  demand(elements.length === 17, 'the ISA has not 16 elements')
  demand(/^0[03]$/.test(at(1)) && /^0[01]$/.test(at(3)), 'ISA01 or ISA03 is not a code of its list')
  for (const position of [5, 7]) {
    demand(/^(?:01|14|20|27|28|29|30|33|ZZ)$/.test(at(position)), `ISA0${position} is no qualifier`)
    demand(at(position + 1).trim() !== '' && !at(position + 1).startsWith(' '), `ISA0${position + 1} names nobody`)
  }
  demand(isDate(`20${at(9)}`) && isTime(at(10)), 'ISA09 and ISA10 are no moment')
  demand(at(12) === '00501', 'ISA12 is not 00501')
  demand(/^\d{9}$/.test(at(13)) && Number(at(13)) > 0, 'ISA13 is no control number')
  demand(/^[01]$/.test(at(14)) && /^[PT]$/.test(at(15)), 'ISA14 or ISA15 is not a code of its list')
  demand(!/[\r\n]/.test(text), 'there are line ends between the segments')
  return faults
}

function checkGroup(segments: Raw[], marks: Marks): string[] {
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const [isa, gs, ...rest] = segments
  const [ge, iea] = [rest.at(-2)?.elements ?? [], rest.at(-1)?.elements ?? []]
  const at = (position: number) => gs?.elements[position] ?? ''
  demand(gs?.id === 'GS' && gs.elements.length === 9, 'GS is missing or has not 8 elements')
  for (const position of [2, 3]) demand(/^\S.{0,13}\S$/.test(at(position)), `GS0${position} has not 2 to 15 characters`)
  demand(isDate(at(4)) && isTime(at(5)), 'GS04 and GS05 are no moment')
  demand(/^[1-9]\d{0,8}$/.test(at(6)), 'GS06 is no control number')
  demand(at(7) === 'X' && at(8) === '005010X279A1', 'GS07 or GS08 is not that of the guide')
  const bodies = takeTransactions(rest.slice(0, -2), faults)
  demand(ge[0] === 'GE' && ge[1] === String(bodies.length) && ge[2] === at(6), 'GE does not close its GS')
  demand(iea[0] === 'IEA' && iea[1] === '1' && iea[2] === isa?.elements[13], 'IEA does not close its ISA')
  const numbers = bodies.map(({ header }) => header.elements[2])
  demand(new Set(numbers).size === numbers.length, 'two transactions have one control number')
  for (const body of bodies) faults.push(...checkTransaction(body, at(1), marks))
  return faults
}

interface Body {
  header: Raw
  segments: Raw[]
}

function takeTransactions(segments: Raw[], faults: string[]): Body[] {
  const bodies: Body[] = []
  let open: Body | undefined
  for (const segment of segments) {
    if (segment.id === 'ST') {
      if (open) faults.push('ST stands before SE')
      open = { header: segment, segments: [] }
      bodies.push(open)
    } else if (segment.id === 'SE' && open) {
      const [, count, number] = segment.elements
      if (count !== String(open.segments.length + 2)) faults.push('SE01 does not count the segments')
      if (number !== open.header.elements[2]) faults.push('SE02 is not ST02')
      open = undefined
    } else if (open) open.segments.push(segment)
    else faults.push(`${segment.id} stands outside of ST and SE`)
  }
  if (open) faults.push('SE is missing')
  if (bodies.length === 0) faults.push('there is no transaction')
  return bodies
}

function checkTransaction({ header, segments }: Body, functionalId: string, marks: Marks): string[] {
  const [, setId = '', number = '', version] = header.elements
  const kind = kinds[setId]
  if (!kind) return ['ST01 is neither 270 nor 271']
  const faults: string[] = []
  if (functionalId !== kind.functionalId) faults.push('GS01 is not that of ST01')
  if (!/^[A-Z0-9]{4,9}$/.test(number)) faults.push('ST02 has not 4 to 9 characters')
  if (version !== '005010X279A1') faults.push('ST03 is not that of the guide')
  const walk: Walk = { segments, next: 0, placed: [], faults, marks }
  takeLoop(kind.guide, walk)
  const stray = segments[walk.next]
  if (stray) faults.push(`${stray.id} (segment ${walk.next + 2}) stands where the guide has no place for it`)
  faults.push(...walk.placed.flatMap(checkMeaning), ...checkLevels(walk.placed), ...checkReferences(walk.placed))
  return faults
}

interface Walk {
  segments: Raw[]
  next: number
  placed: RawSegment[]
  faults: string[]
  marks: Marks
}

/** Takes the segments of the loop in the guide's order and stops at the first one that does not belong to it. */
function takeLoop(rule: LoopRule, walk: Walk): void {
  for (const part of rule.parts) {
    const name = 'loop' in part ? part.loop : `${rule.loop} ${part.id}`
    let count = 0
    // A segment beyond the maximum is not taken: it begins the loop again, or is invalid.
    while (count < part.max && begins(part, walk.segments[walk.next])) {
      count += 1
      if ('loop' in part) takeLoop(part, walk)
      else takeSegment(part, rule.loop, walk)
    }
    if (count === 0 && part.usage === 'R') walk.faults.push(`${name} is missing`)
  }
}

function takeSegment(rule: SegmentRule, loop: string, walk: Walk): void {
  const segment = { ...walk.segments[walk.next]!, loop }
  walk.faults.push(...checkSegment(segment, rule, walk.marks))
  walk.placed.push(segment)
  walk.next += 1
}

function begins(part: SegmentRule | LoopRule, segment: Raw | undefined): boolean {
  if ('loop' in part) return part.parts[0] !== undefined && begins(part.parts[0], segment)
  if (segment?.id !== part.id) return false
  const { key } = part
  return key === undefined || part.elements[key - 1]?.codes?.has(segment.elements[key] ?? '') === true
}
