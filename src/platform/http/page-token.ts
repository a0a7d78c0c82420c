import { badRequest } from '../../contract/errors.ts'
import type { Vault } from '../crypto/encryption.ts'

/** Where a page begins: beside the row with this sort value and id, and what was counted on the first page. */
export interface PagePosition {
  direction: 'next' | 'prev'
  /** The boundary row's sort value as PostgreSQL's text; null where it has none. */
  value: string | null
  id: string
  total: number
}

/** What a token is good for: the organization, the operation, its filters and its sort. A page's size may change on the way. */
export type PageContext = Record<string, unknown>

/** An opaque token, encrypted and bound to the request that it continues (rules.md 1.7): it stands in URLs, and its value is a patient's. */
export function writePageToken(vault: Vault, request: PageContext, position: PagePosition): string {
  const { direction, value, id, total } = position
  return vault.writeToken(JSON.stringify([direction, value, id, total]), contextOf(request))
}

/** @throws BadRequestError for a token that is malformed, changed, or was given for another request. */
export function readPageToken(vault: Vault, request: PageContext, token: string): PagePosition {
  const text = vault.readToken(token, contextOf(request))
  if (text === undefined) throw badRequest('page_token does not belong to this request')
  const [direction, value, id, total] = JSON.parse(text)
  return { direction, value, id, total }
}

const contextOf = (request: PageContext) => JSON.stringify(['page token', request])
