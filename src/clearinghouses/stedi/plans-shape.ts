// The shape of Stedi's eligibility check of 2026-06-01. Source: its published description.
import { type Choice, listOf, membersOf, objectWith, type Shape } from '../shape.ts'
import {
  authorizationWords,
  benefitLists,
  benefitReferenceWords,
  contactLists,
  dateWords,
  deliveryQuantityWords,
  entityIdWords,
  frequencyWords,
  insuranceTypeWords,
  levelWords,
  memberReferenceWords,
  namedReferenceWords,
  networkWords,
  payerIdWords,
  periodWords,
  providerIdWords,
  providerReferenceWords,
  quantityWords,
} from './plan-names.ts'

const texts = (words: Readonly<Record<string, string>>): Record<string, Shape> =>
  membersOf('text', Object.values(words).join(' '))

const name = objectWith(
  { person: objectWith(membersOf('text', 'firstName lastName middleName suffix')), organization: 'text' },
  { alone: 'organization' },
)
const contacts = listOf(
  objectWith({
    name: 'text',
    ...Object.fromEntries(Object.values(contactLists).map((list) => [list, listOf('text')])),
  }),
)
const address = objectWith(
  membersOf('text', 'addressLine1 addressLine2 city state postalCode country countrySubdivision'),
)
const specialty = objectWith({ code: 'code', reference: 'text' }, { alone: 'code' })
const period = objectWith(membersOf('day', 'start end'), { alone: 'start' })
const dates = objectWith(Object.fromEntries([...dateWords.keys()].map((word) => [word, period])))
const namedReferences = Object.fromEntries(
  Object.values(namedReferenceWords).map((word) => [
    word,
    objectWith(membersOf('text', 'number name'), { alone: 'number' }),
  ]),
)

const payer = objectWith({ name, type: 'code', ...texts(payerIdWords), contacts })

const provider = objectWith({
  name,
  type: 'code',
  ...texts(providerIdWords),
  address,
  provider: specialty,
  additionalInformation: objectWith({
    stateLicense: objectWith(membersOf('text', 'number state'), { alone: 'number' }),
    ...namedReferences,
    ...texts(providerReferenceWords),
  }),
})

const member = objectWith({
  name,
  type: 'code',
  ...membersOf('text', 'memberId birthSequenceNumber'),
  ...membersOf('code', 'gender relationToSubscriber'),
  dateOfBirth: 'day',
  maintenance: objectWith({ indicator: 'code' }, { alone: 'indicator' }),
  address,
  provider: specialty,
  dates,
  additionalInformation: objectWith({ ...namedReferences, ...texts(memberReferenceWords) }),
})

const entity = objectWith({
  name,
  ...membersOf('code', 'type relationship'),
  ...texts(entityIdWords),
  address,
  provider: specialty,
  contacts,
})

/** `value` and `qualifier`, whose words differ by place. */
const counted = (names: Readonly<Record<string, string>>) =>
  objectWith(
    { value: 'count', qualifier: 'code' },
    { alone: 'value', choices: { qualifier: { names, as: 'name', isStrict: true } } },
  )
const bound = objectWith({ value: 'code' }, { alone: 'value' })

const choices: Readonly<Record<string, Choice>> = {
  coverageLevel: { names: levelWords, as: 'name', isStrict: true },
  insuranceType: { names: insuranceTypeWords, as: 'name' },
  priorAuthIndicator: { names: authorizationWords, as: 'name' },
  timePeriod: { names: periodWords, as: 'name', isStrict: true },
}

const entry = objectWith(
  {
    ...membersOf('code', 'status coverageLevel insuranceType priorAuthIndicator timePeriod'),
    network: objectWith(
      { indicator: 'code', id: 'text', description: 'text' },
      { alone: 'indicator', choices: { indicator: { names: networkWords, as: 'name', isStrict: true } } },
    ),
    service: objectWith(
      {
        ...membersOf('code', 'value system'),
        definition: 'text',
        range: objectWith({ start: bound, end: bound }),
      },
      { alone: 'value' },
    ),
    planCoverageDescription: 'text',
    amount: 'amount',
    percent: 'percent',
    quantity: counted(quantityWords),
    serviceLimits: listOf(
      objectWith({
        ...membersOf('count', 'ageMaximum ageMinimum'),
        delivery: objectWith({
          quantity: counted(deliveryQuantityWords),
          period: counted(periodWords),
          frequency: counted(frequencyWords),
          delivery: objectWith(membersOf('code', 'schedule pattern')),
        }),
      }),
    ),
    diagnosis: objectWith({
      codeSystem: 'known',
      codes: listOf(objectWith({ value: 'code' }, { alone: 'value' })),
    }),
    additionalInformation: objectWith({ ...namedReferences, ...texts(benefitReferenceWords) }),
    dates,
    messages: 'words',
    placesOfService: listOf(objectWith({ code: 'code', name: 'text' }, { alone: 'code' })),
    relatedEntities: listOf(entity),
    invalidReasons: 'known',
  },
  { hasParts: true, words: 'messages', alone: 'messages', choices },
)
const lists = Object.fromEntries(Object.values(benefitLists).map((list) => [list, listOf(entry)]))
const statuses = listOf(
  objectWith(Object.fromEntries(entry.members), { hasParts: true, words: 'messages', alone: 'status', choices }),
)

/** What the payer states. */
export const PLANS_ROWS = ['plans'] as const

/** `warnings` concern the request, unless they say that the answer is incomplete (`partial-answers.ts`). */
export const plansShape = objectWith({
  ...membersOf('text', 'payerId status code message'),
  ...membersOf('known', 'id eligibilitySearchId x12 warnings fieldList'),
  meta: objectWith({
    ...membersOf('known', 'traceId outboundTraceId applicationMode'),
    subscriberTraceNumbers: listOf(
      objectWith({
        type: 'code',
        ...membersOf('text', 'referenceIdentification originatingCompanyIdentifier secondaryReferenceIdentification'),
      }),
    ),
  }),
  payer,
  provider,
  subscriber: member,
  dependent: member,
  plans: listOf(
    objectWith(
      {
        name: 'text',
        benefits: objectWith({ statuses, ...lists, invalidEntries: objectWith({ statuses, ...lists }) }),
      },
      { hasParts: true },
    ),
  ),
  errors: listOf(
    objectWith({
      code: 'code',
      ...membersOf('text', 'followupAction path'),
      location: 'code',
      ...membersOf('known', 'description possibleResolutions message field'),
    }),
  ),
})
