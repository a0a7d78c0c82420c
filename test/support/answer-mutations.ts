// Mutations of a 271 that keep it well-formed: levels are added and removed, AAA at each of them, dates around the day of the visit, answers
// about other people. Derived from a seed, so that every case can be reproduced.
import { type Dice, pick } from './damage.ts'

const REASONS =
  '04 15 33 35 41 42 43 50 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 97 98 AA T4 ZZ'.split(
    ' ',
  )
const ACTIONS = ['C', 'N', 'P', 'R', 'S', 'W', 'X', 'Y', '']
const DATES = '291 292 304 307 318 340 341 346 347 348 349 356 357 382 442 472 539 540 636 771'.split(' ')
const FIRST_NAMES = [
  'JOHN',
  'JANE',
  'EMMA',
  'ELLA',
  'MARY',
  'JON',
  'J',
  'BABY',
  'PATIENT',
  'ROBERT',
  'BOB',
  '',
  'MARIA',
  'JOHNNY',
  'MARYANN',
]
const EB_CODES = ['1', '2', '3', '4', '5', '6', '7', '8', 'I', 'V', 'R', 'B', 'U', '']
const SERVICES = ['30', '98', '88', '35', '', '30^98', '33^AL']

type Mutation = (segments: string[], random: Dice, day: string) => void

const aaa = (random: Dice) => `AAA*${pick(['Y', 'N'], random)}**${pick(REASONS, random)}*${pick(ACTIONS, random)}`
const dtp = (random: Dice, day: string) => {
  const qualifier = pick(DATES, random)
  return random(3) === 0
    ? `DTP*${qualifier}*RD8*${around(random, day)}-${around(random, day)}`
    : `DTP*${qualifier}*D8*${around(random, day)}`
}

/** A day near the given day, that day itself, or none. */
function around(random: Dice, day: string): string {
  if (random(12) === 0) return pick(['', '99991231', '202601', '00000000', '20269999', 'X'], random)
  const time = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)))
  const days = pick([0, 1, 2, 30, 365, 3650], random) * (random(2) === 0 ? 1 : -1)
  return new Date(time + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}

const insertAfter =
  (ids: RegExp, make: (random: Dice, day: string) => string): Mutation =>
  (segments, random, day) => {
    const places = segments.flatMap((segment, index) => (ids.test(segment) ? [index] : []))
    if (places.length > 0) segments.splice(pick(places, random) + 1, 0, make(random, day))
  }

const changeElement =
  (ids: RegExp, place: number, values: (random: Dice, day: string) => string): Mutation =>
  (segments, random, day) => {
    const places = segments.flatMap((segment, index) => (ids.test(segment) ? [index] : []))
    if (places.length === 0) return
    const at = pick(places, random)
    const elements = segments[at]!.split('*')
    while (elements.length <= place) elements.push('')
    elements[place] = values(random, day)
    segments[at] = elements.join('*')
  }

const MUTATIONS: readonly Mutation[] = [
  insertAfter(/^HL\*/, aaa),
  insertAfter(/^(NM1\*(PR|1P|IL|03|QC)|DMG|TRN|N4)\*/, aaa),
  insertAfter(/^EB\*/, aaa),
  insertAfter(/^(NM1\*(IL|03|QC)|DMG)\*/, dtp),
  insertAfter(/^EB\*/, dtp),
  insertAfter(/^(DMG|NM1\*(IL|03|QC)|EB)\*/, (random) => `EB*${pick(EB_CODES, random)}**${pick(SERVICES, random)}`),
  insertAfter(/^DMG\*/, () => 'INS*Y*18*001*25'),
  changeElement(/^NM1\*(IL|03|QC)\*/, 4, (random) => pick(FIRST_NAMES, random)),
  changeElement(/^NM1\*(IL|03|QC)\*/, 9, (random) => pick(['OTHER-1', ''], random)),
  changeElement(/^DMG\*/, 2, (random) => pick(['19550717', '19840229', '20150504', '', '1963', '19630519'], random)),
  changeElement(/^EB\*/, 1, (random) => pick(EB_CODES, random)),
  changeElement(/^EB\*/, 3, (random) => pick(SERVICES, random)),
  changeElement(/^DTP\*/, 3, (random, day) => around(random, day)),
  changeElement(/^HL\*/, 3, (random) => pick(['20', '21', '22', '23'], random)),
  changeElement(/^HL\*/, 2, (random) => String(random(9))),
  changeElement(/^INS\*/, 3, () => '001'),
  // One more level: another person's, before or after the patient's.
  (segments, random) => {
    const places = segments.flatMap((segment, index) => (/^(HL|SE)\*/.test(segment) ? [index] : []))
    if (places.length === 0) return
    const [kind, code] = pick(
      [
        ['22', 'IL'],
        ['23', '03'],
      ] as const,
      random,
    )
    const rows = random(2) === 0 ? ['EB*1**30'] : [aaa(random)]
    segments.splice(
      pick(places, random),
      0,
      `HL*9**${kind}`,
      `NM1*${code}*1*SMITH*${pick(FIRST_NAMES, random)}`,
      'DMG*D8*19840229',
      ...rows,
    )
  },
  (segments, random) => {
    const places = segments.flatMap((segment, index) =>
      /^(EB|DTP|DMG|INS|TRN|N3|N4|AAA)\*/.test(segment) ? [index] : [],
    )
    if (places.length > 0) segments.splice(pick(places, random), 1)
  },
]

/** The message with one to five changes. Segments end with a tilde, elements are separated by asterisks. */
export function mutate(text: string, random: Dice, day: string): string {
  const segments = text.split('~')
  for (let times = 1 + random(5); times > 0; times -= 1) pick(MUTATIONS, random)(segments, random, day)
  return segments.join('~')
}
