import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unreadableDates } from '../../eligibility/answers/coverage/in-force.ts'
import { decodePatient } from '../../eligibility/answers/decode.ts'
import type { JsonObject } from '../json-values.ts'
import { readCoverage } from './read-coverage.ts'

const inquiry = { reference: 'REF1' }
const patientOf = (coverage: JsonObject) => readCoverage(coverage, inquiry).patients[0]!
const rowsOf = (benefit: JsonObject) => patientOf({ plans: [{ benefits: [{ type: '98', ...benefit }] }] }).benefits

describe('a benefit', () => {
  test('has a row for each amount, total and remainder, and for each network', () => {
    const rows = rowsOf({
      amounts: {
        deductibles: {
          inNetwork: [
            {
              total: '1500',
              totalTimePeriodCode: '23',
              remaining: '900',
              remainingTimePeriodCode: '23',
              levelCode: 'IND',
            },
          ],
          outOfNetwork: [{ amount: '4000', amountTimePeriodCode: '24' }],
        },
        coPayment: { noNetwork: [{ amount: '25', units: 'Dollars' }] },
        coInsurance: { notApplicableNetwork: [{ amount: '0.2', units: 'Percent' }] },
        outOfPocket: { inNetwork: [{ remaining: '7', remainingTimePeriodCode: '32' }] },
      },
    })
    const described = rows.map(({ code, networkIndicator, timeQualifier, amount, percent }) =>
      [code, networkIndicator ?? '', timeQualifier ?? '', amount ?? percent].join(' '),
    )
    expect(described.sort()).toEqual(['A W  0.2', 'B   25', 'C N 24 4000', 'C Y 23 1500', 'C Y 29 900', 'G Y 33 7'])
  })

  test('has counts where its unit is no money: 20 visits, 13 of them left', () => {
    const limit = { total: '20', units: 'Visits', totalTimePeriodCode: '23', remaining: '13', levelCode: 'IND' }
    const rows = rowsOf({ limitations: { inNetwork: [limit] } })
    expect(
      rows.map(({ amount, quantity, quantityQualifier, timeQualifier }) => [
        amount,
        quantity,
        quantityQualifier,
        timeQualifier,
      ]),
    ).toEqual([
      [undefined, '20', 'VS', '23'],
      [undefined, '13', 'VS', '29'],
    ])
  })

  test('is read by the names where the payer sends no codes', () => {
    const [row] = rowsOf({
      amounts: {
        deductibles: {
          inNetwork: [
            {
              total: '1500',
              totalTimePeriod: 'Calendar Year',
              level: 'Family',
              placeOfService: 'Office',
              insuranceType: 'Commercial',
            },
          ],
        },
      },
    })
    expect(row).toMatchObject({ coverageLevel: 'FAM', timeQualifier: '23', insuranceType: 'C1', amount: '1500' })
    expect(row?.additionalInformation).toEqual([{ qualifier: 'ZZ', code: '11' }])
  })

  test('has a row for a spend-down that is among the descriptions', () => {
    const benefitDescriptions = { noNetwork: [{ status: 'Spend Down', amount: '300', amountTimePeriod: 'Month' }] }
    expect(rowsOf({ benefitDescriptions })[0]).toMatchObject({ code: 'Y', amount: '300', timeQualifier: '34' })
    expect(rowsOf({ benefitDescriptions: { noNetwork: [{ status: 'Inactive' }] } })[0]?.code).toBe('D')
  })

  test('keeps every note, as text or object, and every date', () => {
    const { benefits } = patientOf({
      plans: [
        {
          payerNotes: [{ message: 'COVERAGE SUSPENDED' }],
          primaryCareProvider: { name: 'NORA HALE', payerNotes: ['PCP SINCE 2020'] },
          benefits: [
            { type: '30', statusCode: '1' },
            { type: '98', payerNotes: [{ message: 'REFERRAL NEEDED' }] },
            {
              type: '35',
              limitations: { noNetwork: [{ lastVisitDate: '2026-01-05', payerNotes: [{ message: 'ONCE A YEAR' }] }] },
            },
          ],
        },
      ],
    })
    expect(
      benefits.map(({ code, serviceTypeCodes, messages }) => [code, serviceTypeCodes.join(), ...messages]),
    ).toEqual([
      ['D', '30', 'COVERAGE SUSPENDED'],
      ['1', '30'],
      ['D', '98', 'REFERRAL NEEDED'],
      ['F', '35', 'ONCE A YEAR'],
      ['L', '', 'PCP SINCE 2020'],
    ])
    expect(benefits[3]?.dates).toMatchObject([{ qualifier: '304', start: '20260105' }])
  })

  test.each([
    ['Active Coverage', undefined, '1'],
    [undefined, '6', '6'],
    ['inactive', undefined, '6'],
    ['Actively considered', undefined, ''],
    ['Active Coverage', 'X', undefined],
  ])('with status %s and code %s is EB01 %s: an unknown status is not coverage', (status, statusCode, code) => {
    expect(rowsOf({ status, statusCode })[0]?.code).toBe(code)
  })

  test('with an unknown service type never applies to the whole plan', () => {
    const rows = patientOf({
      plans: [{ benefits: [{ statusCode: '1' }, { name: 'Acupuncture at Sea', statusCode: '1' }] }],
    })
    expect(rows.benefits.map(({ serviceTypeCodes }) => serviceTypeCodes)).toEqual([['Acupuncture at Sea']])
    const named = patientOf({ plans: [{ benefits: [{ name: 'Health Benefit Plan Coverage', statusCode: '1' }] }] })
    expect(named.benefits[0]?.serviceTypeCodes).toEqual(['30'])
  })
})

test('other payers have their rank, their member id and their start date', () => {
  const [row] = patientOf({
    plans: [
      {
        additionalPayers: [
          {
            name: 'CIGNA',
            payerId: '62308',
            primary: true,
            insuredMemberId: 'U1',
            coordinationOfBenefitsBeginDate: '2020-01-01T05:00:00.000+0000',
          },
        ],
      },
    ],
  }).benefits
  expect(row).toMatchObject({
    code: 'R',
    serviceTypeCodes: ['30'],
    entities: [{ entityCode: 'PRP', lastName: 'CIGNA', id: '62308' }],
    references: [{ qualifier: '1W', value: 'U1' }],
    dates: [{ qualifier: '290', start: '20200101' }],
  })
})

test('a contact is read with its id, specialty, address, dates, numbers and notes, and a detail with its contacts', () => {
  const { benefits } = patientOf({
    plans: [
      {
        primaryCareProvider: {
          firstName: 'NORA',
          middleName: 'Q',
          lastName: 'HALE',
          npi: '1999999984',
          specialtyCode: '207Q00000X',
          address: { line1: '4 QUAY ST', city: 'PORTLAND', stateCode: 'ME', zipCode: '04101' },
          contactInformation: [{ name: 'FRONT DESK', phone: '2075550100' }, { phone: '2075550101' }],
          primaryCareProviderStartDate: '2026-01-01T00:00:00.000+0000',
          primaryCareProviderEndDate: '2026-12-31T00:00:00.000+0000',
          groupNumber: 'G-7',
          payerNotes: ['CALL FIRST'],
        },
        contacts: [{ name: 'HARBOR LABS', categoryCode: 'VN', taxId: '010203040' }],
        benefits: [
          {
            type: '98',
            amounts: {
              coPayment: { inNetwork: [{ amount: '25', units: 'Dollars', contacts: [{ phone: '2075550199' }] }] },
            },
          },
        ],
      },
    ],
  })
  const [copay, caregiver, vendor] = benefits
  expect(copay).toMatchObject({ code: 'B', entities: [{ contacts: [{ numbers: [{ value: '2075550199' }] }] }] })
  expect(caregiver).toMatchObject({
    code: 'L',
    dates: [{ qualifier: '295', start: '20260101', end: '20261231' }],
    references: [{ qualifier: '6P', value: 'G-7' }],
    messages: ['CALL FIRST'],
    entities: [
      {
        middleName: 'Q',
        idQualifier: 'XX',
        id: '1999999984',
        taxonomy: '207Q00000X',
        address: { line1: '4 QUAY ST', city: 'PORTLAND', state: 'ME', postalCode: '04101' },
        contacts: [{ name: 'FRONT DESK' }, { numbers: [{ value: '2075550101' }] }],
      },
    ],
  })
  expect(vendor).toMatchObject({ entities: [{ entityCode: 'VN', idQualifier: 'FI', id: '010203040' }] })
})

describe('a statement that is true or false may be a text', () => {
  test.each([
    [{ authorizationRequired: 'true' }, 'Y'],
    [{ authorizationRequired: 'No' }, 'N'],
    [{ authorizationRequired: 'sometimes' }, undefined],
    [{ authorizationRequiredUnknown: 'Y' }, 'U'],
  ])('authorization: %j is EB11 %s', (stated, indicator) => {
    const copay = { amount: '25', units: 'Dollars', ...stated }
    const rows = rowsOf({ amounts: { coPayment: { noNetwork: [copay] } } })
    expect(rows.map(({ authorizationIndicator }) => authorizationIndicator)).toEqual([indicator])
  })

  test('that the payer has other data of the patient', () => {
    const { subscriber } = patientOf({ subscriber: { lastName: 'DOE', updateYourRecords: 'true' } })
    expect(subscriber).toMatchObject({ maintenanceTypeCode: '001', maintenanceReasonCode: '25' })
  })
})

test('a day is the date part of a date-time, regardless of its time zone', () => {
  const { subscriber } = patientOf({
    patient: { birthDate: '2004-04-04T05:00:00.000+0000' },
    plans: [
      { eligibilityStartDate: '2026-01-01T05:00:00.000+0000', eligibilityEndDate: '2026-12-31T05:00:00.000+0000' },
    ],
  })
  expect(subscriber.birthDate).toBe('20040404')
  expect(subscriber.dates.map(({ qualifier, start }) => [qualifier, start])).toEqual([
    ['356', '20260101'],
    ['357', '20261231'],
  ])
})

test('reading arbitrary JSON never throws and never finds active coverage in it', () => {
  const keys = [
    'plans',
    'benefits',
    'amounts',
    'deductibles',
    'inNetwork',
    'patient',
    'payer',
    'type',
    'status',
    'statusCode',
    'total',
  ]
  const noise = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', '1 ', 'active', 'Active', '30', '\ud800', []),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 5 }),
    ),
  })).value
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), noise), (coverage) => {
      const patient = patientOf(coverage as JsonObject)
      const { eligibility_status } = decodePatient(patient, { serviceTypeCodes: ['30'] })
      const saysActive = patient.benefits.some(({ code }) => code >= '1' && code <= '5')
      if (!saysActive) expect(eligibility_status).not.toBe('ACTIVE')
    }),
    { numRuns: 2_000 },
  )
})

test('a day in another spelling is read, and one that cannot be read is kept, because it may be the end of the coverage', () => {
  const { dates } = patientOf({ plans: [{ planStartDate: '20250101', planEndDate: '12/31/2025' }] }).subscriber
  expect(dates.map(({ start }) => start)).toEqual(['20250101', '20251231'])
  const [unread] = patientOf({ plans: [{ eligibilityEndDate: '251231' }] }).subscriber.dates
  expect(unread).toMatchObject({ qualifier: '357', raw: '251231' })
  expect(unreadableDates([unread!])).toEqual(['357'])
})
