import { describe, expect, it } from 'vitest'
import type { DiagnosisTypeCode } from './diagnosis.schema.ts'
import { checkCode } from './diagnosis-codes.ts'

const codes: { types: DiagnosisTypeCode[]; taken: string[]; refused: string[] }[] = [
  {
    types: ['ABF', 'ABJ', 'ABK', 'APR'],
    taken: ['E11.9', 'E119', 'I10', 'I10.', 'i10', 'S93.401A', 'C4A.0', 'Z3A.38', 'c4b', 'O9A.111', 'U07.1'],
    refused: ['', ' I10', 'I10 ', '110', 'I1', 'II0', 'I1C', 'I10..', 'I10.12345', 'I10.1-2', 'I10.É', 'I10\n', '.I10'],
  },
  // ICD-9 diagnoses and procedures, DRGs of Medicare (three digits) and of APR (with severity), LOINC codes, answers and parts.
  {
    types: ['BF', 'BJ', 'BK', 'PR', 'DR', 'LOI'],
    taken: [
      '250.00',
      '4019',
      'V45.81',
      'E880.9',
      '87.44',
      '470',
      '0470',
      '194-2',
      '2345-7',
      '2345-8',
      'LA6751-7',
      'LP14559-6',
      'I10',
    ],
    refused: ['', ' ', '\t\n'],
  },
]

describe.each(codes)('a code of the types $types', ({ types, taken, refused }) => {
  it.each(taken)('may be %s', (code) => {
    for (const code_type of types) expect(() => checkCode({ code, code_type })).not.toThrow()
  })

  it.each(refused)('refuses "%s" with 422 that names the field and not the code', (code) => {
    for (const code_type of types) {
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
