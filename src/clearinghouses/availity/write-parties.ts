// Parties of a 271 as contacts and other payers in Availity's form.

import { textsOf } from '../../x12/benefit-row.ts'
import { entityNames, INSURED, THIRD_PARTY_ADMINISTRATOR } from '../../x12/codes/entities.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { MEMBER_ID_REFERENCE } from '../../x12/codes/references.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import type { BenefitRow, Party } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import type { JsonObject } from '../json-values.ts'
import { contactKeys, contactReferenceCodes, partyIdKeys, payerRanks } from './coverage-keys.ts'
import { present, writeInstant } from './coverage-values.ts'
import { writeDelivery } from './write-details.ts'
import { writeCoordination, writePeriods, writeReferences } from './write-periods-and-references.ts'

/** R rows, which have no other place: an entry for each party and service. */
export function writePayers(row: BenefitRow): JsonObject[] {
  const insured = row.entities.find(({ entityCode }) => entityCode === INSURED)
  const named = row.entities.filter((party) => party !== insured)
  // A payer of several services has an entry for each of them.
  const services = row.serviceTypeCodes.includes(PLAN_SERVICE) ? [PLAN_SERVICE] : row.serviceTypeCodes
  const parties = named.length > 0 ? named : [emptyParty()]
  return parties.flatMap((party) =>
    (services.length > 0 ? services : [undefined]).map((service) => {
      const rank = Object.entries(payerRanks).find(([, code]) => code === party.entityCode)?.[0]
      return present({
        name: fullName(party),
        payerId: party.id,
        ...(rank && { [rank]: true }),
        thirdPartyAdministrator: party.entityCode === THIRD_PARTY_ADMINISTRATOR ? 'true' : undefined,
        type: row.insuranceType && insuranceTypeNames[row.insuranceType],
        typeCode: row.insuranceType,
        planName: row.planDescription,
        serviceTypeCode: service,
        insuredFirstName: insured?.firstName,
        insuredMiddleName: insured?.middleName,
        insuredLastName: insured?.lastName,
        insuredMemberId: row.references.find(({ qualifier }) => qualifier === MEMBER_ID_REFERENCE)?.value,
        insuredAddress: insured && writeAddress(insured),
        insuredContactInformation: insured && writeNumbers(insured),
        ...writeCoordination(row),
        ...writeReferences(row.references),
        ...writePeriods(row.dates),
        address: writeAddress(party),
        contactInformation: writeNumbers(party),
        payerNotes: textsOf(row),
      })
    }),
  )
}

/** `row`: the row that only names this party, which has no other place in the form. */
export function writeContact(party: Party, row?: BenefitRow): JsonObject {
  const { entityCode, firstName, middleName, lastName, idQualifier = '', id, taxonomy } = party
  const keys: Readonly<Record<string, string>> = partyIdKeys
  const idKey = keys[idQualifier]
  return present({
    name: fullName(party),
    firstName,
    middleName,
    lastName,
    category: entityCode && entityNames[entityCode],
    categoryCode: entityCode,
    ...(idKey !== undefined && { [idKey]: id }),
    specialtyCode: taxonomy,
    address: writeAddress(party),
    contactInformation: writeNumbers(party),
    ...(row && writeRowOf(row)),
  })
}

function writeRowOf(row: BenefitRow): JsonObject {
  const care = row.dates.find(({ qualifier }) => qualifier === '295')
  return {
    authorizationRequired: { Y: true, N: false }[row.authorizationIndicator ?? ''],
    placeOfServiceCode: row.additionalInformation.find(({ qualifier }) => qualifier === 'ZZ')?.code,
    deliveryInformation: row.deliveries.map(writeDelivery),
    ...writeReferences(row.references, contactReferenceCodes),
    ...writeCoordination(row),
    ...(care?.end !== undefined && {
      primaryCareProviderStartDate: writeInstant(care.start),
      primaryCareProviderEndDate: writeInstant(care.end),
    }),
    ...writePeriods(row.dates),
    payerNotes: textsOf(row),
  }
}

const fullName = ({ firstName, middleName, lastName }: Party) =>
  [firstName, middleName, lastName].filter(Boolean).join(' ')

export function writeAddress({ address }: Party): JsonObject | undefined {
  if (!address) return undefined
  const { line1, line2, city, state, postalCode } = address
  return present({ line1, line2, city, state, stateCode: state, zipCode: postalCode })
}

/** A PER is one entry, and more where it has several numbers of a kind. */
function writeNumbers({ contacts }: Party): JsonObject[] {
  const keys: Readonly<Record<string, string>> = contactKeys
  return contacts.flatMap(({ name, numbers }) => {
    const entries: Record<string, string | undefined>[] = [{ name }]
    for (const { qualifier, value } of numbers) {
      // Availity has no key for an extension (EX); a number of an unknown kind is one to call.
      const key = keys[qualifier] ?? (qualifier === 'EX' ? undefined : contactKeys.TE)
      if (key === undefined) continue
      const free = entries.find((entry) => entry[key] === undefined)
      if (free) free[key] = value
      else entries.push({ name, [key]: value })
    }
    return entries.map(present)
  })
}
