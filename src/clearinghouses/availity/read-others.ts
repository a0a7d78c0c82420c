// Other payers and contacts in Availity's Coverage as EB rows, and the parts that every row has.

import { entityNames, INSURED, PAYER_ORDERS } from '../../x12/codes/entities.ts'
import { NPI } from '../../x12/codes/identification.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import type { BenefitRow, DatePeriod, Party, Reference } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import { readReference } from '../json-segments.ts'
import { type JsonObject, objectsOf, textOf, truthOf } from '../json-values.ts'
import { contactKeys, payerRanks, referenceCodes, referenceDescriptions } from './coverage-keys.ts'
import { codeReader, compactDay, identified, notesOf, readPeriods, toPeriod } from './coverage-values.ts'

const payerTypeOf = codeReader('type', insuranceTypeNames)
const categoryOf = codeReader('category', entityNames)

export function readPayer(json: JsonObject): Party {
  return {
    ...emptyParty(),
    entityCode: 'PR',
    entityType: '2',
    lastName: textOf(json.responseName) ?? textOf(json.name),
    ...identified('PI', textOf(json.responsePayerId) ?? textOf(json.payerId)),
  }
}

/** An R row for each other payer, with `services` where the payer states none of its own. Source: 005010X279A1 2110C EB01. */
export function readPayers(list: unknown, services: string[]): BenefitRow[] {
  return objectsOf(list).map((json) => {
    const rank = Object.entries(payerRanks).find(([key]) => truthOf(json[key]))
    const party: Party = {
      ...readPayer(json),
      ...(rank && { entityCode: rank[1] }),
      contacts: readNumbers(json.contactInformation),
    }
    const memberId = textOf(json.insuredMemberId)
    const service = textOf(json.serviceTypeCode)
    return {
      ...emptyRow('R', service === undefined ? services : [service]),
      insuranceType: payerTypeOf(json),
      planDescription: textOf(json.planName),
      references: [...readReferences(json), ...(memberId === undefined ? [] : [{ qualifier: '1W', value: memberId }])],
      dates: [...readCoordination(json), ...readPeriods(json)],
      messages: notesOf(json),
      entities: [...readInsured(json), party],
    }
  })
}

function readInsured(json: JsonObject): Party[] {
  const lastName = textOf(json.insuredLastName)
  const names = { lastName, firstName: textOf(json.insuredFirstName), middleName: textOf(json.insuredMiddleName) }
  return lastName === undefined ? [] : [{ ...emptyParty(), entityCode: INSURED, entityType: '1', ...names }]
}

/** EB01 of a row that only names an entity, by NM101: the primary care provider, a managed care organization, any other. */
const contactCodes: Readonly<Record<string, string>> = { P3: 'L', Y2: 'MC' }

/** `dates` are those of the plan, which count for a contact without its own. */
export function readContacts(list: unknown, services: string[], dates: DatePeriod[] = []): BenefitRow[] {
  return objectsOf(list).flatMap((json) => {
    const lastName = textOf(json.lastName) ?? textOf(json.name)
    const entityCode = categoryOf(json)
    // The place in the order of payers says who pays first without a name.
    if (lastName === undefined && !PAYER_ORDERS.has(entityCode)) return []
    const firstName = textOf(json.firstName)
    const own = readPeriods(json)
    const party: Party = {
      ...emptyParty(),
      entityCode,
      entityType: firstName === undefined ? '2' : '1',
      lastName,
      firstName,
      contacts: readNumbers(json.contactInformation),
      ...identified(NPI, textOf(json.npi)),
    }
    return [
      {
        ...emptyRow(contactCodes[entityCode ?? ''] ?? 'U', services),
        authorizationIndicator: authorizationOf(json),
        dates: own.length > 0 ? own : dates,
        messages: notesOf(json),
        entities: [party],
      },
    ]
  })
}

function readNumbers(list: unknown): Party['contacts'] {
  return objectsOf(list).flatMap((json) => {
    const numbers = Object.entries(contactKeys).flatMap(([qualifier, key]) => {
      const value = textOf(json[key])
      return value === undefined ? [] : [{ qualifier, value }]
    })
    return numbers.length === 0 ? [] : [{ name: textOf(json.name), numbers }]
  })
}

function readCoordination(json: JsonObject): DatePeriod[] {
  const start = compactDay(json.coordinationOfBenefitsBeginDate) ?? compactDay(json.coordinationOfBenefitsDate)
  const end = compactDay(json.coordinationOfBenefitsEndDate)
  return start === undefined ? [] : [toPeriod('290', start, end)]
}

/** The REF segments of a plan, a payer or a detail. */
export function readReferences(json: JsonObject): Reference[] {
  return Object.entries(referenceCodes).flatMap(([key, qualifier]) => {
    const describing = Object.entries(referenceDescriptions).find(([, described]) => described === qualifier)?.[0]
    return readReference(qualifier, json[key], describing && json[describing])
  })
}

/** EB11: `Y`, `N`, or `U` where the payer states that it is not known. */
export function authorizationOf({
  authorizationRequired,
  authorizationRequiredUnknown,
}: JsonObject): string | undefined {
  if (truthOf(authorizationRequiredUnknown)) return 'U'
  const isRequired = truthOf(authorizationRequired)
  return isRequired === undefined ? undefined : isRequired ? 'Y' : 'N'
}

/** A row of this EB01 for these services (EB03), with nothing below it. */
export function emptyRow(code: string, serviceTypeCodes: string[]): BenefitRow {
  return {
    code,
    serviceTypeCodes,
    deliveries: [],
    references: [],
    dates: [],
    messages: [],
    additionalInformation: [],
    entities: [],
    rejections: [],
  }
}
