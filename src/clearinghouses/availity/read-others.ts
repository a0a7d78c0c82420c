// Other payers and contacts in Availity's Coverage as EB rows, and the parts that every row has.

import { emptyRow } from '../../x12/benefit-row.ts'
import { PAYER_ORDERS } from '../../x12/codes/entities.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { placeOfServiceNames } from '../../x12/codes/places-of-service.ts'
import { MEMBER_ID_REFERENCE } from '../../x12/codes/references.ts'
import type { BenefitRow, DatePeriod, ServiceDelivery } from '../../x12/model.ts'
import { type ReferenceKeys, referenceReader } from '../json-segments.ts'
import { type JsonObject, objectsOf, textOf, truthOf } from '../json-values.ts'
import { contactReferenceCodes, deliveryKeys, referenceCodes, referenceDescriptions } from './coverage-keys.ts'
import { codeReader, compactDay, notesOf, readPeriods, toPeriod } from './coverage-values.ts'
import { readContact, readInsured, readOtherPayer } from './read-parties.ts'

const payerTypeOf = codeReader('type', insuranceTypeNames)
const placeOf = codeReader('placeOfService', placeOfServiceNames)

/** An R row for each other payer, with `services` where the payer states none of its own. Source: 005010X279A1 2110C EB01. */
export function readPayers(list: unknown, services: string[]): BenefitRow[] {
  return objectsOf(list).map((json) => {
    const memberId = textOf(json.insuredMemberId)
    const service = textOf(json.serviceTypeCode)
    return {
      ...emptyRow('R', service === undefined ? services : [service]),
      insuranceType: payerTypeOf(json),
      planDescription: textOf(json.planName),
      references: [
        ...readReferences(json),
        ...(memberId === undefined ? [] : [{ qualifier: MEMBER_ID_REFERENCE, value: memberId }]),
      ],
      dates: [...readCoordination(json), ...readPeriods(json)],
      messages: notesOf(json),
      entities: [...readInsured(json), readOtherPayer(json)],
    }
  })
}

/** EB01 of a row that only names an entity, by NM101: the primary care provider, a managed care organization, any other. */
const contactCodes: Readonly<Record<string, string>> = { P3: 'L', Y2: 'MC' }

/** `dates` are those of the plan, which count for a contact without its own. */
export function readContacts(list: unknown, services: string[], dates: DatePeriod[] = []): BenefitRow[] {
  return objectsOf(list).flatMap((json) => {
    const party = readContact(json)
    // The place in the order of payers says who pays first without a name.
    if (party.lastName === undefined && !PAYER_ORDERS.has(party.entityCode)) return []
    const own = [...readCoordination(json), ...readCareDates(json), ...readPeriods(json)]
    const place = placeOf(json)
    return [
      {
        ...emptyRow(contactCodes[party.entityCode ?? ''] ?? 'U', services),
        authorizationIndicator: authorizationOf(json),
        deliveries: objectsOf(json.deliveryInformation).map(readDelivery),
        references: readContactReferences(json),
        dates: own.length > 0 ? own : dates,
        messages: notesOf(json),
        additionalInformation: place === undefined ? [] : [{ qualifier: 'ZZ', code: place }],
        entities: [party],
      },
    ]
  })
}

/** HSD. */
export function readDelivery(json: JsonObject): ServiceDelivery {
  const entries = Object.entries(deliveryKeys).map(([key, availityKey]) => [key, textOf(json[availityKey])])
  return Object.fromEntries(entries) as ServiceDelivery
}

/** DTP*295 of a primary care provider as a range. */
function readCareDates(json: JsonObject): DatePeriod[] {
  const [start, end] = [compactDay(json.primaryCareProviderStartDate), compactDay(json.primaryCareProviderEndDate)]
  return start === undefined ? [] : [toPeriod('295', start, end)]
}

/** DTP*290, of another payer, a contact or a detail. */
export function readCoordination(json: JsonObject): DatePeriod[] {
  const start = compactDay(json.coordinationOfBenefitsBeginDate) ?? compactDay(json.coordinationOfBenefitsDate)
  const end = compactDay(json.coordinationOfBenefitsEndDate)
  return start === undefined ? [] : [toPeriod('290', start, end)]
}

function keysOf(codes: Readonly<Record<string, string>>): ReferenceKeys {
  const descriptions = new Map(
    Object.entries(referenceDescriptions).map(([key, qualifier]) => [qualifier as string, key]),
  )
  return new Map(Object.entries(codes).map(([key, qualifier]) => [qualifier, [key, descriptions.get(qualifier)]]))
}

/** The REF segments of a plan, a payer or a detail; of a contact with its own keys. */
export const readReferences = referenceReader(keysOf(referenceCodes))
const readContactReferences = referenceReader(keysOf(contactReferenceCodes))

/** EB11: `Y`, `N`, or `U` where the payer states that it is not known. */
export function authorizationOf({
  authorizationRequired,
  authorizationRequiredUnknown,
}: JsonObject): string | undefined {
  if (truthOf(authorizationRequiredUnknown)) return 'U'
  const isRequired = truthOf(authorizationRequired)
  return isRequired === undefined ? undefined : isRequired ? 'Y' : 'N'
}
