import { isServiceTypeCode, type ServiceTypeCode } from '../../../contract/wire-codes.ts'
import { contactModeNames } from '../../../x12/codes/contacts.ts'
import { entityNames, entityTypeNames } from '../../../x12/codes/entities.ts'
import { EMPLOYER_ID, NPI, PAYER_ID, PLAN_ID, TAX_ID } from '../../../x12/codes/identification.ts'
import type { BenefitRow, Party, PostalAddress } from '../../../x12/model.ts'
import type { BenefitsRelatedEntity, RelatedEntityContact } from '../wire.ts'

/** Each is listed with all services of its row, so hostile input could grow a hundredfold. Real answers name some dozens. */
const ENTITIES_MAX = 1_000

/**
 * The parties that the payer names with a benefit (2120): primary care provider, other payers, contacts. Each once, in file order; codes
 * without a name are passed on. Source: 005010X279A1 2120C, x12-271.md 7.
 */
export function findRelatedEntities(rows: readonly BenefitRow[]): {
  entities: BenefitsRelatedEntity[]
  areMore: boolean
} {
  const entities = new Map<string, BenefitsRelatedEntity>()
  for (const row of rows) {
    if (row.entities.length === 0) continue
    const serviceTypeCodes = knownServiceTypeCodes(row)
    for (const party of row.entities) {
      const entity = describeEntity(party)
      if (Object.keys(entity).length === 0) continue
      if (serviceTypeCodes.length > 0) entity.serviceTypeCodes = serviceTypeCodes
      entities.set(JSON.stringify(entity), entity)
      if (entities.size > ENTITIES_MAX) return { entities: [...entities.values()].slice(0, -1), areMore: true }
    }
  }
  return { entities: [...entities.values()], areMore: false }
}

/** EB03 without repetitions and without codes that the interface does not define. */
export function knownServiceTypeCodes(row: BenefitRow): ServiceTypeCode[] {
  const codes = row.serviceTypeCodes.filter(isServiceTypeCode)
  return codes.length > 1 ? [...new Set(codes)] : codes
}

/** An organization's NM103, a person's names in reading order; undefined when there is none. */
export function fullName(party: Party): string | undefined {
  if (party.entityType === '2' && party.lastName !== undefined) return party.lastName
  const parts = [party.firstName, party.middleName, party.lastName, party.suffix]
  return parts.filter((part) => part !== undefined && part !== '').join(' ') || undefined
}

/** NM102 in the clearinghouse's words. */
export function entityTypeName(party: Party): string | undefined {
  return party.entityType === undefined ? undefined : entityTypeNames[party.entityType]
}

/** NM101 in words; the code itself when it has no name. */
export function entityIdentifierName(party: Party): string | undefined {
  return party.entityCode === undefined ? undefined : (entityNames[party.entityCode] ?? party.entityCode)
}

/** PER03, PER05 and PER07 in words; the code itself when it has no name. */
export function contactModeName(qualifier: string): string {
  return contactModeNames[qualifier] ?? qualifier
}

/** A party with everything that is known of it: its id, its address, and whom to reach by which number. */
export function describeParty(party: Party): string {
  return [nameParty(party), describeReach(party)].filter(Boolean).join(', ')
}

/** Everything known of a party except its name: its id, its address, and whom to reach by which number. */
export function describeReach({ idQualifier, id, taxonomy, address, contacts }: Party): string {
  const reached = contacts.flatMap(({ name, numbers }) => [
    name,
    ...numbers.map(({ qualifier, value }) => `${contactModeName(qualifier)} ${value}`),
  ])
  return [
    id && [ID_WORDS.get(idQualifier), id].filter(Boolean).join(' '),
    taxonomy && `${SPECIALTY} ${taxonomy}`,
    address && describeAddress(address),
    ...reached,
  ]
    .filter(Boolean)
    .join(', ')
}

/** What an id is, so that it is not read as the first number of an address. */
const ID_WORDS: ReadonlyMap<string | undefined, string> = new Map([
  [NPI, 'NPI'],
  [PAYER_ID, 'payer ID'],
  [PLAN_ID, 'plan ID'],
  [TAX_ID, 'tax ID'],
  [EMPLOYER_ID, 'tax ID'],
])

/** A provider under a figure: a kind of provider has a specialty in place of a name. */
export function nameProvider(party: Party): string {
  const specialty =
    party.taxonomy !== undefined && fullName(party) === undefined ? `${SPECIALTY} ${party.taxonomy}` : ''
  return [nameParty(party), specialty].filter(Boolean).join(', ')
}

/** PRV03. */
const SPECIALTY = 'taxonomy'

/** `Primary Care Provider AMY JONES`. */
export function nameParty(party: Party): string {
  return [entityIdentifierName(party), fullName(party)].filter(Boolean).join(' ')
}

/** True when more is known of a party than `BenefitsRelatedEntity` has a field for. */
export function isMoreThanEntity({ id, taxonomy, address, contacts }: Party): boolean {
  return [id, taxonomy, address].some((part) => part !== undefined) || contacts.some(({ name }) => name !== undefined)
}

function describeAddress(address: PostalAddress): string {
  const { line1, line2, city, state, postalCode, countryCode, countrySubdivision } = address
  const place = [state, postalCode, countrySubdivision, countryCode].filter(Boolean).join(' ')
  return [line1, line2, city, place].filter(Boolean).join(', ')
}

function describeEntity(party: Party): BenefitsRelatedEntity {
  const entity: BenefitsRelatedEntity = {}
  const identifier = entityIdentifierName(party)
  const type = entityTypeName(party)
  const name = fullName(party)
  const contacts = party.contacts.flatMap(({ numbers }) => numbers.map(toContact))
  if (identifier !== undefined) entity.entityIdentifier = identifier
  if (type !== undefined) entity.entityType = type
  if (name !== undefined) entity.entityName = name
  if (contacts.length > 0) entity.contactInformation = contacts
  return entity
}

function toContact({ qualifier, value }: { qualifier: string; value: string }): RelatedEntityContact {
  return qualifier === '' ? { value } : { mode: contactModeName(qualifier), value }
}
