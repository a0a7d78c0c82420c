import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isNpi } from '../../x12/npi.ts'
import { readBenefitLine } from './benefit-lines.ts'
import { checkRoster, readRoster } from './roster.ts'

const plan = { name: 'PLAN', insuranceType: 'PR' }
const roster = {
  payers: [{ id: 'P1', name: 'PAYER' }],
  plans: { ppo: { name: 'PPO', benefits: ['30 active'] } },
  members: [
    {
      about: 'an invented member',
      payer: 'P1',
      memberId: 'M1',
      firstName: 'Ann',
      lastName: 'Lee',
      birthDate: '1990-01-01',
      gender: 'F',
      plan: 'ppo',
      from: '2020-01-01',
    },
  ],
}

describe('a roster', () => {
  test('may consist of a few lines', () => {
    expect(checkRoster(roster).members).toHaveLength(1)
  })

  test('that ships with the program has no fault', async () => {
    const shipped = await readRoster()
    expect(checkRoster(shipped)).toBe(shipped)
  })

  test('lists every fault with its place', () => {
    const [member] = roster.members
    const faulty = {
      payers: roster.payers,
      plans: { ppo: { name: 'PPO', benefits: ['30 active', '98 copey 5', '98 copay'] } },
      members: [
        member,
        { ...member, plan: 'hmo' },
        { ...member, memberId: 'M2', payer: 'P9', benefits: ['98 copay x'] },
      ],
    }
    expect(() => checkRoster(faulty, 'mine.json')).toThrow(/mine\.json[\s\S]*ppo\/benefits\/1 "copey" is not a benefit/)
    for (const words of [
      'copay needs an amount',
      'plan "hmo" is not in',
      'used twice',
      'payer "P9"',
      '"x" is neither',
    ]) {
      expect(() => checkRoster(faulty)).toThrow(words)
    }
  })

  test('with a misspelled or missing field names the field', () => {
    const [member] = roster.members
    expect(() => checkRoster({ ...roster, members: [{ ...member, birthDate: '1/1/1990' }] })).toThrow(
      '/members/0/birthDate',
    )
    expect(() => checkRoster({ ...roster, members: [{ ...member, nickname: 'A' }] })).toThrow('/members/0')
  })

  test('that is missing or not JSON is named by its path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roster-'))
    try {
      await writeFile(join(folder, 'bad.json'), '{')
      await expect(readRoster(join(folder, 'bad.json'))).rejects.toThrow(/bad\.json is not JSON/)
      await expect(readRoster(join(folder, 'none.json'))).rejects.toThrow(/none\.json cannot be read/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('that ships with the project is valid and has eight payers', async () => {
    const shipped = await readRoster()
    expect(new Set(shipped.members.map(({ payer }) => payer)).size).toBeGreaterThanOrEqual(8)
  })
})

describe('a benefit line', () => {
  const rows = (line: string) => {
    const read = readBenefitLine(line, plan)
    return read.segments(read.serviceTypes)
  }

  test('with an amount and the part already met becomes two rows', () => {
    expect(rows('30 deductible individual in 1500 met 600.50: NOTE')).toEqual([
      ['EB', 'C', 'IND', ['30'], 'PR', undefined, '23', '1500', undefined, undefined, undefined, undefined, 'Y'],
      ['MSG', 'NOTE'],
      ['EB', 'C', 'IND', ['30'], 'PR', undefined, '29', '899.5', undefined, undefined, undefined, undefined, 'Y'],
      ['MSG', 'NOTE'],
    ])
  })

  test('supports status, percent, counts, periods and authorization', () => {
    expect(rows('30 active')).toEqual([['EB', '1', undefined, ['30'], 'PR', 'PLAN', ...Array(7).fill(undefined)]])
    expect(rows('98,UC coinsurance out 20')[0]?.slice(1, 9)).toEqual([
      'A',
      undefined,
      ['98', 'UC'],
      'PR',
      undefined,
      '27',
      undefined,
      '.2',
    ])
    expect(rows('PT visits 30 per lifetime authorization')[0]?.slice(6, 12)).toEqual([
      '32',
      undefined,
      undefined,
      'VS',
      '30',
      'Y',
    ])
  })

  test('in X12 is passed on, including repetitions and composites', () => {
    const line = readBenefitLine('EB*F**35^23*IN*********AD:D1110~MSG*TWO A YEAR', plan)
    expect(line.serviceTypes).toEqual(['35', '23'])
    expect(line.segments([])[0]?.at(-1)).toEqual({ components: ['AD', 'D1110'] })
    expect(readBenefitLine('EB*L~LS*2120', plan).serviceTypes).toEqual([])
  })
})

test('an NPI has ten digits with the correct check digit', () => {
  expect(['1999999984', '1234567893'].every(isNpi)).toBe(true)
  expect(['1999999985', '199999998', 'HCCDEFAULT', '', '19999999840'].some(isNpi)).toBe(false)
})
