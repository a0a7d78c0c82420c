// Addresses outside the United States, wherever a record has one. Source: rules.md 6, and the published description of the type Address.
import type { Static } from 'typebox'
import type { Address } from '../contract/common.schema.ts'
import { isBlank } from '../contract/invisible-characters.ts'
import type { RuleContext } from '../records/record.ts'
import { refuseNew } from './existing-values.ts'

/** The state code of an address outside the United States. */
const FOREIGN_STATE = 'FC'
const UNITED_STATES = new Set(['US', 'USA', 'UNITED STATES', 'UNITED STATES OF AMERICA'])

/** The addresses of a body by the paths that messages name. */
type Addresses = Record<string, Static<typeof Address> | undefined>

/** The addresses of a list: `addressesAt('addresses', [one, two])` has `addresses[0]` and `addresses[1]`. */
export function addressesAt(field: string, addresses: Static<typeof Address>[] = []): Addresses {
  return Object.fromEntries(addresses.map((address, index) => [`${field}[${index}]`, address]))
}

/** The addresses of each person in a list: `referrals[0].provider.addresses[1]`, where `part` is `.provider`. */
export function addressesOfEach(
  list: string,
  part: string,
  people: readonly { addresses?: Static<typeof Address>[] | undefined }[],
): Addresses {
  const each = people.map(({ addresses }, index) => addressesAt(`${list}[${index}]${part}.addresses`, addresses))
  return Object.assign({}, ...each)
}

/**
 * Only an address outside the United States may have an administrative area. @throws BadRequestError that names the first other one, unless
 * the replaced version has the same address there.
 */
export function refuseDomesticAreas<Body>(
  body: Body,
  context: RuleContext,
  addressesOf: (body: Body) => Addresses,
): Promise<void> {
  const domesticAreas = (each: Body) =>
    Object.fromEntries(Object.entries(addressesOf(each)).flatMap(([field, address]) => domesticArea(field, address)))
  return refuseNew(body, context, domesticAreas, {
    isWrong: () => true,
    must: `needs a country other than the US and state ${FOREIGN_STATE}`,
  })
}

function domesticArea(field: string, address: Addresses[string]): [string, string][] {
  if (address?.administrative_area === undefined) return []
  const { administrative_area: area, country, state } = address
  const isAbroad = state === FOREIGN_STATE && !isBlank(country) && !UNITED_STATES.has(country.trim().toUpperCase())
  return isAbroad ? [] : [[`${field}.administrative_area`, JSON.stringify([area, country, state])]]
}
