import { expect, it } from 'vitest'
import { cellOf } from './batch-file.ts'
import { coverageFields } from './coverages.ts'
import { entered, enteredNpi } from './entered.ts'
import { applyTyped, changedFields, missingFields, oddityOf } from './fields.ts'
import { readSearch } from './search.ts'

const UNSEEN = ['\u200b', '\ufeff', '\u2060', '\u00ad', '\u200e', '\u202a', '\u0000', '\u200d', '\u2066']
const BLANKS = ['\u00a0', '\u2003', '\u3000', '\t', '\n', '\u2028']

it.each(UNSEEN)('removes the invisible character %j, wherever it was pasted', (unseen) => {
  expect(entered(`${unseen}W12${unseen}34${unseen} `)).toBe('W1234')
})

it.each(BLANKS)('reads %j as a space', (blank) => {
  expect(entered(`${blank}Mary${blank}${blank}Ann${blank}`)).toBe('Mary Ann')
})

it('reads full-width letters, digits and signs as those of a keyboard', () => {
  expect(entered('Ｗ１２３－４５')).toBe('W123-45')
  expect(entered('葛城 ミサト')).toBe('葛城 ミサト')
})

it('reads an NPI as it is grouped elsewhere', () => {
  for (const text of [' 1999999984', '1999 999 984', '1999-999-984\n', '１９９９９９９９８４'])
    expect(enteredNpi(text)).toBe('1999999984')
})

it('keeps the joiners, letters and marks of other scripts', () => {
  for (const name of ['علی\u200cرضا', 'क्\u200dष', 'Zoë', "O'Brien-Løvås", '葛\u{E0100}城', 'José'])
    expect(entered(name)).toBe(name)
})

it('stores no invisible character of a member ID from a form or a file, and treats one that has nothing else as missing', () => {
  const record = { insurance_plan: { member_id: 'W1', payer_id: '60054', payer_name: 'Aetna' } } as never
  const typed = { member_id: '\u200bW\u2060123\u00a0' }
  expect(applyTyped(coverageFields, record, typed)).toMatchObject({ insurance_plan: { member_id: 'W123' } })
  expect(changedFields(coverageFields, record, { member_id: 'W1\u200b' })).toEqual([])
  expect(
    missingFields(
      coverageFields.filter(({ name }) => name === 'member_id'),
      record,
      { member_id: '\u200b ' },
    ),
  ).toEqual(['member_id'])
  expect(cellOf(['\u200bW123\u200b'], 0)).toBe('W123')
  expect(readSearch('\u200bDoe\u00a0')).toEqual(readSearch('Doe'))
})

it('warns of a member ID with blanks inside, as cards group it', () => {
  const member = coverageFields.find(({ name }) => name === 'member_id')
  expect(member && oddityOf(member, 'XEB 204 518', () => '')).toMatch(/spaces/)
  expect(member && oddityOf(member, '\u200bXEB204\u00a0', () => '')).toBeUndefined()
})
