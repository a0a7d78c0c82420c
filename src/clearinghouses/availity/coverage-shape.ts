// The shape of Availity's Coverage. Source: clearinghouse.md C; the field descriptions of Availity's Coverages 1.0.0.
import { benefitNames } from '../../x12/codes/benefits.ts'
import { coverageLevelNames } from '../../x12/codes/coverage-levels.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { quantityQualifierNames } from '../../x12/codes/quantity-qualifiers.ts'
import { timeQualifierNames } from '../../x12/codes/time-qualifiers.ts'
import { type Choice, listOf, membersOf, type ObjectShape, objectWith, type Shape } from '../shape.ts'
import {
  amountCodes,
  contactKeys,
  contactReferenceCodes,
  dayCodes,
  deliveryKeys,
  detailCodes,
  networkCodes,
  partyIdKeys,
  payerRanks,
  periodCodes,
  referenceCodes,
  referenceDescriptions,
} from './coverage-keys.ts'

const texts = (names: readonly string[]): Record<string, Shape> => membersOf('text', names.join(' '))

const address = objectWith(membersOf('text', 'line1 line2 city state stateCode zipCode county country countryCode'))
const numbers = listOf(objectWith({ name: 'text', ...texts(Object.values(contactKeys)) }))

const days = membersOf(
  'day',
  [
    ...periodCodes.flatMap(({ start, end }) => [start, end]),
    ...Object.keys(dayCodes),
    'coordinationOfBenefitsBeginDate',
    'coordinationOfBenefitsDate',
    'coordinationOfBenefitsEndDate',
    'primaryCareProviderStartDate',
    'primaryCareProviderEndDate',
  ].join(' '),
)
const references = texts([...Object.keys(referenceCodes), ...Object.keys(referenceDescriptions)])
const contactReferences = texts([...Object.keys(contactReferenceCodes), ...Object.keys(referenceDescriptions)])

const delivery = objectWith(
  Object.fromEntries(
    Object.entries(deliveryKeys).map(([key, name]) => [
      name,
      key === 'quantity' || key === 'modulus' || key === 'periodCount' ? 'count' : 'code',
    ]),
  ),
)

const statusCode: Choice = { names: benefitNames, as: 'code', beside: 'status' }
const insuranceTypeCode: Choice = { names: insuranceTypeNames, as: 'code', beside: 'insuranceType' }
const ofStatus = { hasParts: true, words: 'payerNotes', choices: { statusCode, insuranceTypeCode } } as const

const common: Record<string, Shape> = {
  ...membersOf('code', 'statusCode insuranceTypeCode placeOfServiceCode'),
  ...membersOf('text', 'status insuranceType placeOfService planName description'),
  ...membersOf('truth', 'authorizationRequired authorizationRequiredUnknown'),
  deliveryInformation: listOf(delivery),
  ...references,
  ...days,
  payerNotes: 'words',
}

const contact = objectWith(
  {
    ...common,
    ...membersOf('text', 'name firstName middleName lastName category specialty specialtyCode'),
    categoryCode: 'code',
    ...texts(Object.values(partyIdKeys)),
    ...contactReferences,
    address,
    contactInformation: numbers,
  },
  { hasParts: true, words: 'payerNotes', alone: 'name' },
)

const otherPayer = objectWith(
  {
    ...common,
    ...membersOf('text', 'name payerId responseName responsePayerId type insuredFirstName insuredMiddleName'),
    ...membersOf('text', 'insuredLastName insuredMemberId'),
    ...membersOf('code', 'typeCode serviceTypeCode'),
    ...membersOf('truth', `${Object.keys(payerRanks).join(' ')} thirdPartyAdministrator`),
    insuredAddress: address,
    insuredContactInformation: numbers,
    address,
    contactInformation: numbers,
  },
  { hasParts: true, words: 'payerNotes', alone: 'name' },
)

const detail = objectWith(
  {
    ...common,
    ...membersOf('code', 'levelCode quantityQualifierCode amountTimePeriodCode totalTimePeriodCode'),
    ...membersOf('code', 'remainingTimePeriodCode'),
    ...membersOf('text', 'level quantityQualifier amountTimePeriod totalTimePeriod remainingTimePeriod units'),
    ...membersOf('figure', 'amount total remaining'),
    quantity: 'count',
    contacts: listOf(
      objectWith(
        { ...Object.fromEntries(contact.members), ...texts(Object.values(contactKeys)) },
        { hasParts: true, words: 'payerNotes', alone: 'name' },
      ),
    ),
  },
  {
    hasParts: true,
    words: 'payerNotes',
    alone: 'description',
    choices: {
      statusCode,
      insuranceTypeCode,
      levelCode: { names: coverageLevelNames, as: 'code', beside: 'level', isStrict: true },
      quantityQualifierCode: { names: quantityQualifierNames, as: 'code', beside: 'quantityQualifier', isStrict: true },
      amountTimePeriodCode: { names: timeQualifierNames, as: 'code', beside: 'amountTimePeriod', isStrict: true },
      totalTimePeriodCode: { names: timeQualifierNames, as: 'code', beside: 'totalTimePeriod', isStrict: true },
      remainingTimePeriodCode: { names: timeQualifierNames, as: 'code', beside: 'remainingTimePeriod', isStrict: true },
    },
  },
)
const networks = objectWith(Object.fromEntries(Object.keys(networkCodes).map((network) => [network, listOf(detail)])))
const details = Object.fromEntries(Object.keys(detailCodes).map((key) => [key, networks]))

const benefit = objectWith(
  {
    ...common,
    ...membersOf('text', 'name type source'),
    amounts: objectWith(Object.fromEntries(Object.keys(amountCodes).map((key) => [key, networks]))),
    ...details,
    statusDetails: networks,
    additionalPayers: listOf(otherPayer),
    contacts: listOf(contact),
  },
  { ...ofStatus, alone: 'name' },
)

const plan = objectWith(
  {
    ...common,
    ...details,
    benefits: listOf(benefit),
    additionalPayers: listOf(otherPayer),
    primaryCareProvider: contact,
    contacts: listOf(contact),
  },
  ofStatus,
)

const member = objectWith({
  ...membersOf('text', 'lastName firstName middleName suffix memberId gender subscriberRelationship ssn'),
  ...membersOf('code', 'genderCode subscriberRelationshipCode'),
  ...membersOf('day', 'birthDate deathDate'),
  updateYourRecords: 'truth',
  address,
})

/** What the payer states. */
export const COVERAGE_ROWS = ['plans'] as const

export const coverageShape: ObjectShape = objectWith({
  ...membersOf('code', 'statusCode'),
  ...membersOf('text', 'id status controlNumber'),
  ...membersOf('known', 'links createdDate updatedDate expirationDate customerId asOfDate toDate requestedServiceType'),
  ...membersOf('known', 'etaDate etagDate userMessage message'),
  payer: objectWith(membersOf('text', 'name payerId responseName responsePayerId')),
  requestingProvider: objectWith(membersOf('text', 'lastName firstName name npi')),
  subscriber: member,
  patient: member,
  plans: listOf(plan),
  validationMessages: listOf(objectWith({ field: 'text', code: 'code', errorMessage: 'text', index: 'known' })),
})
