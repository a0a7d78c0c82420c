import { describe, expect, it } from 'vitest'
import type { StediPayer } from '../api/generated.ts'
import { addChosen, isPayerId, namesIn, payerNamed, readChosen } from './batch-payers.ts'

const payer = (primary_payer_id: string, display_name: string, names: string[] = []): StediPayer => ({
  stedi_id: primary_payer_id,
  display_name,
  primary_payer_id,
  aliases: [],
  names,
})
const line = (text: string, index: number) => ({ line: index + 2, cells: [text] })

describe('the payers of a file', () => {
  it.each(['60054', 'SX107', '00430', 'UHC01'])('are IDs when they have a digit and no blank: %s', (text) =>
    expect(isPayerId(text)).toBe(true),
  )

  it('are otherwise names, each listed once in any spelling', () => {
    const rows = ['Aetna', '60054', 'AETNA', 'Blue Cross 1', '', 'aetna '].map(line)
    expect(namesIn(rows, 0)).toEqual([
      { text: 'Aetna', rows: 3 },
      { text: 'Blue Cross 1', rows: 1 },
    ])
    expect(namesIn(rows, -1)).toEqual([])
  })

  it('are chosen automatically only if exactly one payer has the name', () => {
    const united = payer('87726', 'UnitedHealthcare', ['United Healthcare'])
    expect(payerNamed('UNITED HEALTHCARE', [united, payer('1', 'United')])).toBe(united)
    expect(payerNamed('United', [united, payer('1', 'United'), payer('2', 'UNITED')])).toBeUndefined()
    expect(payerNamed('United Health', [united])).toBeUndefined()
  })

  it('are remembered as a user chose them', () => {
    const stored = addChosen(addChosen(undefined, 'United', { id: '1', name: 'One' }), 'UNITED', {
      id: '2',
      name: 'Two',
    })
    expect(readChosen(stored)).toEqual({ united: { id: '2', name: 'Two' } })
    expect(readChosen('{"united":3}')).toEqual({})
    expect(readChosen('no JSON')).toEqual({})
  })
})
