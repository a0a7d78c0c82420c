import { expect, test } from 'vitest'
import { answerText, readAnswer, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { stediResponse } from './stedi-response.ts'

function render(rows: string, member = SUBSCRIBER) {
  const raw = answerText(rows, member)
  const response = readAnswer(raw)
  return { raw, json: stediResponse(response, response.patients[0]!, { raw }) }
}

const benefitOf = (row: string) => (render(row).json as { benefitsInformation: object[] }).benefitsInformation[0]

test('the frame contains mode, control number, parties, traces and the X12 itself, and no invented id', () => {
  const { raw, json } = render(
    'EB*1**30**HARBOR GOLD~',
    `${SUBSCRIBER}REF*6P*G-77*HARBOR GROUP~DTP*291*RD8*20260101-20261231~`,
  )
  expect(json).toEqual({
    meta: { applicationMode: 'test', traceId: 'REF-1', senderId: 'NORTHWIND', submitterId: 'ANTEROOM' },
    controlNumber: '000000042',
    reassociationKey: '000000042',
    tradingPartnerServiceId: 'NWH01',
    provider: {
      entityIdentifier: 'Provider',
      entityType: 'Non-Person Entity',
      providerName: 'HARBOR CLINIC',
      npi: '1999999984',
    },
    subscriber: {
      memberId: 'NW-100200',
      firstName: 'IRIS',
      middleName: 'Q',
      lastName: 'MARLOWE',
      gender: 'F',
      dateOfBirth: '19840229',
      entityIdentifier: 'Insured or Subscriber',
      entityType: 'Person',
      groupNumber: 'G-77',
      groupDescription: 'HARBOR GROUP',
      address: { address1: '4 QUAY ST', city: 'PORTLAND', state: 'ME', postalCode: '04101' },
    },
    subscriberTraceNumbers: [
      {
        traceTypeCode: '2',
        traceType: 'Referenced Transaction Trace Numbers',
        referenceIdentification: 'TRACE-1',
        originatingCompanyIdentifier: '9ANTEROOM1',
      },
    ],
    payer: {
      entityIdentifier: 'Payer',
      entityType: 'Non-Person Entity',
      name: 'NORTHWIND HEALTH',
      payorIdentification: 'NWH01',
    },
    planInformation: { groupNumber: 'G-77', groupDescription: 'HARBOR GROUP' },
    planDateInformation: { plan: '20260101-20261231' },
    planStatus: [{ statusCode: '1', status: 'Active Coverage', planDetails: 'HARBOR GOLD', serviceTypeCodes: ['30'] }],
    benefitsInformation: [
      {
        code: '1',
        name: 'Active Coverage',
        serviceTypeCodes: ['30'],
        serviceTypes: ['Health Benefit Plan Coverage'],
        planCoverage: 'HARBOR GOLD',
      },
    ],
    dependents: [],
    errors: [],
    x12: raw,
  })
})

test('a benefit keeps every code with its name, amounts as text and the percentage as a fraction', () => {
  expect(benefitOf('EB*A*IND*98*C1*HARBOR GOLD*27*10.50*.2*VS*3*Y*W*HC:99213:25*1:2~')).toEqual({
    code: 'A',
    name: 'Co-Insurance',
    coverageLevelCode: 'IND',
    coverageLevel: 'Individual',
    serviceTypeCodes: ['98'],
    serviceTypes: ['Professional (Physician) Visit - Office'],
    insuranceTypeCode: 'C1',
    insuranceType: 'Commercial',
    planCoverage: 'HARBOR GOLD',
    timeQualifierCode: '27',
    timeQualifier: 'Visit',
    benefitAmount: '10.50',
    benefitPercent: '0.2',
    quantityQualifierCode: 'VS',
    quantityQualifier: 'Visits',
    benefitQuantity: '3',
    authOrCertIndicator: 'Y',
    inPlanNetworkIndicatorCode: 'W',
    inPlanNetworkIndicator: 'Not Applicable',
    compositeMedicalProcedureIdentifier: {
      productOrServiceIDQualifierCode: 'HC',
      productOrServiceIDQualifier: expect.stringContaining('HCPCS'),
      procedureCode: '99213',
      procedureModifiers: ['25'],
      diagnosisCodePointer: ['1', '2'],
    },
  })
})

test('segments under a benefit have their own lists', () => {
  const row = `EB*F**33~HSD*VS*12*DA**29*1*A*D~REF*9F*R-1~REF*N6*N-1*HARBOR NETWORK~DTP*342*D8*20260101~MSG*CALL US~
III*ZZ*11~LS*2120~NM1*P3*1*HALE*NORA****XX*1999999984~N3*1 PIER~N4*PORTLAND*ME*04101~PER*IC*DESK*TE*2075550100~PRV*PC*PXC*207Q00000X~LE*2120~`
  const entity = {
    entityIdentifier: 'Primary Care Provider',
    entityType: 'Person',
    entityName: 'HALE',
    entityFirstname: 'NORA',
    entityIdentification: 'XX',
    entityIdentificationValue: '1999999984',
    address: { address1: '1 PIER', city: 'PORTLAND', state: 'ME', postalCode: '04101' },
    contactInformation: {
      name: 'DESK',
      contacts: [{ communicationMode: 'Telephone', communicationNumber: '2075550100' }],
    },
    providerInformation: { referenceIdentification: '207Q00000X' },
  }
  expect(benefitOf(row)).toMatchObject({
    benefitsServiceDelivery: [
      {
        quantityQualifierCode: 'VS',
        quantity: '12',
        unitForMeasurementQualifierCode: 'DA',
        timePeriodQualifierCode: '29',
        timePeriodQualifier: 'Remaining',
        numOfPeriods: '1',
        deliveryOrCalendarPatternQualifierCode: 'A',
        deliveryPatternTimeQualifier: 'A.M.',
      },
    ],
    benefitsAdditionalInformation: {
      referralNumber: 'R-1',
      planNetworkIdNumber: 'N-1',
      planNetworkDescription: 'HARBOR NETWORK',
    },
    benefitsDateInformation: { premiumPaidtoDateBegin: '20260101' },
    additionalInformation: [{ description: 'CALL US' }],
    eligibilityAdditionalInformationList: [{ codeListQualifierCode: 'ZZ', industryCode: '11', industry: 'Office' }],
    headerLoopIdentifierCode: '2120',
    trailerLoopIdentifierCode: '2120',
    benefitsRelatedEntity: entity,
    benefitsRelatedEntities: [entity],
  })
})

test('hospital stays are listed separately, and a range of a level as sent', () => {
  const row = 'EB*F**48~DTP*435*RD8*20260101-20260105~DTP*435*D8*20260301~DTP*096*D8*20260105~DTP*193*D8*20260101~'
  expect(benefitOf(row)).toMatchObject({
    benefitsDateInformation: {
      admission: '20260301',
      admissions: [{ startDate: '20260101', endDate: '20260105' }, { date: '20260301' }],
      discharge: '20260105',
      discharges: [{ date: '20260105' }],
      periodStart: '20260101',
    },
  })
})

test("a dependent's response does not have the subscriber's date of death", () => {
  const family = `${SUBSCRIBER}DTP*442*D8*20260101~DTP*346*D8*20200101~HL*4*3*23*0~NM1*03*1*MARLOWE*FINN~`
  expect(render('EB*1**30~', family).json).toHaveProperty('planDateInformation', { planBegin: '20200101' })
  expect(render('EB*1**30~', `${family}DTP*442*D8*20260201~`).json).toHaveProperty(
    'planDateInformation.dateOfDeath',
    '20260201',
  )
})

test('members are listed with role, relationship, military service and the ids that were sent', () => {
  const member = `${SUBSCRIBER.replace('TRACE-1*9ANTEROOM1', 'TRACE-1*9ANTEROOM1*DESK').replace('*MI*', '*II*')}
PRV*PC*PXC*207Q00000X~MPI*C*AO*A*FLEET*C2*RD8*20050101-20100101~REF*Q4*OLD-1~REF*SY*078051120~INS*Y*18*001*25~`
  const { json } = render('EB*R**30~LS*2120~NM1*IL*1*ROE*SAM****MI*X*41~PRV*PE~LE*2120~', member)
  expect(json).toMatchObject({
    subscriber: {
      memberId: 'NW-100200',
      uniqueHealthIdentifier: 'NW-100200',
      ssn: '078051120',
      insuredIndicator: 'Y',
      relationToSubscriberCode: '18',
      maintenanceTypeCode: '001',
      maintenanceReasonCode: '25',
      responseProvider: { providerCode: 'PC', referenceIdentification: '207Q00000X' },
      militaryServiceRankCode: 'C2',
      startDateTimePeriod: '20050101',
      endDateTimePeriod: '20100101',
    },
    subscriberTraceNumbers: [{ secondaryReferenceIdentification: 'DESK' }],
    planInformation: { priorIdNumber: 'OLD-1' },
    benefitsInformation: [
      { benefitsRelatedEntities: [{ entityRelationship: '41', providerInformation: { providerCode: 'PE' } }] },
    ],
  })
})

test('a dependent has no separate member id', () => {
  const { json } = render('EB*1**30~', `${SUBSCRIBER}HL*4*3*23*0~NM1*03*1*MARLOWE*FINN****MI*NW-9~`)
  expect((json as { dependents: object[] }).dependents[0]).not.toHaveProperty('memberId')
})

test('dental services have their names', () => {
  expect(benefitOf('EB*A**EF^V22~')).toMatchObject({ serviceTypes: ['Dental Prophylaxis', 'Basic'] })
})

test('unpublished codes are passed on without a name', () => {
  expect(benefitOf('EB*ZZ*QQ*ZQ*QQ**99*****Q~')).toEqual({
    code: 'ZZ',
    coverageLevelCode: 'QQ',
    serviceTypeCodes: ['ZQ'],
    serviceTypes: ['ZQ'],
    insuranceTypeCode: 'QQ',
    timeQualifierCode: '99',
    authOrCertIndicator: 'Q',
  })
})

test('errors are collected at the top and repeated at the rejected level', () => {
  const { json } = render(
    'EB*1**30~AAA*N**70*C~',
    `${SUBSCRIBER}HL*4*3*23*0~NM1*03*1*MARLOWE*FINN~INS*N*19~AAA*N**67*C~`,
  )
  expect(json).toMatchObject({
    errors: [
      { code: '67', location: 'Loop 2100D' },
      { code: '70', location: 'Loop 2110D' },
    ],
    dependents: [
      {
        firstName: 'FINN',
        relationToSubscriberCode: '19',
        relationToSubscriber: 'Child',
        aaaErrors: [{ code: '67' }, { code: '70' }],
      },
    ],
  })
  expect((json as { subscriber: object }).subscriber).not.toHaveProperty('aaaErrors')
})

test('a code that is the name of a built-in property is neither a key nor a name', () => {
  const member = SUBSCRIBER.replace('TRN*2', 'TRN*constructor')
  const { json } = render('EB*1**30~III*constructor*X~DTP*toString*D8*20260101~', `${member}REF*valueOf*X*Y~`)
  expect(JSON.stringify(json)).not.toContain('native code')
  expect(json).not.toHaveProperty('planInformation')
})

test('an answer without an interchange has its own control number, and no X12 is shown', () => {
  const interchange = answerText('EB*1**30~')
  const response = readAnswer(interchange)
  for (const raw of ['no interchange', JSON.stringify({ x12: interchange })]) {
    const rendered = stediResponse({ ...response, controlNumber: '77' }, response.patients[0]!, { raw })
    expect(rendered).toMatchObject({
      controlNumber: '77',
      benefitsInformation: [{ code: '1' }],
      meta: { traceId: 'REF-1' },
    })
    expect(rendered).not.toHaveProperty('x12')
  }
  const preceded = stediResponse(response, response.patients[0]!, {
    raw: `Content-Type: text/plain\r\n\r\n${interchange}`,
  })
  expect(preceded).toMatchObject({ controlNumber: '000000042', x12: expect.stringContaining(interchange) })
})
