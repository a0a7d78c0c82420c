// The rules of the guide's text rather than its tables: dates that exist, well-formed identifiers, rows with their figures,
// consistent levels.
import type { RawSegment } from './check-elements.ts'

/** Faults of one segment. */
export function checkMeaning({ id, elements, loop }: RawSegment): string[] {
  const at = (position: number) => elements[position] ?? ''
  const place = `${loop} ${id}`
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${place} ${fault}`)
  }
  switch (id) {
    case 'BHT':
      demand(isDate(at(4)), '04 is no date')
      demand(isTime(at(5)), '05 is no time')
      break
    case 'NM1':
      demand(
        at(2) === '1' || [4, 5, 7].every((part) => at(part) === ''),
        '02 says organization, and there are names of a person',
      )
      demand(at(8) !== 'XX' || isProviderId(at(9)), '09 is no National Provider Identifier')
      demand(at(8) !== '34' || /^\d{9}$/.test(at(9)), '09 is no social security number')
      break
    case 'REF':
      demand(at(1) !== 'SY' || /^\d{9}$/.test(at(2)), '02 is no social security number')
      break
    case 'DMG':
      demand(at(2) === '' || isDate(at(2)), '02 is no date')
      break
    case 'DTP':
      demand(isPeriod(at(2), at(3)), '03 is not in the format of 02')
      break
    case 'TRN':
      demand(/^[139]/.test(at(3)), '03 does not begin with 1, 3 or 9')
      break
    case 'N4':
      demand(at(4) !== '' || /^[A-Z]{2}$/.test(at(2)), '02 is no state')
      demand(at(4) !== '' || /^\d{5}(?:\d{4})?$/.test(at(3)), '03 is no ZIP code')
      break
    case 'EB':
      demand(!'BCGY'.includes(at(1)) || at(7) !== '' || at(8) !== '', '07 is missing: the amount')
      demand(at(1) !== 'A' || at(8) !== '', '08 is missing: the percentage')
      demand(at(8) === '' || Number(at(8)) <= 1, '08 is more than the whole')
      break
  }
  return faults
}

export function isDate(digits: string): boolean {
  if (!/^\d{8}$/.test(digits)) return false
  const iso = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
}

export const isTime = (digits: string) => /^(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\d\d?)?)?$/.test(digits)

function isPeriod(format: string, value: string): boolean {
  if (format === 'D8') return isDate(value)
  const [from = '', to = '', ...more] = value.split('-')
  return format === 'RD8' && more.length === 0 && isDate(from) && isDate(to) && from <= to
}

/** Ten digits, the last of which is the Luhn check digit over 80840 and the others. Source: 45 CFR 162.406. */
function isProviderId(value: string): boolean {
  if (!/^\d{10}$/.test(value)) return false
  const digits = [...`80840${value}`].map(Number).reverse()
  const sum = digits.reduce((total, digit, place) => {
    const weighted = place % 2 === 1 ? digit * 2 : digit
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}

const PARENTS: Readonly<Record<string, string | undefined>> = { '20': undefined, '21': '20', '22': '21', '23': '22' }

/** Levels are numbered from 1, each names its parent, and states correctly whether it has children. */
export function checkLevels(segments: readonly RawSegment[]): string[] {
  const levels = segments.filter(({ id }) => id === 'HL').map(({ elements }) => elements)
  const faults: string[] = []
  for (const [index, [, number, parent = '', level = '', children]] of levels.entries()) {
    if (number !== String(index + 1)) faults.push(`HL ${index + 1} is not numbered in sequence`)
    const above = levels.slice(0, index).findLast(([, , , code]) => code === PARENTS[level])
    if (PARENTS[level] === undefined ? parent !== '' : parent === '' || parent !== above?.[1])
      faults.push(`HL ${index + 1} does not name the level above it`)
    const hasChildren = levels.some(([, , of]) => of === number)
    if ((children === '1') !== hasChildren) faults.push(`HL ${index + 1} is wrong about the levels below it`)
  }
  return faults
}

/** A qualifier occurs once in a loop, because two would contradict each other. */
export function checkReferences(segments: readonly RawSegment[]): string[] {
  const faults: string[] = []
  let seen = new Set<string>()
  for (const { id, elements, loop } of segments) {
    if (['HL', 'NM1', 'EB', 'EQ'].includes(id)) seen = new Set()
    if (id !== 'REF') continue
    const qualifier = elements[1] ?? ''
    if (seen.has(qualifier)) faults.push(`${loop} REF has the qualifier ${qualifier} twice`)
    seen.add(qualifier)
  }
  return faults
}
