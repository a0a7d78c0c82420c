// One segment against its rule: usage, length, type, characters and codes of every element, and X12's notes.
import type { ElementRule, SegmentRule } from './notation.ts'

export interface Marks {
  element: string
  component: string
  repetition: string
  segment: string
}

/** A segment of the text: `elements[3]` is e.g. EB03. */
export interface RawSegment {
  id: string
  elements: string[]
  /** Its loop, `2100C`. */
  loop: string
}

/** X12's basic and extended character sets, without the delimiters. Source: 005010X279A1 B.1.1.2. */
const DATA = /^[A-Za-z0-9 !"&'()*+,\-./:;?=%~@[\]_{}\\|<>#$]*$/

export function checkSegment({ id, elements, loop }: RawSegment, rule: SegmentRule, marks: Marks): string[] {
  const place = `${loop} ${id}`
  const faults: string[] = []
  if (elements.length === 1) faults.push(`${place} holds nothing`)
  if (elements.length > 1 && elements.at(-1) === '') faults.push(`${place} ends in an empty element`)
  for (let position = 1; position < Math.max(elements.length, rule.elements.length + 1); position += 1) {
    const cell = rule.elements[position - 1] ?? notUsed
    const where = `${place}${String(position).padStart(2, '0')}`
    faults.push(...checkElement(elements[position] ?? '', cell, where, marks))
  }
  const isThere = (position: number) => (elements[position] ?? '') !== ''
  for (const note of rule.notes) if (!holdsNote(note, isThere)) faults.push(`${place} breaks the note ${note}`)
  return faults
}

const notUsed: ElementRule = {
  usage: 'N',
  min: 1,
  max: 1,
  type: 'text',
  repeats: 1,
  codes: undefined,
  components: undefined,
}

function checkElement(value: string, rule: ElementRule, where: string, marks: Marks): string[] {
  if (value === '') return rule.usage === 'R' ? [`${where} is missing`] : []
  if (rule.usage === 'N') return [`${where} is not used`]
  const repetitions = rule.repeats > 1 ? value.split(marks.repetition) : [value]
  const faults = repetitions.length > rule.repeats ? [`${where} repeats too often`] : []
  if (new Set(repetitions).size < repetitions.length) faults.push(`${where} says the same twice`)
  for (const repetition of repetitions) {
    if (rule.components) faults.push(...checkComponents(repetition, rule.components, where, marks))
    else faults.push(...checkValue(repetition, rule, where, marks))
  }
  return faults
}

function checkComponents(value: string, rules: ElementRule[], where: string, marks: Marks): string[] {
  const components = value.split(marks.component)
  const faults = components.at(-1) === '' ? [`${where} ends in an empty component`] : []
  for (let position = 0; position < Math.max(components.length, rules.length); position += 1) {
    faults.push(
      ...checkElement(components[position] ?? '', rules[position] ?? notUsed, `${where}-${position + 1}`, marks),
    )
  }
  return faults
}

function checkValue(value: string, rule: ElementRule, where: string, marks: Marks): string[] {
  const faults: string[] = []
  const length = rule.type === 'text' ? value.length : value.replace(/[-.]/g, '').length
  if (length < rule.min || length > rule.max) faults.push(`${where} has ${length} characters`)
  if (!DATA.test(value)) faults.push(`${where} has a character that X12 does not carry`)
  if (Object.values(marks).some((mark) => value.includes(mark))) faults.push(`${where} has a delimiter in it`)
  if (value !== value.trim()) faults.push(`${where} is padded`)
  if (rule.type === 'n' && !/^-?\d+$/.test(value)) faults.push(`${where} is not a whole number`)
  if (rule.type === 'r' && !/^-?(?:0|[1-9]\d*|(?:[1-9]\d*)?\.\d*[1-9])$/.test(value))
    faults.push(`${where} is no number without needless zeros`)
  if (rule.codes && !rule.codes.has(value)) faults.push(`${where} has a code that is not in its list`)
  return faults
}

/** P0809: both or none; R0102: at least one; C1110: the first needs the others; E0207: not both; L030405: the first needs one. */
function holdsNote(note: string, isThere: (position: number) => boolean): boolean {
  const [first = 0, ...others] = (note.slice(1).match(/\d\d/g) ?? []).map(Number)
  const all = [first, ...others]
  switch (note[0]) {
    case 'P':
      return all.every(isThere) || !all.some(isThere)
    case 'R':
      return all.some(isThere)
    case 'C':
      return !isThere(first) || others.every(isThere)
    case 'E':
      return all.filter(isThere).length <= 1
    case 'L':
      return !isThere(first) || others.some(isThere)
    default:
      throw new Error(`${note} is no note`)
  }
}
