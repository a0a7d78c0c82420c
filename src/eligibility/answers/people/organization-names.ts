// Comparison of the organizations in an answer: the same payer is spelled in several ways, and one answer may name thousands.
import type { Party } from '../../../x12/model.ts'
import { normalizeText } from './person.ts'

/** The legal form at the end of a name, which one side states and the other leaves out. */
const LEGAL_FORM = /(?:[\s,.]+(?:INC|INCORPORATED|LLC|L\.L\.C|CORP|CORPORATION|CO|COMPANY|LTD|LP|PLC))+[\s.]*$/i
const ARTICLE = /^\s*THE\s+/i
/** Short for the same. */
const BLUE_CROSS = /\bBCBS\b|\bBLUE ?CROSS (?:AND|&) BLUE ?SHIELD\b/i

/** An organization's name and id in the form in which they are compared; empty when not stated. */
export interface OrganizationKeys {
  name: string
  id: string
}

/** A name without article, legal form, punctuation and case. Names longer than any payer's are compared as written. */
export function organizationKey(name: string | undefined): string {
  if (name === undefined || name.length > LONGEST_NAME) return name ?? ''
  const stated = name.replace(ARTICLE, '').replace(BLUE_CROSS, 'BLUE CROSS BLUE SHIELD')
  return normalizeText(stated.replace(LEGAL_FORM, '')) || normalizeText(name)
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

/** What the full name of an insurer adds to its short one, in the form of keys: Cigna Health and Life Insurance Company. */
const FULL_NAME = /^(?:AND|BENEFITS?|CORPORATION|GROUP|HEALTH|HEALTHCARE|INC|INSURANCE|LIFE|PLANS?|SERVICES?)+$/
/** Shorter names are words that other organizations have as well. */
const SHORTEST_NAME = 5

/** True for equal names, the short and the full name of an insurer, or equal ids. */
export function isSameOrganization(one: OrganizationKeys, other: OrganizationKeys): boolean {
  return isSameName(one.name, other.name) || (one.id !== '' && one.id === other.id)
}

function isSameName(one: string, other: string): boolean {
  if (one === other) return one !== ''
  const [short, full] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= SHORTEST_NAME && full.startsWith(short) && FULL_NAME.test(full.slice(short.length))
}
