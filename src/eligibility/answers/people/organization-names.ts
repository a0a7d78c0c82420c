// Comparison of the organizations in an answer: the same payer is spelled in several ways, and one answer may name thousands.
import type { Party } from '../../../x12/model.ts'
import { normalizeText } from './person.ts'

/** The legal form at the end of a name, which one side states and the other leaves out. */
const LEGAL_FORM = /(?:[\s,.]+(?:INC|INCORPORATED|LLC|L\.L\.C|CORP|CORPORATION|CO|COMPANY|LTD|LP|PLC))+[\s.]*$/i
const ARTICLE = /^\s*THE\s+/i

/** An organization's name and id in the form in which they are compared; empty when not stated. */
export interface OrganizationKeys {
  name: string
  id: string
}

/** A name without article, legal form, punctuation and case. Names longer than any payer's are compared as written. */
export function organizationKey(name: string | undefined): string {
  if (name === undefined || name.length > LONGEST_NAME) return name ?? ''
  return normalizeText(name.replace(ARTICLE, '').replace(LEGAL_FORM, '')) || normalizeText(name)
}

/** More than NM103 allows (60 characters). */
const LONGEST_NAME = 200

const known = new WeakMap<Party, OrganizationKeys>()

/** The keys of an organization of an answer, computed once. */
export function keysOf(party: Party): OrganizationKeys {
  const found = known.get(party)
  if (found) return found
  const keys = { name: organizationKey(party.lastName), id: normalizeText(party.id) }
  known.set(party, keys)
  return keys
}

/** True for equal names, or equal ids. */
export function isSameOrganization(one: OrganizationKeys, other: OrganizationKeys): boolean {
  return (one.name !== '' && one.name === other.name) || (one.id !== '' && one.id === other.id)
}
