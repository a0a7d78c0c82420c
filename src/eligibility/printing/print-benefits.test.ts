import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerText, SUBSCRIBER } from '../../../test/support/answers.ts'
import { decodeAnswers } from '../answers/decode.ts'
import { errorDetails } from '../answers/rejections/rejections.ts'
import { type FinishedCheck, printBenefits } from './print-benefits.ts'

/** The check that results from an answer. */
function check(rows: string, member = SUBSCRIBER, asked: Partial<FinishedCheck> = {}): FinishedCheck {
  const dateOfService = asked.request?.encounter?.date_of_service ?? undefined
  const [transaction] = decodeAnswers(answerText(rows, member), {
    ...(dateOfService && { dateOfService }),
  }).transactions
  const { patient, parsed } = transaction!.answers[0]!
  const errors = patient.rejections.map((rejection) => ({ errorDetails: errorDetails(rejection) }))
  return { parsed_response: parsed, errors, ...asked }
}

const show = (...args: Parameters<typeof check>) => printBenefits(check(...args))

const DEPENDENT = `${SUBSCRIBER}REF*6P*G-77~HL*4*3*23*0~NM1*03*1*MARLOWE*FINN~DMG*D8*20150504*M~DTP*346*D8*20260101~DTP*347*D8*99991231~`

test('a complete answer is printed from the status to the notes', () => {
  const rows = `EB*1**30*PR*HARBOR GOLD~MSG*REFERRAL NEEDED FOR SPECIALISTS~
EB*B*IND*98***27*25*****Y~EB*B*IND*98***27*40*****Y~MSG*SPECIALIST~EB*A*IND*98*****.4****N~
EB*B*IND*1^33***27*10*****W~EB*F*IND*PT***23***VS*30**Y~HSD*VS*12***29~
EB*C*IND*30***23*1500*****Y~EB*C*IND*30***29*400*****Y~EB*C*FAM*30***23*3000*****N~EB*C*FAM*30***24*3000*****N~
EB*G*IND*30***23*6000*****Y~EB*C*IND*30***26*100*****Y~MSG*PER STAY~
EB*I*IND*35^AL*********N~MSG*ASK THE DENTAL CARRIER~
EB*L**98~LS*2120~NM1*P3*1*HALE*NORA~PER*IC**TE*2075550100~LE*2120~`
  const request = {
    payer_id: 'NWH01',
    encounter: { date_of_service: '2026-03-01', service_type_codes: ['30', '98'] },
  }
  const request_corrections = [
    { property: 'subscriber.member_id', request_value: 'NW-100299', corrected_value: 'NW-100200' },
    { property: 'dependent.date_of_birth', request_value: '2015-05-05', corrected_value: '2015-05-04' },
  ]
  expect(show(rows, DEPENDENT, { request, request_corrections })).toBe(`ACTIVE
The payer reports active coverage on 2026-03-01.

  Patient      FINN MARLOWE, born 2015-05-04
  Subscriber   IRIS Q MARLOWE, born 1984-02-29
  Payer        NORTHWIND HEALTH (NWH01)
  Plan         HARBOR GOLD, Preferred Provider Organization (PPO)
  Member ID    NW-100200
  Group        G-77
  Coverage     from 2026-01-01 without an end
  Asked about  The plan in general, Professional (Physician) Visit - Office

The payer has different information (sent -> payer); update the record
  subscriber member ID     NW-100299 -> NW-100200
  dependent date of birth  2015-05-05 -> 2015-05-04

What the patient pays, and limits               in network                out of network
  Medical Care, Chiropractic                    $10 copay, either network
  Professional (Physician) Visit - Office       $25 copay                 40 % coinsurance
    - in network: $40 copay: SPECIALIST
  Physical Therapy                              12 of 30 visits left

Deductible and out-of-pocket          total       met         remaining
  In network
    Deductible, individual            $1,500      $1,100*     $400        [############----] 73 %
    Out-of-pocket maximum, individual $6,000
  Out of network
    Deductible, family                $3,000      $3,000      $0*         [################] 100 %
  * computed from the other two, not stated by the payer
  Also stated
    - deductible $100 (in network, individual): Episode; PER STAY

In and out of network are the terms of the plan; they do not say whether your provider is in its
network.

Not covered
  - Dental Care, Vision (Optometry): Out of network; ASK THE DENTAL CARRIER

Other insurance, care providers and contacts
  - Primary Care Provider: NORA HALE (for Professional (Physician) Visit - Office); phone
    207-555-0100

Notes of the payer
  - REFERRAL NEEDED FOR SPECIALISTS`)
})

test('a contract year has one row with its period, and the used and remaining parts stand with the total that they belong to', () => {
  const shown = show(
    'EB*1**30~EB*C*IND*30***25*1200*****Y~EB*C*IND*30***24*300*****Y~EB*C*IND*30***29*900*****Y~EB*G*IND*30***23*5000*****Y~EB*G*IND*30***25*6000*****Y~EB*G*IND*30***29*4500*****Y~',
    SUBSCRIBER,
  )
  expect(shown).toMatch(/Deductible of the contract year,\s+\$1,200\s+\$300\s+\$900/)
  expect(shown).not.toContain('Deductible, individual')
  expect(shown).toMatch(/Out-of-pocket maximum, individual\s+\$5,000\s+\$500\*\s+\$4,500/)
  expect(shown).toMatch(/Out-of-pocket maximum of the\s+\$6,000\n/)
})

test('nothing is computed from an amount that means no limit', () => {
  const shown = show('EB*1**30~EB*G*IND*30***23*999999.99*****Y~EB*G*IND*30***24*120*****Y~')
  expect(shown).toMatch(/Out-of-pocket maximum, individual no limit\s+\$120/)
  expect(shown).not.toContain('999')
})

test('a price names whose it is: the family, employee and spouse, employee and children, the employee only', () => {
  const rows =
    'EB*1**30~EB*B*ESP*98***27*40*****Y~MSG*PCP~EB*B*ECH*98***27*45*****Y~MSG*PCP~EB*B*EMP*98***27*20*****Y~MSG*PCP~'
  const shown = show(rows).replaceAll(/\s+/g, ' ')
  expect(shown).toContain('$40 copay (employee and spouse)')
  expect(shown).toContain('$45 copay (employee and children)')
  expect(shown).toContain('$20 copay (employee only)')
})

test('what is used or left of a limit is not printed as the limit, and an amount stands with the years for which it holds', () => {
  const rows = `EB*1**30~EB*F*IND*33***23***VS*20**Y~EB*F*IND*33***24***VS*6**Y~EB*F*IND*86***23***99*2~
EB*F*IND*MH***33***VS*41~EB*F*IND*71***21*2500**YY*3~MSG*HEARING AIDS~EB*F*IND*98***34***VS*4~`
  const shown = show(rows).replaceAll(/\s+/g, ' ')
  expect(shown).toContain('6 visits used')
  expect(shown).toContain('2 used, calendar year')
  expect(shown).toContain('41 visits remaining, lifetime')
  expect(shown).toContain('limit of $2,500: per 3 Years; HEARING AIDS')
  expect(shown).toContain('limit of 4 visits a month')
  expect(shown).not.toMatch(/limit of (?:6|2|41|3) /)
})

test('a label that says of what an amount is used, left or available stands with it, and the amount is not printed as the limit', () => {
  const rows = `EB*1**30~EB*F*IND*38***32*700*****Y~MSG*ORTHO LIFETIME MAX REMAINING~EB*F*IND*35***23*800*****Y~MSG*DENTAL MAXIMUM USED~
EB*F*IND*33***23***VS*11**Y~MSG*VISITS AVAILABLE~EB*F*IND*PT***23***VS*6**Y~MSG*PT VISITS USED~EB*F*IND*AG***23***MN*6**Y~`
  const shown = show(rows).replaceAll(/\s+/g, ' ')
  expect(shown).toContain('$700 remaining: Lifetime; ORTHO LIFETIME MAX REMAINING')
  expect(shown).toContain('$800 used: Calendar Year; DENTAL MAXIMUM USED')
  expect(shown).toContain('11 visits available')
  expect(shown).toContain('6 visits used, calendar year: PT VISITS USED')
  expect(shown).toContain('limit of 6 months, calendar year')
  expect(shown).not.toMatch(/limit of (?:\$|11|6 visits)/)
})

test('a kind of provider without a name is printed with its taxonomy, and the vendor of a price beside it', () => {
  const rows = `EB*1**30~EB*B*IND*98***27*20*****Y~EB*B*IND*98***27*50*****Y~LS*2120~NM1*73*1~PRV*PE*PXC*207R00000X~LE*2120~
EB*B*IND*98***27*0*****Y~LS*2120~NM1*VN*2*TELADOC~LE*2120~`
  const shown = show(rows).replaceAll(/\s+/g, ' ')
  expect(shown).toContain('$50 copay: Other Physician, taxonomy 207R00000X')
  expect(shown).toContain('$0 copay: Vendor TELADOC')
})

test('a period other than the calendar year is printed with its total', () => {
  const rows = 'EB*1**30~EB*C*IND*30***22*600*****Y~EB*C*IND*30***29*125*****Y~EB*F*IND*33***22***VS*26**Y~'
  const shown = show(rows).replaceAll(/\s+/g, ' ')
  expect(shown).toMatch(/Deductible, individual \(service \$600 \$475\* \$125 .* year\)/)
  expect(shown).toContain('limit of 26 visits, service year')
})

test('the figures of other people are printed with whom they are for, and a provider with id and address', () => {
  const rows = `EB*1*FAM*30~EB*B*CHD*98***27*5*****Y~EB*B*IND*98***27*20*****Y~LS*2120~NM1*P3*1*JONES*AMY*L***XX*1999999992~
N3*12 MAIN ST~N4*PORTLAND*ME*04101~PER*IC*DESK*TE*2075550142~LE*2120~`
  const shown = show(rows).replaceAll(/\s+/g, ' ')
  expect(shown).toContain('$5 copay: Children Only')
  expect(shown).toContain('$20 copay: Primary Care Provider AMY L JONES')
  expect(shown).toContain(
    'Primary Care Provider AMY L JONES, NPI 1999999992, 12 MAIN ST, PORTLAND, ME 04101, DESK, Telephone 2075550142',
  )
})

test('an answer that only states active coverage has four lines of facts, and nothing is invented', () => {
  expect(show('EB*1**30~', SUBSCRIBER)).toBe(`ACTIVE
The payer reports active coverage.

  Patient    IRIS Q MARLOWE, born 1984-02-29
  Payer      NORTHWIND HEALTH (NWH01)
  Member ID  NW-100200`)
})

describe('the status', () => {
  const on = (date_of_service: string) => ({ request: { encounter: { date_of_service } } })
  const member = `${SUBSCRIBER}DTP*346*D8*20250101~DTP*347*D8*20251231~`

  test.each([
    [
      'ended before the visit',
      'EB*1**30~',
      member,
      '2026-03-01',
      'ended on 2025-12-31, before the date of service 2026-03-01',
    ],
    [
      'begins after the visit',
      'EB*1**30~',
      member,
      '2024-12-31',
      'begins on 2025-01-01, after the date of service 2024-12-31',
    ],
    ['is not active', 'EB*6**30~', SUBSCRIBER, '2026-03-01', 'not active on 2026-03-01'],
  ])('of coverage that %s is INACTIVE with the reason', (_, rows, about, day, reason) => {
    const text = show(rows, about, on(day))
    expect(text).toMatch(/^INACTIVE\n/)
    expect(text.split('\n')[1]).toContain(reason)
  })

  test('of an answer without a status is UNKNOWN with the advice to call', () => {
    expect(show('EB*D**30~MSG*CLOSED~')).toMatch(/^UNKNOWN\nThe payer answered without stating .* Call the payer/)
  })
})

describe('a rejection', () => {
  const refusal = (segment: string) => show('', `${SUBSCRIBER}${segment}`)

  test('is printed with its code, and who has to act on it', () => {
    expect(
      refusal('AAA*N**72*C~AAA*N**72*C~').split('\n\n')[1],
    ).toBe(`rejected: AAA 72 Invalid/Missing Subscriber/Insured ID (Loop 2100C)
  Front desk: The member ID is missing or wrong. Copy it from the insurance card, including letters,
              and check again.`)
  })

  test.each([
    ['AAA*N**75*C~', 'Front desk: The payer does not find this member'],
    ['AAA*N**62*C~', 'Front desk: The payer does not answer for a date this far in the past'],
    ['AAA*Y**42*R~', 'Payer outage: The payer cannot answer now. No correction is needed'],
    ['AAA*Y**79*R~', 'Payer outage: The payer cannot answer now'],
    ['AAA*N**51*C~', 'Billing office: The payer does not recognize this provider'],
    ['AAA*N**49*C~', 'Billing office: The provider is not the primary care physician'],
    ['AAA*N**75*W~', '30 days'],
    ['AAA*Y**42*Y~', 'The payer will respond later. Do not send the inquiry again.'],
    ['AAA*N**RC~', 'Front desk: The payer could not identify the patient'],
    ['AAA~', 'rejected: AAA (no code) (Loop 2100C)'],
  ])('%s says: %s', (segment, advice) => {
    expect(refusal(segment).replaceAll(/\s+/g, ' ')).toContain(advice)
    expect(refusal(segment)).toContain('does not mean that there is no coverage')
  })

  test('of one service leaves the coverage active', () => {
    const text = show('EB*1**30~EB*1**98~AAA*N**53*N~')
    expect(text).toMatch(/^ACTIVE\n/)
    expect(text).toContain(
      'For information: The payer did not answer for this service; the rest of the answer is valid.',
    )
  })
})

test('a check without an answer shows the request and the error', () => {
  const text = printBenefits({
    request: {
      payer_id: '60054',
      subscriber: { first_name: 'Ana', last_name: 'Rivera', member_id: 'W1', date_of_birth: '1984-02-29' },
      dependent: { first_name: 'Leo', last_name: 'Rivera' },
    },
    errors: [{ errorDetails: { code: 'TIMEOUT', description: 'no answer in 60 seconds' } }],
  })
  expect(text).toBe(`UNKNOWN
There is no usable answer. This says nothing about the coverage.

failed: TIMEOUT: no answer in 60 seconds
  Check again later. If the problem persists, show this to your administrator.

  Patient     Leo Rivera
  Subscriber  Ana Rivera, born 1984-02-29
  Payer       60054
  Member ID   W1`)
})

test('figures that are the same in both networks are printed once, and a total of zero has nothing to meet', () => {
  const text = show('EB*1**30~EB*C*IND*30***23*0~')
  expect(text).toContain('  In and out of network\n    Deductible, individual            $0')
  expect(text).toContain('nothing to meet')
  expect(text).not.toContain('whether your provider')
})

test('an amount of nines alone is printed as no limit', () => {
  const text = show(
    'EB*1**30~EB*G*FAM*30***23*99999.99*****N~EB*C*FAM*30***23*9999999*****N~EB*C*IND*30***23*99999*****Y~',
  )
  expect(text.match(/no limit/g)).toHaveLength(3)
  expect(text).not.toContain('9999')
})

test('ages, procedures and rates are printed as limits in words', () => {
  const rows = `EB*1**30~EB*F*CHD*38******S7*18**Y~MSG*ONCE~EB*F*IND*41******P6*2**Y*AD:D1110~EB*F*IND*PT***23***VS*20**N~HSD*VS*2*WK~EB*F*IND*AD*******Y~HSD*VS*1*DA~`
  const text = show(rows)
  expect(text).toContain('- in network: up to age 18: ONCE')
  expect(text).toContain('- in network: limit of 2 services or procedures: Procedure AD D1110')
  expect(text).toContain('- out of network: limit of 2 visits, per week, calendar year')
  expect(text).toContain('- limit of 1 visit, per day')
})

test('what is left of a limit, or used of it, is not printed as the limit', () => {
  const text = show(
    'EB*1**30~EB*F*IND*35***23*1500*****Y~EB*F*IND*35***29*900*****Y~EB*F*IND*AD***23*410~MSG*Used Amount~EB*F*IND*AL***24*150*****Y~',
  )
  expect(text).toContain('- in network: limit of $1,500: Calendar Year')
  // Whole lines: the word for it does not stand behind the amount again.
  expect(text).toMatch(/- in network: \$900 remaining$/m)
  expect(text).toMatch(/- \$410 used: Calendar Year$/m)
  expect(text).toMatch(/- in network: \$150 used$/m)
})

test('the price of a day or a stay says so where it stands for its service', () => {
  const text = show('EB*1**30~EB*B*IND*48***36*500*****Y~EB*B*IND*50***7*150*****Y~EB*B*IND*98***27*20*****Y~')
  expect(text).toContain('$500 copay a stay')
  expect(text).toContain('$150 copay a day')
  expect(text).toMatch(/Office\s+\$20 copay$/m)
  expect(text).not.toContain('copay: Day')
})

test('visits that the payer labels as left or used are not printed as a limit', () => {
  const text = show(
    'EB*1**30~EB*F*IND*33***23***VS*7**Y~MSG*VISITS REMAINING~EB*F*IND*PT***23***VS*5**Y~MSG*VISITS USED~EB*F*IND*AL*********Y~HSD*VS*1***34*12~',
  )
  expect(text).toContain('- in network: 7 visits remaining, calendar year')
  expect(text).toContain('- in network: 5 visits used, calendar year')
  expect(text).toContain('- in network: limit of 1 visit, per 12 months')
})

test('a figure of a plan that is not active says so', () => {
  const text = show('EB*6**30*PR*SILVER 25~EB*1**30*PR*GOLD 26~EB*B*IND*98*PR*SILVER 25*27*50*****Y~')
  expect(text).toContain('$50 copay: SILVER 25 (inactive plan)')
})

test('the parts of Medicare are named in the headline alone', () => {
  const text = show('EB*1**30*MA~EB*1**30*MB~')
  expect(text).toContain('Medicare Part A: active')
  expect(text).not.toContain('Plan  ')
})

test('colors are used only on request', () => {
  const finished = check('EB*1**30~EB*C*IND*30***23*500~')
  expect(printBenefits(finished)).not.toContain('\u001b')
  expect(printBenefits(finished, { color: true })).toContain('\u001b[1;32mACTIVE\u001b[0m\n')
  const bare = stripVTControlCharacters(printBenefits(finished, { color: true }))
  expect(bare).toBe(printBenefits(finished))
})

test('text of a payer stays within 100 columns and moves no cursor', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 150 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constant('\u001b[2J\u0007\r'),
  )
  const amount = fc.double({ min: 0, max: 1e9, noNaN: true })
  const value = fc.record({ individual: amount, family: amount }, { requiredKeys: [] })
  const flat = fc.record(
    {
      type: fc.constantFrom('DEDUCTIBLE', 'COPAY', 'LIMITATION', 'OOP_MAX_REMAINING'),
      coverageLevel: fc.constantFrom('FAMILY', 'INDIVIDUAL'),
      unit: fc.constantFrom('CURRENCY', 'COUNT', 'PERCENT'),
      value: amount,
      additional_notes: text,
    },
    { requiredKeys: ['type', 'coverageLevel', 'unit', 'value'] },
  )
  const network = {
    in_network_flat: fc.array(flat, { maxLength: 4 }),
    out_of_network_flat: fc.array(flat, { maxLength: 2 }),
  }
  const finished = fc.record({
    parsed_response: fc.record({
      eligibility_status: fc.constantFrom('ACTIVE', 'INACTIVE', 'UNKNOWN'),
      plan_metadata: fc.record({
        payer_name: text,
        plan_name: text,
        subscriber: fc.record({ first_name: text, date_of_birth: text }),
      }),
      benefits: fc.record({
        plan_coverage: fc.record({
          in_network: fc.record({ deductible: value, deductible_remaining: value }),
          ...network,
        }),
        service_specific_coverage: fc.array(
          fc.record({ service_code: fc.constantFrom('30', '98'), in_network: fc.record({ copay: value }), ...network }),
          { maxLength: 2 },
        ),
        benefits_related_entities: fc.array(
          fc.record({
            entityName: text,
            contactInformation: fc.array(fc.record({ mode: text, value: text }), { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
        non_covered_details: fc.array(
          flat.map((each) => ({ ...each, type: 'NON_COVERED' })),
          { maxLength: 2 },
        ),
        notes: text,
      }),
    }),
    errors: fc.array(fc.record({ errorDetails: fc.record({ code: text, description: text, location: text }) }), {
      maxLength: 2,
    }),
    request_corrections: fc.array(fc.record({ property: text, request_value: text, corrected_value: text }), {
      maxLength: 2,
    }),
  })
  fc.assert(
    fc.property(finished, (any) => {
      for (const line of printBenefits(any as FinishedCheck).split('\n')) {
        expect(line.length).toBeLessThanOrEqual(100)
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      }
    }),
    { numRuns: 400 },
  )
})

test('what the plan leaves to pay is not called what a Qualified Medicare Beneficiary pays', () => {
  const rows = 'EB*1**30*MB~EB*A*IND*98*MB****.2~'
  expect(show(rows)).toContain('What the patient pays, and limits')
  const printed = show(`${rows}EB*1**30*QM*QMB~`)
  expect(printed).toContain('against the law')
  expect(printed).toContain('Costs in the plan: do not bill (QMB)')
  expect(printed).not.toContain('the patient pays')
})
