// The parties of Availity's Coverage as NM1, N3, N4, PER and PRV: contacts, other payers and their insured. Source: the descriptions of
// HealthCareContact, Payer and Address in Availity's Coverages 1.0.0.
import { entityNames, INSURED, PAYER, THIRD_PARTY_ADMINISTRATOR } from '../../x12/codes/entities.ts'
import { PAYER_ID } from '../../x12/codes/identification.ts'
import type { Party, PostalAddress } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import { type JsonObject, objectOf, objectsOf, textOf, truthOf } from '../json-values.ts'
import { contactKeys, partyIdKeys, payerRanks } from './coverage-keys.ts'
import { codeReader, identified } from './coverage-values.ts'

const categoryOf = codeReader('category', entityNames)

/** A provider, an organization or another contact. */
export function readContact(json: JsonObject): Party {
  const firstName = textOf(json.firstName)
  return {
    ...emptyParty(),
    entityCode: categoryOf(json),
    entityType: firstName === undefined ? '2' : '1',
    lastName: textOf(json.lastName) ?? textOf(json.name),
    firstName,
    middleName: textOf(json.middleName),
    ...readPartyId(json),
    taxonomy: textOf(json.specialtyCode) ?? textOf(json.specialty),
    address: readAddress(json.address),
    contacts: readNumbers(json.contactInformation),
  }
}

/** The payer of an answer, or another one. */
export function readPayer(json: JsonObject): Party {
  return {
    ...emptyParty(),
    entityCode: PAYER,
    entityType: '2',
    lastName: textOf(json.responseName) ?? textOf(json.name),
    ...identified(PAYER_ID, textOf(json.responsePayerId) ?? textOf(json.payerId)),
  }
}

export function readOtherPayer(json: JsonObject): Party {
  const rank = Object.entries(payerRanks).find(([key]) => truthOf(json[key]))
  const isAdministrator = truthOf(json.thirdPartyAdministrator) === true
  return {
    ...readPayer(json),
    ...(isAdministrator && { entityCode: THIRD_PARTY_ADMINISTRATOR }),
    ...(rank && { entityCode: rank[1] }),
    address: readAddress(json.address),
    contacts: readNumbers(json.contactInformation),
  }
}

/** The insured of another payer, if one is named. */
export function readInsured(json: JsonObject): Party[] {
  const lastName = textOf(json.insuredLastName)
  if (lastName === undefined) return []
  return [
    {
      ...emptyParty(),
      entityCode: INSURED,
      entityType: '1',
      lastName,
      firstName: textOf(json.insuredFirstName),
      middleName: textOf(json.insuredMiddleName),
      address: readAddress(json.insuredAddress),
      contacts: readNumbers(json.insuredContactInformation),
    },
  ]
}

/** A name that one can call for a benefit. */
export function readBenefitContacts(list: unknown): Party[] {
  const contacts = readNumbers(list)
  return contacts.length === 0 ? [] : [{ ...emptyParty(), contacts }]
}

export function readAddress(value: unknown): PostalAddress | undefined {
  const json = objectOf(value)
  if (Object.keys(json).length === 0) return undefined
  return {
    line1: textOf(json.line1),
    line2: textOf(json.line2),
    city: textOf(json.city),
    state: textOf(json.stateCode) ?? textOf(json.state),
    postalCode: textOf(json.zipCode),
  }
}

function readPartyId(json: JsonObject): Pick<Party, 'idQualifier' | 'id'> {
  for (const [qualifier, key] of Object.entries(partyIdKeys)) {
    const id = textOf(json[key])
    if (id !== undefined) return identified(qualifier, id)
  }
  return {}
}

function readNumbers(list: unknown): Party['contacts'] {
  return objectsOf(list).flatMap((json) => {
    const name = textOf(json.name)
    const numbers = Object.entries(contactKeys).flatMap(([qualifier, key]) => {
      const value = textOf(json[key])
      return value === undefined ? [] : [{ qualifier, value }]
    })
    return numbers.length === 0 && name === undefined ? [] : [{ name, numbers }]
  })
}
