// Answers by the grammar, not by example: whatever a payer may say is found again, and no figure of the summary is somebody else's. A failure
// names its case, which can be repeated alone. Source: x12-271.md 7, corrected.
import { expect, test } from 'vitest'
import { decodePatient } from '../../src/eligibility/answers/decode.ts'
import type { CoverageValue } from '../../src/eligibility/answers/wire.ts'
import { printBenefits } from '../../src/eligibility/printing/print-benefits.ts'
import { DOORS, type Door, throughDoor } from '../support/answer-doors.ts'
import { answerAbout, answerText, SUBSCRIBER } from '../support/answers.ts'
import { dice } from '../support/damage.ts'
import { type Figure, figuresOf } from '../support/figures-of.ts'
import { type WrittenRow, writeRows } from '../support/grammar-rows.ts'

const SEED = 20_261_126
const CASES = 300
const DAY = '2026-03-09'
const PLANS = ['NORTHWIND PPO', 'NORTHWIND DENTAL', 'NORTHWIND CLASSIC']
const STATUSES = 'EB*1**30*PR*NORTHWIND PPO~EB*1**35*PR*NORTHWIND DENTAL~EB*6**30*PR*NORTHWIND CLASSIC~'

const textOf = (rows: readonly WrittenRow[]) => rows.map(({ segments }) => `${segments.join('~')}~`).join('')

/** The cases that fail, each with its number and what failed in it. */
function failures(find: (index: number) => string[]): string[] {
  return Array.from({ length: CASES }, (_, index) => index).flatMap((index) =>
    find(index).map((what) => `case ${index}: ${what}`),
  )
}

test('every text, name, number, address and date of a row is in the answer that a program reads, and in the one that a person reads', () => {
  const lost = failures((index) => {
    const rows = writeRows(dice(SEED + index), 6)
    const parsed = decodePatient(answerAbout(STATUSES + textOf(rows)), { dateOfService: DAY })
    const printed = printBenefits({ parsed_response: parsed })
    // Amounts are printed with separators of thousands.
    const shown = [JSON.stringify(parsed), `${printed}\n${printed.replaceAll(/(?<=\d),(?=\d{3}\b)/g, '')}`]
    return rows.flatMap((row) =>
      row.values
        .filter((value) => !shown.every((text) => text.includes(value)))
        .map((value) => `${value} of ${textOf([row])}`),
    )
  })
  expect(lost).toEqual([])
})

/** Values of 2120: names, ids, addresses, numbers. Stedi's form of 2026-06-01 has no list for numbers at work. */
function partyValues({ segments, values }: WrittenRow, door: Door): string[] {
  const parties = segments.filter((segment) => /^(?:NM1|N3|N4|PER)\*/.test(segment))
  const elements = parties.flatMap((segment) => {
    const [id, ...rest] = segment.split(/[* ]/)
    return id === 'PER' && door === 'plans' ? rest.filter((_, at) => rest[at - 1] !== 'WP') : rest
  })
  return values.filter((value) => elements.includes(value))
}

test.each(DOORS)(
  'every name, id, address and number of a party is in the answer that comes through %s',
  async (door) => {
    const lost: string[] = []
    let found = 0
    for (let index = 0; index < 40; index += 1) {
      const rows = writeRows(dice(SEED + index), 4)
      const { parsedResponse } = await throughDoor(door, answerText(STATUSES + textOf(rows)), {
        payerId: 'NWH01',
        provider: { npi: '1999999984' },
        subscriber: { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
        dateOfService: DAY,
        serviceTypeCodes: ['30'],
      })
      const shown = JSON.stringify(parsedResponse)
      const values = rows.flatMap((row) => partyValues(row, door))
      found += values.length
      lost.push(
        ...values
          .filter((value) => !shown.includes(value))
          .map((value) => `case ${index}: ${value} of ${textOf(rows)}`),
      )
    }
    expect(lost).toEqual([])
    expect(found).toBeGreaterThan(100)
  },
)

const MEMBERS: Readonly<Record<string, { text: string; others: readonly string[] }>> = {
  subscriber: { text: SUBSCRIBER, others: ['CHD', 'DEP', 'SPC', 'SPO'] },
  child: {
    text: `${SUBSCRIBER}HL*4*3*23*0~TRN*2*TRACE-1~NM1*03*1*MARLOWE*FINN~DMG*D8*20150504*M~INS*N*19~`,
    others: ['EMP', 'SPO'],
  },
  spouse: {
    text: `${SUBSCRIBER}HL*4*3*23*0~TRN*2*TRACE-1~NM1*03*1*MARLOWE*ALEX~DMG*D8*19830504*M~INS*N*01~`,
    others: ['EMP', 'CHD'],
  },
}

test.each(Object.entries(MEMBERS))(
  'no figure in the summary of a %s is of another person, network, service, plan, period or procedure',
  (_, { text, others }) => {
    let figures = 0
    const foreign = failures((index) => {
      const rows = writeRows(dice(SEED + index), 8, PLANS)
      const parsed = decodePatient(answerAbout(STATUSES + textOf(rows), text), { dateOfService: DAY })
      const found = figuresOf(parsed)
      figures += found.length
      return found.flatMap((figure) => {
        const row = rows.find((each) => each.values.includes(String(figure.value)))
        if (row === undefined) return [`${JSON.stringify(figure)} is of no row`]
        const faults = faultsOf(figure, row, others)
        return faults.length === 0 ? [] : [`${JSON.stringify(figure)} is of ${textOf([row])}: ${faults.join(', ')}`]
      })
    })
    expect(foreign).toEqual([])
    expect(figures).toBeGreaterThan(50)
  },
)

const LEVELS: Readonly<Record<keyof CoverageValue, readonly string[]>> = {
  family: ['FAM'],
  employeeAndSpouse: ['ESP'],
  employeeAndChildren: ['ECH'],
  individual: ['', 'IND', 'EMP', 'CHD', 'DEP', 'SPC', 'SPO'],
}
const CODES: Readonly<Record<string, string>> = { deductible: 'C', oop: 'G', copay: 'B', coinsurance: 'A', visits: 'F' }
const YEARLY = ['', '21', '22', '23', '34']

/** By the rules of x12-271.md 7 alone: whether the figure may stand there. */
function faultsOf({ service, network, slot, level }: Figure, row: WrittenRow, others: readonly string[]): string[] {
  const isPlan = row.services.length === 0 || row.services.includes('30')
  const [kind = '', ...rest] = slot.split('_')
  const period = rest.join('_').replace(/^max_?/, '')
  const periods: Readonly<Record<string, readonly string[]>> = {
    '': kind === 'visits' ? YEARLY.filter((each) => each !== '34') : YEARLY,
    remaining: ['29'],
    year_to_date: ['24'],
    contract: ['25'],
  }
  const isOfPeriod = kind === 'copay' || kind === 'coinsurance' || (periods[period] ?? []).includes(row.period)
  const delivered = row.segments.some((segment) => segment.startsWith('HSD'))
  const checks: readonly [string, boolean][] = [
    ['kind', CODES[kind] === row.code],
    ['network', row.network !== (network === 'in' ? 'N' : 'Y')],
    ['level', LEVELS[level].includes(row.level) && !(level === 'individual' && others.includes(row.level))],
    ['service', service === 'plan' || service === '30' ? isPlan : row.services.includes(service)],
    ['plan', row.plan !== 'NORTHWIND CLASSIC' && !(isPlan && row.plan === 'NORTHWIND DENTAL')],
    ['period', isOfPeriod || (kind === 'visits' && delivered)],
    ['procedure', row.procedure === undefined],
  ]
  return checks.flatMap(([name, holds]) => (holds ? [] : [name]))
}
