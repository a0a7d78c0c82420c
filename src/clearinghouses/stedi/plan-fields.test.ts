// Every field that Stedi publishes for `POST /2026-06-01/eligibility-check` reaches the 271 that an answer is read as.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json-values.ts'
import { readPlans } from './read-plans.ts'

describe('every field of the published description', () => {
  const named = (key: string) => ({ number: `${key}-number`, name: `${key}-name` })
  const person = (key: string) => ({
    person: {
      firstName: `${key}-first`,
      lastName: `${key}-last`,
      middleName: `${key}-middle`,
      suffix: `${key}-suffix`,
    },
  })
  const address = (key: string) => ({
    addressLine1: `${key}-line1`,
    addressLine2: `${key}-line2`,
    city: `${key}-city`,
    state: `${key}-state`,
    postalCode: `${key}-zip`,
    country: `${key}-country`,
    countrySubdivision: `${key}-subdivision`,
  })
  const contacts = (key: string) => [
    {
      name: `${key}-contact`,
      phoneNumbers: [`${key}-phone`],
      emails: [`${key}-mail`],
      faxNumbers: [`${key}-fax`],
      ediNumbers: [`${key}-edi`],
      urls: [`${key}-url`],
    },
  ]
  const texts = (key: string, names: string) =>
    Object.fromEntries(names.split(' ').map((name) => [name, `${key}-${name}`]))
  let day = 0
  const days = (names: string) => {
    const next = () => new Date(Date.UTC(2100, 0, ++day)).toISOString().slice(0, 10)
    return Object.fromEntries(names.split(' ').map((name) => [name, { start: next(), end: next() }]))
  }
  const memberInformation =
    'groupOrPolicyNumber memberId familyUnitNumber classOfContractCode contractNumber medicalRecordId patientAccountNumber mbi identificationCardSerialNumber identityCardNumber issueNumber insurancePolicyNumber medicaidRecipientId priorIdentifierNumber ssn agencyClaimNumber'
  const memberDates =
    'discharge issue effectiveDateOfChange plan eligibility added cobra premiumPaidToDate enrollment admission dateOfDeath certification service policy dateOfLastUpdate status'
  const benefitDates =
    'discharge period completion coordinationOfBenefits plan benefit primaryCareProvider latestVisit added eligibility admission service dateOfLastUpdate status'
  const member = (key: string, more: JsonObject) => ({
    name: person(key),
    address: address(key),
    provider: { code: 'REFERRING', reference: `${key}-taxonomy` },
    dates: days(memberDates),
    dateOfBirth: `${key}-born`,
    gender: 'UNKNOWN',
    birthSequenceNumber: 77,
    maintenance: { indicator: 'PAYER_INDICATED' },
    ...more,
    additionalInformation: {
      plan: named(`${key}-plan`),
      group: named(`${key}-group`),
      planNetwork: named(`${key}-network`),
      ...texts(key, memberInformation),
      ...(more.additionalInformation as object),
    },
  })
  const entityIds =
    'ein ssn etin facilityId tin memberId naicId payerId pharmacyProcessorNumber serviceProviderNumber npi'
  const entry = (key: string, more: JsonObject) => ({
    coverageLevel: 'FAMILY',
    insuranceType: 'QUALIFIED_MEDICARE_BENEFICIARY',
    network: { indicator: 'OUT_OF_NETWORK', id: `${key}-network`, description: `${key}-network-name` },
    priorAuthIndicator: 'REQUIRED',
    service: { value: `${key}-stc`, system: 'STC' },
    messages: [`${key}-message`],
    serviceLimits: [
      { ageMaximum: 61 },
      { ageMinimum: 16 },
      {
        delivery: {
          quantity: { value: `${key}-units`, qualifier: 'UNITS' },
          period: { value: 31, qualifier: 'LIFETIME_REMAINING' },
          frequency: { value: `${key}-frequency`, qualifier: 'WEEK' },
          delivery: { schedule: 'WHENEVER_NECESSARY', pattern: 'ANY_SHIFT' },
        },
      },
    ],
    dates: days(benefitDates),
    relatedEntities: entityIds.split(' ').map((id) => ({
      name: person(`${key}-${id}`),
      type: 'MANAGED_CARE_ORGANIZATION',
      relationship: 'DOMESTIC_PARTNER',
      address: address(`${key}-${id}`),
      provider: { code: 'SUPERVISING', reference: `${key}-${id}-taxonomy` },
      contacts: contacts(`${key}-${id}`),
      [id]: `${key}-${id}`,
    })),
    placesOfService: [{ code: `${key}-place` }, { name: `${key}-place-name` }],
    additionalInformation: {
      plan: named(`${key}-plan`),
      group: named(`${key}-group`),
      ...texts(
        key,
        'groupOrPolicyNumber memberId familyUnitNumber referralNumber alternativeListId coverageListId mbi drugFormularyNumber priorAuthNumber insurancePolicyNumber medicalAssistanceCategory medicaidRecipientId',
      ),
    },
    planCoverageDescription: `${key}-description`,
    diagnosis: { codeSystem: 'ICD-10-CM', codes: [{ value: `${key}-diagnosis` }] },
    timePeriod: '24_HOURS',
    amount: `${key}-amount`,
    percent: `${key}-percent`,
    quantity: { value: `${key}-quantity`, qualifier: 'QUANTITY_APPROVED' },
    ...more,
  })
  const lists =
    'coInsurance coPayment deductible outOfPocket costContainment spendDown limitations coverageBasis benefitDescription exclusions unlimited nonCovered reserve primaryCareProvider preExistingCondition managedCareCoordinator servicesRestrictedToFollowingProvider notDeemedMedicalNecessity benefitDisclaimer secondSurgicalOpinionRequired otherOrAdditionalPayer priorYearsHistory cardReportedStolen contactFollowingEntityForInformation cannotProcess otherSourceOfData healthCareFacility'
  const invalid = 'coInsurance coPayment deductible outOfPocket costContainment spendDown limitations'
  const everything = {
    meta: {
      subscriberTraceNumbers: [
        {
          type: 'CURRENT_TRANSACTION',
          ...texts('trace', 'referenceIdentification originatingCompanyIdentifier secondaryReferenceIdentification'),
        },
      ],
    },
    payer: {
      type: 'GATEWAY_PROVIDER',
      name: { organization: 'payer-name' },
      contacts: contacts('payer'),
      identification: 'payer-id',
    },
    provider: {
      name: person('provider'),
      type: 'HOSPITAL',
      address: address('provider'),
      provider: { code: 'RURAL_HEALTH_CLINIC', reference: 'provider-taxonomy' },
      npi: 'provider-npi',
      additionalInformation: {
        stateLicense: { number: 'license-number', state: 'license-state' },
        ...texts(
          'provider',
          'medicareProviderNumber medicaidProviderNumber facilityIdNumber personalIdentificationNumber contractNumber electronicDevicePin submitterId userId planNetworkId facilityNetworkId priorIdentifierNumber',
        ),
      },
    },
    subscriber: member('subscriber', {
      memberId: 'subscriber-id',
      additionalInformation: { caseNumber: 'case-number' },
    }),
    dependent: member('dependent', {
      relationToSubscriber: 'CADAVER_DONOR',
      additionalInformation: { eligibilityCategory: 'category' },
    }),
    plans: [
      {
        name: 'plan-name',
        benefits: {
          statuses: [entry('statuses', { status: 'ACTIVE_PENDING_INVESTIGATION', planCoverageDescription: undefined })],
          ...Object.fromEntries(lists.split(' ').map((list) => [list, [entry(list, {})]])),
          invalidEntries: Object.fromEntries(invalid.split(' ').map((list) => [list, [entry(`invalid-${list}`, {})]])),
        },
      },
      {
        benefits: {
          nonCovered: [
            { service: { system: 'CDT', range: { start: { value: 'range-start' }, end: { value: 'range-end' } } } },
          ],
        },
      },
    ],
    errors: [{ code: 'error-code', followupAction: 'error-action', location: 'DEPENDENT_BENEFITS' }],
  }

  test('is in the 271 that the answer is read as', () => {
    const read = JSON.stringify(readPlans(everything))
    // A search of the whole text for each of eleven thousand took five seconds.
    const whole = new Set(read.match(/"[^"]*"/g))
    const missing = textsIn(everything).filter(
      (text) => !WORDS.test(text) && !whole.has(`"${text}"`) && !read.includes(text.replaceAll('-', '')),
    )
    expect(missing).toEqual([])
    // The words of enumerations become X12 codes.
    const codes = [
      '"FAM"',
      '"QM"',
      '"N"',
      '"Y2"',
      '"27"',
      '"SU"',
      '"13"',
      '"QA"',
      '"FL"',
      '"33"',
      '"WK"',
      '"W"',
      '"G"',
      '"ZZ"',
      '"2110D"',
    ]
    for (const code of codes) expect(read, code).toContain(code)
    for (const pair of ['"quantityQualifier":"S7","quantity":"61"', '"quantityQualifier":"S8","quantity":"16"']) {
      expect(
        read.replaceAll(/"quantity":"(\d+)","quantityQualifier":"(\w+)"/g, '"quantityQualifier":"$2","quantity":"$1"'),
      ).toContain(pair)
    }
  })

  const WORDS = /^[A-Z0-9_]+$|^(?:STC|CDT|ICD-10-CM|24_HOURS)$/

  function textsIn(value: unknown): string[] {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null) return []
    return Object.values(value).flatMap(textsIn)
  }

  test('may be missing or null, all together and one at a time', () => {
    const places: [object, string][] = []
    const collect = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return
      for (const key of Object.keys(value)) {
        places.push([value, key])
        collect((value as JsonObject)[key])
      }
    }
    // One entry stands for all, which are read alike.
    const [plan] = everything.plans
    const { statuses: all } = plan!.benefits as unknown as { statuses: { relatedEntities?: object[] }[] }
    const statuses = all.map((each) => ({
      ...each,
      relatedEntities: each.relatedEntities?.slice(0, 1),
    }))
    const copy = structuredClone({ ...everything, plans: [{ name: 'plan', benefits: { statuses } }] }) as JsonObject
    collect(copy)
    expect(places.length).toBeGreaterThan(200)
    for (const [holder, key] of places) {
      const known = (holder as JsonObject)[key]
      for (const wrong of [null, 7, 'text', [], {}, [null], true]) {
        ;(holder as JsonObject)[key] = wrong
        expect(readPlans(copy).patients).toHaveLength(1)
      }
      ;(holder as JsonObject)[key] = known
    }
    for (const wrong of [{}, { plans: null }, { plans: {} }, { errors: 'x' }, { subscriber: [], meta: 7 }])
      readPlans(wrong)
  })
})
