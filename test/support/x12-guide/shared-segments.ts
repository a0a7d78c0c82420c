// Segments that occur in several loops of the guide with the same elements.
import { segment } from './notation.ts'

export const hierarchy = (level: string, parent: 'R2' | 'N', children: string) =>
  segment('HL', 'R', 1, `R1-12 | ${parent === 'N' ? 'N' : 'R1-12'} | R1-2 ${level} | R1 ${children}`, { key: 3 })

/** NM1 of a loop: who, person or organization, the usages of the last name, and the cells of the identifier. */
const name = (who: string, types: string, lastName: 'R' | 'S', identifier: string) =>
  segment(
    'NM1',
    'R',
    1,
    `R2-3 ${who} | R1 ${types} | ${lastName}1-60 | S1-35 | S1-25 | N | S1-10 ${identifier && `| ${identifier}`}`,
    { key: 1, notes: 'P0809' },
  )

export const reference = (usage: 'R' | 'S', max: number, qualifiers: string, description: 'S' | 'N') =>
  segment('REF', usage, max, `R2-3 ${qualifiers} | R1-50 | ${description}1-80`, { notes: 'R0203' })

export const street = segment('N3', 'S', 1, 'R1-55 | S1-55')
export const city = segment('N4', 'S', 1, 'R2-30 | S2 | S3-15 | S2-3 | N | N | S1-3', { notes: 'E0207 C0704' })

export const provider = (codes: string, qualifiers: string) =>
  segment('PRV', 'S', 1, `R1-3 ${codes} | S2-3 ${qualifiers} | S1-50`, { notes: 'P0203' })

export const demographics = (genders: string) =>
  segment('DMG', 'S', 1, `S2-3 D8 | S1-35 | S1 ${genders}`, { notes: 'P0102' })

const diagnosis = (usage: 'R' | 'S', qualifiers: string) => `${usage}{R1-3 ${qualifiers} / R1-30}`
export const diagnoses = segment(
  'HI',
  'S',
  1,
  [diagnosis('R', 'BK ABK'), ...Array.from({ length: 7 }, () => diagnosis('S', 'BF ABF'))].join(' | '),
)

export const date = (usage: 'R' | 'S', max: number, qualifiers: string) =>
  segment('DTP', usage, max, `R3 ${qualifiers} | R2-3 D8 RD8 | R1-35`)

export const rejection = (reasons: string, actions: string) =>
  segment('AAA', 'S', 9, `R1 N Y | N | R2 ${reasons} | R1 ${actions}`)

export const traces = (max: number, kinds: string) => segment('TRN', 'S', max, `R1-2 ${kinds} | R1-50 | R10 | S1-50`)

/** 2100A: the payer, or whoever answers for it. */
export const informationSource = name('2B 36 GP P5 PR', '1 2', 'R', 'R1-2 24 46 FI NI PI XV XX | R2-80')

/** NM1 and REF of 2100B: who asks. */
export const informationReceiver = (lastName: 'R' | 'S') => [
  name('1P 2B 36 80 FA GP P5 PR', '1 2', lastName, 'R1-2 24 34 FI PI PP SV XV XX | R2-80'),
  reference('S', 9, '0B 1C 1D 1J 4A CT EL EO HPI JD N5 N7 Q4 SY TJ', 'S'),
  street,
  city,
]

/** NM1 of 2100C and of 2100D: a dependent has no identifier. */
export const patientName = (level: 'C' | 'D') =>
  level === 'C' ? name('IL', '1 2', 'S', 'S1-2 II MI | S2-80') : name('03', '1', 'S', '')
