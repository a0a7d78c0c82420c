// The shape of Stedi's eligibility JSON of version 3. Source: clearinghouse.md A2, A3; the published description.
import { benefitNames, networkNames } from '../../x12/codes/benefits.ts'
import { coverageLevelNames } from '../../x12/codes/coverage-levels.ts'
import { dateNames } from '../../x12/codes/dates.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { quantityQualifierNames } from '../../x12/codes/quantity-qualifiers.ts'
import { referenceNames } from '../../x12/codes/references.ts'
import {
  benefitDateSpellings,
  benefitReferenceKeys,
  militaryKeys,
  payerIdKeys,
  planDescriptionKeys,
  planReferenceSpellings,
  providerIdKeys,
} from '../../x12/codes/stedi-keys.ts'
import { timeQualifierNames } from '../../x12/codes/time-qualifiers.ts'
import { listOf, membersOf, objectWith, type Shape } from '../shape.ts'

const texts = (names: readonly (string | undefined)[]): Record<string, Shape> =>
  membersOf('text', names.filter(Boolean).join(' '))

const address = objectWith(
  membersOf('text', 'address1 address2 city state postalCode countryCode countrySubDivisionCode'),
)
const contactInformation = objectWith({
  name: 'text',
  contacts: listOf(
    objectWith({ communicationMode: 'code', communicationNumber: 'text' }, { alone: 'communicationNumber' }),
  ),
})
const specialty = objectWith(membersOf('text', 'providerCode referenceIdentification'), { alone: 'providerCode' })

const rejection = objectWith({
  ...membersOf('code', 'field code'),
  ...membersOf('text', 'followupAction location path'),
  ...membersOf('known', 'description possibleResolutions message'),
})
const rejections = listOf(rejection)

const named = {
  ...membersOf('code', 'entityIdentifier entityType'),
  ...membersOf('text', 'lastName firstName middleName suffix name'),
}

const payer = objectWith({
  ...named,
  ...texts(Object.values(payerIdKeys)),
  contactInformation,
  aaaErrors: rejections,
})

const provider = objectWith({
  ...named,
  ...texts(Object.values(providerIdKeys)),
  ...membersOf('text', 'providerOrgName providerName providerFirstName providerCode referenceIdentification'),
  address,
  aaaErrors: rejections,
})

const member = objectWith({
  ...named,
  ...membersOf('text', 'memberId groupNumber groupDescription planNumber planDescription planNetworkIdNumber'),
  ...membersOf('text', 'planNetworkDescription ssn birthSequenceNumber relationToSubscriber idCard'),
  ...membersOf('code', 'gender insuredIndicator relationToSubscriberCode maintenanceTypeCode maintenanceReasonCode'),
  dateOfBirth: 'day',
  healthCareDiagnosisCodes: listOf(objectWith(membersOf('code', 'diagnosisTypeCode diagnosisCode'))),
  ...texts(militaryKeys),
  ...membersOf('known', 'startDateTimePeriod endDateTimePeriod'),
  responseProvider: specialty,
  address,
  aaaErrors: rejections,
})

const relatedEntity = objectWith({
  ...named,
  ...membersOf('text', 'entityName entityLastname entityFirstname entityMiddlename entitySuffix'),
  ...membersOf('text', 'entityIdentificationValue'),
  ...membersOf('code', 'entityIdentification entityRelationship'),
  address,
  contactInformation,
  providerInformation: specialty,
})

const delivery = objectWith({
  ...membersOf('code', 'quantityQualifierCode unitForMeasurementQualifierCode unitForMeasurementCode'),
  ...membersOf('code', 'timePeriodQualifierCode deliveryOrCalendarPatternQualifierCode deliveryOrCalendarPatternCode'),
  ...membersOf('code', 'deliveryPatternTimeQualifierCode deliveryPatternTimeCode'),
  ...membersOf('count', 'quantity sampleSelectionModulus numOfPeriods'),
  ...membersOf('known', 'quantityQualifier unitForMeasurementQualifier timePeriodQualifier'),
  ...membersOf('known', 'deliveryOrCalendarPatternQualifier deliveryPatternTimeQualifier'),
})

const procedure = objectWith(
  {
    ...membersOf('code', 'productOrServiceIDQualifierCode procedureCode productOrServiceID'),
    ...membersOf('known', 'productOrServiceIDQualifier'),
    procedureModifiers: listOf('code'),
    diagnosisCodePointer: listOf('text'),
  },
  { alone: 'procedureCode' },
)

const information = objectWith({
  ...membersOf('code', 'codeListQualifierCode industryCode codeCategory'),
  ...membersOf('known', 'codeListQualifier industry'),
  injuredBodyPartName: 'text',
})

const dates = objectWith(
  membersOf('period', [...Object.values(dateNames), ...Object.values(benefitDateSpellings)].join(' ')),
)

const planReferences = objectWith(
  texts([
    ...Object.entries(referenceNames).map(([qualifier, name]) => planReferenceSpellings[qualifier] ?? name),
    ...Object.values(referenceNames),
    ...Object.values(planDescriptionKeys),
  ]),
)

const benefit = objectWith(
  {
    ...membersOf('code', 'code coverageLevelCode insuranceTypeCode timeQualifierCode quantityQualifierCode'),
    ...membersOf('code', 'authOrCertIndicator inPlanNetworkIndicatorCode headerLoopIdentifierCode'),
    ...membersOf('text', 'name coverageLevel insuranceType timeQualifier quantityQualifier inPlanNetworkIndicator'),
    ...membersOf('known', 'trailerLoopIdentifierCode'),
    planCoverage: 'text',
    serviceTypeCodes: listOf('code'),
    serviceTypes: listOf('text'),
    benefitAmount: 'amount',
    benefitPercent: 'percent',
    benefitQuantity: 'count',
    compositeMedicalProcedureIdentifier: procedure,
    benefitsServiceDelivery: listOf(delivery),
    benefitsAdditionalInformation: objectWith(
      texts(['medicaidRecepientIdNumber', ...[...benefitReferenceKeys.values()].flat()]),
    ),
    benefitsDateInformation: dates,
    additionalInformation: 'words',
    eligibilityAdditionalInformationList: listOf(information),
    eligibilityAdditionalInformation: information,
    benefitsRelatedEntities: listOf(relatedEntity),
    benefitsRelatedEntity: relatedEntity,
  },
  {
    hasParts: true,
    words: 'additionalInformation',
    alone: 'additionalInformation',
    choices: {
      code: { names: benefitNames, as: 'code', beside: 'name' },
      coverageLevelCode: { names: coverageLevelNames, as: 'code', beside: 'coverageLevel', isStrict: true },
      insuranceTypeCode: { names: insuranceTypeNames, as: 'code', beside: 'insuranceType' },
      timeQualifierCode: { names: timeQualifierNames, as: 'code', beside: 'timeQualifier', isStrict: true },
      quantityQualifierCode: { names: quantityQualifierNames, as: 'code', beside: 'quantityQualifier', isStrict: true },
      inPlanNetworkIndicatorCode: { names: networkNames, as: 'code', beside: 'inPlanNetworkIndicator', isStrict: true },
    },
  },
)

/** What the payer states. */
export const BENEFITS_ROWS = ['benefitsInformation', 'planStatus'] as const

/** `warnings` concern the request, unless they say that the answer is incomplete (`partial-answers.ts`). */
export const benefitsShape = objectWith({
  ...membersOf('text', 'controlNumber status code message'),
  ...membersOf('known', 'meta id eligibilitySearchId reassociationKey tradingPartnerServiceId tradingPartnerId x12'),
  ...membersOf('known', 'transactionSetAcknowledgement implementationTransactionSetSyntaxError warnings fieldList'),
  payer,
  provider,
  subscriber: member,
  dependents: listOf(member),
  subscriberTraceNumbers: listOf(
    objectWith(
      membersOf(
        'text',
        'traceTypeCode traceType referenceIdentification originatingCompanyIdentifier secondaryReferenceIdentification',
      ),
    ),
  ),
  planInformation: planReferences,
  planDateInformation: dates,
  planStatus: listOf(
    objectWith(
      {
        statusCode: 'code',
        ...membersOf('text', 'status planDetails'),
        serviceTypeCodes: listOf('code'),
        serviceTypes: listOf('text'),
      },
      { choices: { statusCode: { names: benefitNames, as: 'code', beside: 'status' } } },
    ),
  ),
  benefitsInformation: listOf(benefit),
  errors: rejections,
})
