// Payer, provider, members and related entities of Stedi's JSON as the parties of a 271. Source: clearinghouse.md A2.

import { isObject } from '../../contract/is-object.ts'
import { contactModeNames } from '../../x12/codes/contacts.ts'
import { entityNames, entityTypeNames } from '../../x12/codes/entities.ts'
import { MEMBER_ID } from '../../x12/codes/identification.ts'
import { memberReferenceKeys, militaryKeys, payerIdKeys, providerIdKeys } from '../../x12/codes/stedi-keys.ts'
import type { Contact, Party, PostalAddress } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import { readId, referenceReader } from '../json-segments.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts'

/** 2100A. */
export function readPayer(json: JsonObject): Party {
  return {
    ...readNames(json),
    lastName: textOf(json.name) ?? textOf(json.lastName),
    ...readId(json, payerIdKeys),
    contacts: readContacts(json.contactInformation),
  }
}

/** 2100B. */
export function readProvider(json: JsonObject): Party {
  return {
    ...readNames(json),
    lastName: textOf(json.providerOrgName) ?? textOf(json.providerName),
    firstName: textOf(json.providerFirstName),
    ...readId(json, providerIdKeys),
    providerCode: textOf(json.providerCode),
    taxonomy: textOf(json.referenceIdentification),
    address: readAddress(json.address),
  }
}

/** 2100C or 2100D. A dependent has no separate member id in this form. */
export function readMember(json: JsonObject): Party {
  const memberId = textOf(json.memberId)
  const providerInformation = objectOf(json.responseProvider)
  return {
    ...readNames(json),
    ...(memberId !== undefined && { idQualifier: MEMBER_ID, id: memberId }),
    birthDate: textOf(json.dateOfBirth)?.replaceAll('-', ''),
    gender: textOf(json.gender),
    insuredIndicator: textOf(json.insuredIndicator),
    relationshipCode: textOf(json.relationToSubscriberCode),
    maintenanceTypeCode: textOf(json.maintenanceTypeCode),
    maintenanceReasonCode: textOf(json.maintenanceReasonCode),
    birthSequence: textOf(json.birthSequenceNumber),
    references: readMemberReferences(json),
    diagnoses: readDiagnoses(json.healthCareDiagnosisCodes),
    military: readMilitary(json),
    providerCode: textOf(providerInformation.providerCode),
    taxonomy: textOf(providerInformation.referenceIdentification),
    address: readAddress(json.address),
  }
}

/** 2120. */
export function readRelatedEntity(json: JsonObject): Party {
  const providerInformation = objectOf(json.providerInformation)
  return {
    ...readNames(json),
    lastName: textOf(json.entityName) ?? textOf(json.entityLastname),
    firstName: textOf(json.entityFirstname),
    middleName: textOf(json.entityMiddlename),
    suffix: textOf(json.entitySuffix),
    idQualifier: textOf(json.entityIdentification),
    id: textOf(json.entityIdentificationValue),
    relationship: textOf(json.entityRelationship),
    address: readAddress(json.address),
    contacts: readContacts(json.contactInformation),
    providerCode: textOf(providerInformation.providerCode),
    taxonomy: textOf(providerInformation.referenceIdentification),
  }
}

const readMemberReferences = referenceReader(memberReferenceKeys)

/** The code of each name: reverses a table of names by code. */
export function codesByName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const codes = new Map<string, string>()
  for (const [code, name] of Object.entries(names)) if (!codes.has(name)) codes.set(name, code)
  return codes
}

/** A function that reads the words of one table as codes. A value without a code is passed on unchanged: it may be a code itself. */
export function codeReader(words: Readonly<Record<string, string>>): (value: unknown) => string | undefined {
  const codes = codesByName(words)
  return (value) => {
    const word = textOf(value)
    return word === undefined ? undefined : (codes.get(word) ?? word)
  }
}

const readEntityCode = codeReader(entityNames)
const entityTypeCodes = codesByName(entityTypeNames)
const contactModeCodes = codesByName(contactModeNames)

function readNames(json: JsonObject): Party {
  const type = textOf(json.entityType)
  return {
    ...emptyParty(),
    entityCode: readEntityCode(json.entityIdentifier),
    entityType: type === undefined ? undefined : entityTypeCodes.get(type),
    lastName: textOf(json.lastName),
    firstName: textOf(json.firstName),
    middleName: textOf(json.middleName),
    suffix: textOf(json.suffix),
  }
}

function readAddress(value: unknown): PostalAddress | undefined {
  if (!isObject(value)) return undefined
  return {
    line1: textOf(value.address1),
    line2: textOf(value.address2),
    city: textOf(value.city),
    state: textOf(value.state),
    postalCode: textOf(value.postalCode),
    countryCode: textOf(value.countryCode),
    countrySubdivision: textOf(value.countrySubDivisionCode),
  }
}

function readContacts(value: unknown): Contact[] {
  if (!isObject(value)) return []
  const numbers = objectsOf(value.contacts).flatMap(({ communicationMode, communicationNumber }) => {
    const number = textOf(communicationNumber)
    const mode = textOf(communicationMode) ?? ''
    return number === undefined ? [] : [{ qualifier: contactModeCodes.get(mode) ?? mode, value: number }]
  })
  return [{ name: textOf(value.name), numbers }]
}

function readDiagnoses(value: unknown): Party['diagnoses'] {
  const diagnoses = objectsOf(value).map(({ diagnosisTypeCode, diagnosisCode }) => ({
    qualifier: textOf(diagnosisTypeCode) ?? '',
    code: textOf(diagnosisCode),
  }))
  return diagnoses.length > 0 ? diagnoses : undefined
}

function readMilitary(json: JsonObject): string[] | undefined {
  const elements = militaryKeys.map((key) => textOf(json[key]) ?? '')
  return elements.some((element) => element !== '') ? elements : undefined
}
