import { expect, test } from 'vitest'
import { addressAt } from '../../../test/support/interchange-address.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import { writeInquiry } from '../../x12/inquiry-writer.ts'
import { toInquiry } from '../inquiries/check-inquiry.ts'
import { toCheckRequest } from './check-request.ts'

const subscriber = { member_id: 'W1-23 a', first_name: 'Ana', last_name: 'Rivera', date_of_birth: '1984-02-29' }
const dependent = { first_name: 'Leo', last_name: 'Rivera', date_of_birth: '2015-05-04' }
const request = (memberId?: string) =>
  toCheckRequest(
    {
      payer_id: '60054',
      provider: { npi: '1999999984' },
      subscriber,
      dependent: { ...dependent, ...(memberId !== undefined && { member_id: memberId }) },
    },
    '2026-03-01',
  )

/** The levels and names of the transmitted inquiry. */
function sent(memberId?: string): string[] {
  const inquiry = toInquiry(request(memberId), '01a1fc1d-a51d-71d0-baa9-4bd4e756d543')
  const text = writeInquiry(inquiry, addressAt(new Date(0)))
  const segments = readEnvelope(text).transactions[0]?.segments ?? []
  return segments
    .filter(({ id }) => id === 'NM1')
    .map(({ elements }) => [elements[1], elements[4], elements[9]].join(' ').trim())
    .slice(2)
}

test.each([undefined, '', 'W1-23 a', 'w123A', 'W123-A'])(
  "a dependent sent with the subscriber's own member id (%s) is asked about as a dependent",
  (memberId) => {
    expect(sent(memberId)).toEqual(['IL ANA W1-23 A', '03 LEO'])
    expect(request(memberId).dependent?.memberId).toBeUndefined()
  },
)

test('a dependent with a separate member id is sent as a subscriber', () => {
  expect(sent('W1-23 a-02')).toEqual(['IL LEO W1-23 A-02'])
})

test.each([
  ['02/29/1984', '1984-02-29'],
  ['11/13/1984', '1984-11-13'],
  ['11/11/1984', '1984-11-11'],
])(
  'a birth date of a form, %s, is read with the month first, where only that is a date or both readings are the same',
  (text, iso) => {
    expect(birthDateOf(text)).toBe(iso)
  },
)

test.each(['11/12/1984', '01/02/1984', '13/11/1984'])('%s, which may have the day first, is refused', (text) => {
  expect(() => birthDateOf(text)).toThrow('subscriber.date_of_birth must be')
})

const birthDateOf = (text: string) =>
  toCheckRequest(
    { payer_id: '60054', provider: { npi: '1999999984' }, subscriber: { ...subscriber, date_of_birth: text } },
    '2026-03-01',
  ).subscriber.dateOfBirth
