import { describe, expect, it } from 'vitest'
import type { Patient } from '../api/generated.ts'
import { compared, doubtOf, obstacleTo } from './merge.ts'
import { newPatient } from './patients.ts'

describe('two records side by side', () => {
  it('differ by letters or digits, and not by punctuation, case or accents', () => {
    expect(compared('Name', 'Lucía Núñez', 'Lucia Nunez').isSame).toBe(true)
    expect(compared('Name', 'हिना', 'हीना').isSame).toBe(false)
    expect(compared('Name', "Mary O'Neil", 'MARY ONEIL').isSame).toBe(true)
    expect(compared('Telephone', '(207) 555-0142', '207-555-0142').isSame).toBe(true)
    expect(compared('Name', 'Mary Oneil', 'Marie Oneil').isSame).toBe(false)
    expect(compared('Name', 'محمد علي', 'محمد').isSame).toBe(false)
    expect(compared('Email', '', 'a@example.test').isSame).toBe(false)
  })

  it.each([
    ['The birth dates differ', { birth_date: '2020-02-03' }],
    ['The first names differ: these may be twins', { name: { family: 'Twin', given: ['Tara'] } }],
    ['The sexes differ', { biological_sex: 'MALE' }],
    [undefined, { name: { family: 'Twyn', given: ['TINA', 'May'] } }],
    [undefined, { name: { family: 'Twin', given: ['Tína'] } }],
  ])('are doubted to be one person: %s', (doubt, other) => {
    const tina = {
      ...newPatient(),
      birth_date: '2020-02-02',
      biological_sex: 'FEMALE',
      name: { family: 'Twin', given: ['Tina'], use: 'USUAL' },
    } as Patient
    expect(doubtOf(tina, { ...tina, ...other } as Patient)).toBe(doubt)
  })

  it.each([
    [['Baby Girl A'], ['Baby Girl B'], 'The middle names differ: these may be twins'],
    [['Baby', 'Boy'], ['Baby Girl'], 'The middle names differ: these may be twins'],
    [['Mary', 'Ann'], ['Mary', 'Jane'], 'The middle names differ: these may be twins'],
    [['John', 'A.'], ['John', 'B.'], 'The middle names differ: these may be twins'],
    [['Baby Girl A'], ['Baby Girl'], undefined],
    [['Mary', 'Ann'], ['MARY A.'], undefined],
    [['Ana', 'María'], ['Ana Maria'], undefined],
    [['Mary-Ann'], ['Mary Ann'], undefined],
    [['Mary-Ann', 'B'], ['Maryann'], undefined],
  ])('may be of twins whose first names are alike: %s and %s', (left, right, doubt) => {
    const named = (given: string[]) =>
      ({ ...newPatient(), birth_date: '2026-11-26', name: { family: 'Twin', given, use: 'USUAL' } }) as Patient
    expect(doubtOf(named(left), named(right))).toBe(doubt)
    expect(doubtOf(named(right), named(left))).toBe(doubt)
  })

  const alone = { mrn: 'A', alternativeMrns: [] }
  it.each([
    ['nothing is in the way of two that stand alone', { mrn: 'B' }, alone, undefined],
    ['a record is not merged into itself', { mrn: 'A' }, alone, 'the same record'],
    ['the one that is kept was merged away itself', { mrn: 'B', primaryMrn: 'C' }, alone, 'Keep C'],
    ['the other was merged into a third', { mrn: 'B' }, { ...alone, primaryMrn: 'C' }, 'merged into C'],
    ['others were merged into the other', { mrn: 'B' }, { ...alone, alternativeMrns: ['D', 'E'] }, '(D, E)'],
  ])('%s', (_, kept, away, expected) => {
    const obstacle = obstacleTo(kept, away)
    if (expected === undefined) expect(obstacle).toBeUndefined()
    else expect(obstacle).toContain(expected)
  })
})
