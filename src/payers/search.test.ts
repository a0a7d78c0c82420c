import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { realisticPayers, somePayer } from '../../test/support/payer-names.ts'
import { mistype } from '../../test/support/typing.ts'
import { indexPayers } from './index-payers.ts'
import { findPayers } from './search.ts'

const payers = realisticPayers()
const index = await indexPayers(payers)

const namesFor = (query: string) => findPayers(index, query).map(({ payer }) => payer.display_name)
const firstFor = (query: string) => namesFor(query)[0]

describe('a search with typing mistakes', () => {
  it('has the right payer first in 95 of 100 searches and among the first three in 99', () => {
    const searches = payers.flatMap(({ display_name }) =>
      [0, 1, 2].map((number) => ({ wanted: display_name, typed: mistype(display_name, number) })),
    )
    const places = searches.map(({ wanted, typed }) => namesFor(typed).indexOf(wanted))
    const share = (places: number[]) => places.length / searches.length
    expect(searches.length).toBeGreaterThan(1000)
    expect(share(places.filter((place) => place === 0))).toBeGreaterThanOrEqual(0.95)
    expect(share(places.filter((place) => place >= 0 && place < 3))).toBeGreaterThanOrEqual(0.99)
  })

  it.each([
    ['atena', 'Aetna'],
    ['cgina', 'Cigna'],
    ['humnaa', 'Humana'],
    ['medciare', 'Medicare'],
    ['untied helthcare', 'UnitedHealthcare'],
    ['kaiser permanante', 'Kaiser Permanente'],
    ['blue corss blue sheild of michgan', 'Blue Cross Blue Shield of Michigan'],
  ])('finds for %s the payer %s', (typed, wanted) => {
    expect(firstFor(typed)).toBe(wanted)
  })

  it('finds words whose prefix was typed with a mistake', () => {
    expect(firstFor('untied helt')).toBe('UnitedHealthcare')
    expect(firstFor('bleu cros of wyo')).toBe('Blue Cross Blue Shield of Wyoming')
  })
})

describe('a search', () => {
  it('knows a state by its code at the end of a name, in capitals only: "in" is a word', async () => {
    const own = await indexPayers([
      somePayer(1, { display_name: 'Meadowlark IN' }),
      somePayer(2, { display_name: 'Partners in' }),
    ])
    expect(findPayers(own, 'indiana').map(({ payer }) => payer.display_name)).toEqual(['Meadowlark IN'])
  })

  it.each([
    ['AETNA', 'Aetna'],
    ['  aetna  ', 'Aetna'],
    ['Zurich Americaine', 'Zurich Américaine Santé'],
    ['texas children’s', 'Texas Childrens Health Plan'],
    ["Texas Children's", 'Texas Childrens Health Plan'],
    ['united-healthcare', 'UnitedHealthcare'],
    ['united health care', 'UnitedHealthcare'],
    ['UNITEDHEALTHCARE', 'UnitedHealthcare'],
    ['bluecross blueshield tennessee', 'Blue Cross Blue Shield of Tennessee'],
    ['blue cross and blue shield of texas', 'Blue Cross Blue Shield of Texas'],
  ])('for %s ignores case, accents, punctuation and blanks: %s', (query, wanted) => {
    expect(firstFor(query)).toBe(wanted)
  })

  it.each([
    ['bcbs tx', 'Blue Cross Blue Shield of Texas'],
    ['bcbstx', 'Blue Cross Blue Shield of Texas'],
    ['BCBS of NC', 'Blue Cross Blue Shield of North Carolina'],
    ['uhc', 'UnitedHealthcare'],
    ['medicaid ny', 'New York Medicaid'],
    ['medicaid co', 'Colorado Medicaid'],
  ])('for %s matches the usual abbreviation of the name: %s', (query, wanted) => {
    expect(firstFor(query)).toBe(wanted)
  })

  it('finds a payer by any of its other names', () => {
    expect(firstFor('connecticut general')).toBe('Cigna')
    expect(firstFor('humana military')).toBe('TRICARE East')
  })

  it('finds a payer at every further letter of its name', () => {
    for (const beginning of ['aet', 'aetn', 'aetna', 'aetna bet']) expect(firstFor(beginning)).toMatch(/^Aetna/)
    expect(firstFor('aet')).toBe('Aetna')
    expect(firstFor('blue cros')).toMatch(/Blue Cross/)
  })

  it('ranks the exact name before longer names that contain it', () => {
    expect(namesFor('molina healthcare').slice(0, 2)).toEqual([
      'Molina Healthcare',
      expect.stringMatching(/^Molina Healthcare of/),
    ])
    expect(firstFor('virginia medicaid')).toBe('Virginia Medicaid')
    expect(firstFor('west virginia medicaid')).toBe('West Virginia Medicaid')
  })

  it.each([
    'qwzx',
    'xyzzy',
    'zzzzz',
    'lorem ipsum dolor sit amet',
    'the quick brown fox',
    '!!!',
    '日本語',
    'qqqqqqqqqqqq',
  ])('for %s, which is nonsense, finds nothing', (query) => {
    expect(findPayers(index, query)).toEqual([])
  })

  it.each(['', '   '])('without a text lists every payer by name with score 0', (query) => {
    const found = findPayers(index, query)
    const names = found.map(({ payer }) => payer.display_name)
    expect(new Set(found.map(({ score }) => score))).toEqual(new Set([0]))
    expect(names).toHaveLength(payers.length)
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })))
  })

  it('returns whole scores for any text, the best first and no payer twice', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'grapheme' })), (query) => {
        const found = findPayers(index, query)
        const scores = found.map(({ score }) => score)
        expect(scores.every((score) => Number.isInteger(score) && score >= 0)).toBe(true)
        expect(scores).toEqual(scores.toSorted((one, other) => other - one))
        expect(new Set(found.map(({ payer }) => payer.stedi_id)).size).toBe(found.length)
      }),
    )
  })
})

describe('an id', () => {
  const own = [
    somePayer(1, {
      stedi_id: 'QQQQA',
      display_name: 'Harbor Health',
      primary_payer_id: '60054',
      aliases: ['HARBR', '00999'],
    }),
    somePayer(2, {
      stedi_id: 'QQQQB',
      display_name: 'Quay Plan',
      primary_payer_id: '71234',
      aliases: ['60054', 'AB-12 3'],
    }),
    somePayer(3, {
      stedi_id: 'QQQQC',
      display_name: '60054 Harbr Quay Plan Qqqqb',
      primary_payer_id: '600541',
      aliases: [],
    }),
  ]
  const find = async (query: string) =>
    findPayers(await indexPayers(own), query).map(({ payer }) => payer.primary_payer_id)

  it.each([
    ['60054', '60054'],
    ['6005 4', '60054'],
    ['harbr', '60054'],
    ['qqqqb', '71234'],
    ['AB123', '71234'],
    ['ab-12-3', '71234'],
    ['00999', '60054'],
  ])('%s that matches exactly is ranked before any name', async (query, wanted) => {
    expect((await find(query))[0]).toBe(wanted)
  })

  it('of the payer itself is ranked before the same id as another payer’s alias', async () => {
    expect((await find('60054')).slice(0, 2)).toEqual(['60054', '71234'])
  })

  it('is found by its first digits and with two digits swapped', async () => {
    expect(await find('712')).toEqual(['71234'])
    expect(await find('71324')).toEqual(['71234'])
  })

  it('with other leading zeros is another id', async () => {
    expect(await find('999')).toEqual([])
  })

  it('may be combined with the name', async () => {
    expect((await find('harbor 60054'))[0]).toBe('60054')
  })
})
