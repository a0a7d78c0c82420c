// Generated requests of every kind that the interface accepts, for tests of the X12 that is sent.
import fc from 'fast-check'
import type { EligibilityRequest } from '../../src/contract/eligibility-check.schema.ts'

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** Real names in common spellings, and texts that are not names. */
const name = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Z][a-z]{0,12}( [A-Z][a-z]{0,12}){0,2}$/) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Петров',
      '王明',
      'محمد',
      'מֹשֶׁה',
      'Παπαδόπουλος',
      '佐々木',
      '김민수',
      'สมชาย',
      'José-María Ñúñez',
      'O’Brien',
      "D'Arcy, Jr.",
      'Nguyễn Thị Ánh',
      'Łukasz',
      '𠮷田',
      'Ann*Lee~NM1*IL:x^y',
      '😀',
      ' ',
      '',
      '\t\r\n',
      '`',
      '名'.repeat(90),
      'Wolfeschlegelsteinhausenbergerdorff'.repeat(3),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 100 }) },
)

const identifier = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Z0-9]{2,14}$/) },
  { weight: 2, arbitrary: fc.constantFrom('1EG4-TE5-MK73', '1eg4 te5 mk73', 'W1-23 a', ' W123 ', 'ＡＢ１２') },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', 'X', 'AB*C', 'É12', '９'.repeat(80), 'A'.repeat(80)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
)

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const birthDate = fc.oneof(day, fc.constantFrom('20040404', '02/29/2004', '2023-02-29', 'unknown', ''))

const npi = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('1999999984', '1234567893') },
  { weight: 1, arbitrary: fc.constantFrom('1234567890', '', 'NPI', '１９９９９９９９８４') },
)

const service = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('30', '98', '1', '35', '88', 'MH', 'UC', 'uc', 'PT', 'A4', 'CQ', 'TC') },
  { weight: 1, arbitrary: fc.constantFrom('31', '29', 'EF', '', 'ABCD', '30^98', 'É') },
)

const person = fc.record({
  member_id: optional(identifier),
  first_name: name,
  last_name: name,
  date_of_birth: optional(birthDate),
})

const provider = fc.oneof(
  fc.record({ npi, organization_name: optional(name) }),
  fc.record({ npi, first_name: optional(name), last_name: optional(name) }),
)

/** Bodies of `POST /eligibility-checks/v1`. */
export const requests = fc.record({
  payer_id: identifier,
  provider,
  subscriber: person,
  dependent: optional(person),
  encounter: optional(
    fc.record({
      date_of_service: optional(day),
      service_type_codes: optional(fc.array(service, { maxLength: 110 })),
    }),
  ),
}) as fc.Arbitrary<EligibilityRequest>
