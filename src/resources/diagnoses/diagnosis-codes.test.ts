import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DiagnosisTypeCode } from './diagnosis.schema.ts'
import { checkCode } from './diagnosis-codes.ts'

const types: Record<string, DiagnosisTypeCode[]> = {
  'ICD-10': ['ABF', 'ABJ', 'ABK', 'APR'],
  'ICD-9': ['BF', 'BJ', 'BK', 'PR'],
  DRG: ['DR'],
  LOINC: ['LOI'],
}

const codes: Record<string, { taken: string[]; refused: string[] }> = {
  'ICD-10': {
    taken: ['E11.9', 'E119', 'I10', 'I10.', 'i10', 'S93.401A', 'C4A.0', 'Z3A.38', 'c4b', 'O9A.111', 'U07.1'],
    refused: ['', ' I10', 'I10 ', '110', 'I1', 'II0', 'I1C', 'I10..', 'I10.12345', 'I10.1-2', 'I10.É', 'I10\n', '.I10'],
  },
  'ICD-9': {
    taken: ['250', '250.', '250.0', '250.00', '25000', 'V10', 'V10.11', 'v1011', 'E950', 'E950.1', 'e9501'],
    refused: ['', '25', '250.000', '250000', '2500.0', 'V1', 'V10.111', 'E95', 'E950.11', 'A10', '250 ', '25O'],
  },
  DRG: { taken: ['001', '470', '999'], refused: ['', '47', '4700', '47A', ' 470', '470\n'] },
  LOINC: {
    taken: ['2345-7', '718-7', '4548-4', '12345-5', '100000-9', '33914-3'],
    refused: ['', '2345-8', '2345', '23457', '-7', '12345-', '12345-55', 'LP12345-5', '12345678-1', '2345-7 '],
  },
}

describe.each(Object.entries(codes))('a code of %s', (family, { taken, refused }) => {
  const familyTypes = types[family] ?? []

  it.each(taken)('may be %s', (code) => {
    for (const code_type of familyTypes) expect(() => checkCode({ code, code_type })).not.toThrow()
  })

  it.each(refused)('refuses "%s" with 422 that names the field and not the code', (code) => {
    for (const code_type of familyTypes) {
      expect(() => checkCode({ code, code_type })).toThrow(
        expect.objectContaining({
          status: 422,
          errorName: 'HttpRequestValidationsError',
          content: [
            {
              fieldName: 'code',
              humanReadableMessage: expect.stringMatching(`^code must be .* code_type is ${code_type}$`),
            },
          ],
        }),
      )
    }
  })
})

it('accepts exactly one check digit for a LOINC code', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{1,7}$/), (number) => {
      const fitting = Array.from({ length: 10 }, (_, digit) => `${number}-${digit}`).filter((code) => {
        try {
          checkCode({ code, code_type: 'LOI' })
          return true
        } catch {
          return false
        }
      })
      expect(fitting).toHaveLength(1)
    }),
  )
})
