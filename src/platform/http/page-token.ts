import { badRequest } from '../../contract/errors.ts'
import type { Vault } from '../crypto/encryption.ts'

/** Where a page starts: after or before the row with this sort value and id, and the total from the first page. */
export interface PagePosition {
  direction: 'next' | 'prev'
  /** The boundary row's sort value as PostgreSQL's text; null when it has none. */
  value: string | null
  id: string
  total: number
}

/**
 * The request that a token is valid for: the organization, the operation, its filters and its sort. The page size may
 * change between pages.
 */
export type PageContext = Record<string, unknown>

/**
 * An opaque token, bound to the request that it continues (rules.md 1.7). It is encrypted because it occurs in URLs and
 * contains a patient's value.
 */
export function writePageToken(vault: Vault, request: PageContext, position: PagePosition): string {
  const { direction, value, id, total } = position
  return vault.writeToken(JSON.stringify([direction, value, id, total]), contextOf(request))
}

/** @throws BadRequestError for a token that is malformed, was altered, or was issued for another request. */
export function readPageToken(vault: Vault, request: PageContext, token: string): PagePosition {
  const text = vault.readToken(token, contextOf(request))
  if (text === undefined) throw badRequest('page_token does not belong to this request')
  const [direction, value, id, total] = JSON.parse(text)
  return { direction, value, id, total }
}

const contextOf = (request: PageContext) => JSON.stringify(['page token', request])
