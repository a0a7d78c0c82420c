// Birth date and first name determine the person an answer is about. Source: x12-271.md 9, corrected.
import { describe, expect, test } from 'vitest'
import { answerText } from '../../../../test/support/answers.ts'
import { readCoverage } from '../../../clearinghouses/availity/read-coverage.ts'
import type { ClearinghouseAnswer } from '../../../clearinghouses/clearinghouse.ts'
import { readEligibility } from '../../../clearinghouses/stedi/read-eligibility.ts'
import type { Inquiry } from '../../../x12/model.ts'
import type { CheckMember, CheckRequest } from '../../inquiries/check-inquiry.ts'
import { runCheck } from '../../inquiries/run-check.ts'
import { isTypingError } from './identity.ts'

interface Person extends CheckMember {
  /** INS03 and INS04 001/25. */
  announced?: boolean
}

const IRIS: Person = { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' }
const FINN: Person = { firstName: 'Finn', lastName: 'Marlowe', dateOfBirth: '2015-05-04' }

const compact = (date = '') => date.replaceAll('-', '')
const nm1 = (code: string, { firstName, lastName, memberId }: Person) =>
  `NM1*${code}*1*${lastName}*${firstName}****${memberId ? `MI*${memberId}` : ''}~`
const details = ({ dateOfBirth, announced }: Person, relation: string) =>
  `${dateOfBirth ? `DMG*D8*${compact(dateOfBirth)}~` : ''}${announced ? `INS*Y*${relation}*001*25~` : ''}`

/** The same answer through each of the three connectors, always as the answer to our own inquiry. */
const connectors: Record<string, (inquiry: Inquiry, subscriber: Person, dependent?: Person) => ClearinghouseAnswer> = {
  X12: ({ traceNumber }, subscriber, dependent) => {
    const trace = `TRN*2*${traceNumber}*9ANTEROOM1~`
    const second = dependent ? `HL*4*3*23*0~${trace}${nm1('03', dependent)}${details(dependent, '19')}` : ''
    const first = `HL*3*2*22*0~${dependent ? '' : trace}${nm1('IL', subscriber)}${details(subscriber, '18')}`
    return { rawResponse: answerText('EB*1**30**SOMEBODYS PLAN~EB*B**98***27*25*****Y~', first + second) }
  },
  Stedi: ({ traceNumber }, subscriber, dependent) => {
    const memberOf = ({ firstName, lastName, memberId, dateOfBirth, announced }: Person) => ({
      firstName,
      lastName,
      memberId,
      dateOfBirth: compact(dateOfBirth) || undefined,
      ...(announced && { maintenanceTypeCode: '001', maintenanceReasonCode: '25' }),
    })
    const json = {
      subscriber: memberOf(subscriber),
      ...(dependent && { dependents: [memberOf(dependent)] }),
      subscriberTraceNumbers: [{ traceTypeCode: '2', referenceIdentification: traceNumber }],
      benefitsInformation: [{ code: '1', serviceTypeCodes: ['30'], planCoverage: 'SOMEBODYS PLAN' }],
    }
    return { rawResponse: JSON.stringify(json), responses: [readEligibility(json)], json }
  },
  Availity: (inquiry, subscriber, dependent) => {
    const memberOf = ({ firstName, lastName, memberId, dateOfBirth, announced }: Person) => ({
      firstName,
      lastName,
      memberId,
      ...(dateOfBirth && { birthDate: `${dateOfBirth}T00:00:00.000+0000` }),
      ...(announced && { updateYourRecords: true }),
    })
    const json = {
      subscriber: memberOf(subscriber),
      patient: dependent
        ? { ...memberOf(dependent), subscriberRelationshipCode: '19' }
        : { ...memberOf(subscriber), subscriberRelationshipCode: '18' },
      plans: [{ benefits: [{ type: '30', statusCode: '1', status: 'Active Coverage' }] }],
    }
    return { rawResponse: JSON.stringify(json), responses: [readCoverage(json, inquiry)] }
  },
}

function ask(
  connector: string,
  asked: { subscriber?: Person; dependent?: Person },
  answered: { subscriber?: Person; dependent?: Person },
) {
  const request: CheckRequest = {
    payerId: 'PAYER',
    provider: { npi: '1999999984' },
    subscriber: asked.subscriber ?? IRIS,
    ...(asked.dependent && { dependent: asked.dependent }),
    dateOfService: '2026-03-01',
    serviceTypeCodes: ['30'],
  }
  const checkEligibility = async (inquiry: Inquiry) =>
    connectors[connector]!(inquiry, answered.subscriber ?? IRIS, answered.dependent)
  const options = {
    organizationId: 'ORGANIZATION',
    checkId: '01a1fc1d-a51d-71d0-baa9-4bd4e756d543',
    controlNumber: 1,
    at: new Date(0),
  }
  return runCheck({ name: 'test', checkEligibility }, request, options)
}

describe.each(Object.keys(connectors))('an answer through %s', (connector) => {
  const expectOurs = async (...people: [Parameters<typeof ask>[1], Parameters<typeof ask>[2]]) => {
    const outcome = await ask(connector, ...people)
    expect(outcome.parsedResponse?.eligibility_status).toBe('ACTIVE')
    return outcome.requestCorrections?.map(({ property }) => property) ?? []
  }
  const expectNobodys = async (...people: [Parameters<typeof ask>[1], Parameters<typeof ask>[2]]) => {
    const outcome = await ask(connector, ...people)
    const { rawResponse, ...shown } = outcome
    expect(outcome).toMatchObject({ status: 'FAILED' })
    expect(['PATIENT_MISMATCH', 'PATIENT_NOT_NAMED']).toContain(outcome.errors[0]?.errorDetails.code)
    expect(outcome.parsedResponse).toBeUndefined()
    expect(outcome.requestCorrections).toBeUndefined()
    const names = [people[1].subscriber, people[1].dependent].flatMap((person) => person?.firstName ?? [])
    for (const secret of [...names, 'SOMEBODYS PLAN']) {
      if (secret !== '') expect(JSON.stringify(shown)).not.toContain(secret)
    }
  }

  test.each([
    ['equal', {}],
    ['with a middle initial in it', { firstName: 'IRIS Q' }],
    ['without punctuation and accents', { firstName: 'ÍRIS' }],
  ])('of the same birth date and a first name %s is ours, without a correction', async (_, differs) => {
    expect(await expectOurs({}, { subscriber: { ...IRIS, ...differs } })).toEqual([])
  })

  test.each([
    ['Robert', 'BOB'],
    ['Liz', 'ELIZABETH'],
    ['Francisco', 'PACO'],
    ['Alex', 'ALEXANDRA'],
    ['Peg', 'MARGARET'],
    ['Elena', 'ELINA'],
    ['Katherine', 'CATHERINA'],
  ])('of the same birth date and %s for %s is ours, with the correction to confirm', async (one, other) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const corrections = await expectOurs(
        { subscriber: { ...IRIS, firstName: first } },
        { subscriber: { ...IRIS, firstName: second } },
      )
      expect(corrections).toEqual(['subscriber.first_name'])
    }
  })

  test.each([
    ['Ella', 'EMMA'],
    ['Emily', 'EMMA'],
    ['Iris', 'IVY'],
    ['Jo', 'MO'],
    ['Iris', 'ROBERT'],
    ['Mary Ann', 'MARY JANE'],
    ['Michael', 'MICHELLE MARIE'],
    ['Дарья', 'OLGA'],
  ])("of the same birth date is a twin's where %s is answered as %s", async (one, other) => {
    await expectNobodys({ subscriber: { ...IRIS, firstName: one } }, { subscriber: { ...IRIS, firstName: other } })
    const dependent = { ...FINN, firstName: other }
    await expectNobodys({ dependent: { ...FINN, firstName: one } }, { dependent })
  })

  test.each(['1955-02-17', '1960-12-01', '2014-08-30'])(
    'of the same name born on %s is a father or son',
    async (dateOfBirth) => {
      await expectNobodys({}, { subscriber: { ...IRIS, dateOfBirth } })
      await expectNobodys(
        { dependent: { ...FINN, firstName: 'Iris' } },
        { dependent: { ...FINN, firstName: 'Iris', dateOfBirth } },
      )
    },
  )

  test.each(['1984-02-19', '1948-02-29', '2084-02-29', '1984-02-28'])(
    'with the member id and name of ours, born on %s, is ours with a correction to confirm, and without the id it is not',
    async (dateOfBirth) => {
      expect(await expectOurs({}, { subscriber: { ...IRIS, dateOfBirth } })).toEqual(['subscriber.date_of_birth'])
      await expectNobodys({}, { subscriber: { ...IRIS, dateOfBirth, memberId: 'XX-1' } })
      await expectNobodys({}, { subscriber: { ...IRIS, dateOfBirth, memberId: '' } })
    },
  )

  test('that announces a change is ours with a correction when birth date or first name is unchanged', async () => {
    const announced = { ...IRIS, announced: true }
    expect(await expectOurs({}, { subscriber: { ...announced, firstName: 'ROSE' } })).toEqual(['subscriber.first_name'])
    expect(await expectOurs({}, { subscriber: { ...announced, dateOfBirth: '1955-07-17' } })).toEqual([
      'subscriber.date_of_birth',
    ])
    await expectNobodys({}, { subscriber: { ...announced, firstName: 'ROSE', dateOfBirth: '1955-07-17' } })
  })

  test('with another last name or member id is ours with a correction', async () => {
    expect(await expectOurs({}, { subscriber: { ...IRIS, lastName: 'HALE' } })).toEqual(['subscriber.last_name'])
    expect(await expectOurs({}, { subscriber: { ...IRIS, memberId: 'XX-1' } })).toEqual(['subscriber.member_id'])
  })

  test('without a birth date is ours by name and member id, but not by either alone', async () => {
    const { dateOfBirth: _, ...undated } = IRIS
    expect(await expectOurs({}, { subscriber: undated })).toEqual([])
    expect(await expectOurs({}, { subscriber: { ...IRIS, dateOfBirth: '0000-00-00' } })).toEqual([])
    expect(await expectOurs({}, { subscriber: { ...undated, memberId: '' } })).toEqual([])
    await expectNobodys({}, { subscriber: { ...undated, memberId: 'XX-1' } })
    await expectNobodys({}, { subscriber: { ...undated, memberId: '', lastName: 'HALE' } })
    await expectNobodys({}, { subscriber: { ...undated, firstName: 'IRMA' } })
    await expectNobodys({}, { subscriber: { ...undated, firstName: '' } })
    await expectNobodys(
      { subscriber: { ...IRIS, lastName: 'Marlowe Jr' } },
      { subscriber: { ...undated, lastName: 'MARLOWE SR' } },
    )
  })

  test('without a first name is about the subscriber with that id and birth date, not about a dependent', async () => {
    expect(await expectOurs({}, { subscriber: { ...IRIS, firstName: '' } })).toEqual([])
    await expectNobodys({}, { subscriber: { ...IRIS, firstName: '', memberId: 'XX-1' } })
    await expectNobodys({ dependent: FINN }, { dependent: { ...FINN, firstName: '' } })
  })

  test('about the subscriber alone is not about the dependent, nor the reverse', async () => {
    await expectNobodys({ dependent: FINN }, { subscriber: IRIS })
    await expectNobodys({}, { dependent: FINN })
    expect(await expectOurs({ dependent: FINN }, { dependent: FINN })).toEqual([])
  })
})

describe.each(Object.keys(connectors))('father and son of one name, through %s', (connector) => {
  const father = { memberId: 'NW-7', firstName: 'John', lastName: 'Marlowe', dateOfBirth: '1970-01-01' }
  const son = { firstName: 'John', lastName: 'Marlowe', dateOfBirth: '2010-01-01' }
  const codeOf = async (...people: [Parameters<typeof ask>[1], Parameters<typeof ask>[2]]) => {
    const { parsedResponse, errors } = await ask(connector, ...people)
    return parsedResponse?.eligibility_status ?? errors[0]?.errorDetails.code
  }
  const undated = ({ dateOfBirth: _, ...person }: Person): Person => person

  test('an answer without a birth date does not show which of them it is about', async () => {
    const asked = { subscriber: father, dependent: son }
    expect(await codeOf(asked, { subscriber: undated(father) })).toBe('PATIENT_NOT_NAMED')
    const called = { ...asked, dependent: { ...son, firstName: 'Johnny' } }
    expect(await codeOf(called, { subscriber: undated(father) })).toBe('PATIENT_NOT_NAMED')
    expect(await codeOf({ subscriber: father }, { subscriber: father, dependent: undated(son) })).toBe(
      'PATIENT_NOT_NAMED',
    )
    expect(await codeOf({ subscriber: father, dependent: undated(son) }, { subscriber: father })).toBe(
      'PATIENT_NOT_NAMED',
    )
  })

  test('a birth date, or the dependent level, shows which of them it is about', async () => {
    const asked = { subscriber: father, dependent: son }
    expect(await codeOf(asked, { subscriber: { ...father, ...son } })).toBe('ACTIVE')
    expect(await codeOf(asked, { subscriber: father, dependent: undated(son) })).toBe('ACTIVE')
    expect(await codeOf({ subscriber: father }, { subscriber: undated(father) })).toBe('ACTIVE')
  })
})

describe('an X12 answer about several people', () => {
  const member = (trace: string, person: Person, rows = 'EB*1**30~') =>
    `HL*3*2*22*0~TRN*2*${trace}*9ANTEROOM1~${nm1('IL', person)}${details(person, '18')}${rows}`
  const outcomeOf = (...members: string[]) =>
    runCheck(
      { name: 'test', checkEligibility: async () => ({ rawResponse: answerText('', members.join('')) }) },
      {
        payerId: 'PAYER',
        provider: { npi: '1999999984' },
        subscriber: IRIS,
        dateOfService: '2026-03-01',
        serviceTypeCodes: ['30'],
      },
      { organizationId: 'ORGANIZATION', checkId: 'T-1', controlNumber: 1, at: new Date(0) },
    )
  const TRACE = 'T1'

  test('under one trace is searched for our patient', async () => {
    const father = { ...IRIS, dateOfBirth: '1955-07-17' }
    const outcome = await outcomeOf(member(TRACE, father, 'EB*6**30~'), member(TRACE, IRIS))
    expect(outcome.parsedResponse?.eligibility_status).toBe('ACTIVE')
    expect(
      (await outcomeOf(member(TRACE, father), member(TRACE, { ...IRIS, firstName: 'IVY' }))).errors[0]?.errorDetails
        .code,
    ).toBe('PATIENT_MISMATCH')
  })

  test('with two matches is reported as ambiguous, not as another person', async () => {
    const outcome = await outcomeOf(member(TRACE, IRIS), member(TRACE, IRIS, 'EB*6**30~'))
    expect(outcome).toMatchObject({ status: 'FAILED', errors: [{ errorDetails: { code: 'CONFLICTING_ANSWERS' } }] })
    expect(outcome.parsedResponse).toBeUndefined()
  })

  test('knows a birth date in every spelling', async () => {
    const born = (dateOfBirth: string) => outcomeOf(member(TRACE, { ...IRIS, dateOfBirth }))
    expect((await born('02/29/1984')).parsedResponse?.eligibility_status).toBe('ACTIVE')
    expect((await born('02/17/1955')).errors[0]?.errorDetails.code).toBe('PATIENT_MISMATCH')
  })

  test('that a clearinghouse delivers twice is one answer', async () => {
    const outcome = await outcomeOf(member(TRACE, IRIS), member(TRACE, IRIS))
    expect(outcome.parsedResponse?.eligibility_status).toBe('ACTIVE')
    const thrice = await outcomeOf(member(TRACE, IRIS), member(TRACE, IRIS), member(TRACE, IRIS, 'EB*1**30~EB*6**98~'))
    expect(thrice).toMatchObject({ errors: [{ errorDetails: { code: 'CONFLICTING_ANSWERS' } }] })
  })

  test('a rejection under our trace is reported in its own words, without data of the person it names', async () => {
    const nora = { ...IRIS, firstName: 'NORA', dateOfBirth: '1961-01-01' }
    const outcome = await outcomeOf(member(TRACE, nora, 'AAA*N**71*C~'))
    expect(outcome).toMatchObject({ status: 'FAILED', errors: [{ errorDetails: { code: '71' } }] })
    const { rawResponse, ...shown } = outcome
    expect(JSON.stringify(shown)).not.toMatch(/NORA|1961/)
  })
})

test.each([
  ['1984-02-29', '1984-02-28', true],
  ['1984-02-29', '1984-02-92', false],
  ['1984-03-05', '1984-05-03', true],
  ['1984-12-01', '1984-01-12', true],
  ['1984-12-01', '1948-12-01', true],
  ['1984-12-01', '1884-12-01', true],
  ['1926-12-01', '2026-12-01', true],
  ['1984-12-01', '1985-11-01', false],
  ['1984-03-15', '1984-01-13', false],
  ['1984-12-01', '1991-07-23', false],
  ['1984-12-01', undefined, false],
])('%s and %s differ by a typing error: %s', (one, other, isTyped) => {
  expect(isTypingError(one, other)).toBe(isTyped)
})
