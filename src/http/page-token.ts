import { createHash } from 'node:crypto'
import type { Vault } from '../encryption.ts'
import { badRequest } from '../errors.ts'

/** Where a page begins: beside the row with this sort value and id, and what was counted on the first page. */
export interface PagePosition {
  direction: 'next' | 'prev'
  /** The boundary row's sort value as PostgreSQL's text; null where it has none. */
  value: string | null
  id: string
  total: number
}

/** What a token is good for: the organization, the operation, its filters and its sort. A page's size may change on the way. */
export type PageRequest = Record<string, unknown>

/** An opaque token, signed and bound to the request that it continues (rules.md 1.7). */
export function writePageToken(vault: Vault, request: PageRequest, position: PagePosition): string {
  const { direction, value, id, total } = position
  const text = Buffer.from(JSON.stringify([direction, value, id, total])).toString('base64url')
  return `${text}.${vault.sign(`${text}.${digest(request)}`)}`
}

/** @throws BadRequestError for a token that is malformed, changed, or was given for another request. */
export function readPageToken(vault: Vault, request: PageRequest, token: string): PagePosition {
  const [text = '', signature = ''] = token.split('.')
  if (!vault.isSigned(`${text}.${digest(request)}`, signature))
    throw badRequest('page_token does not belong to this request')
  const [direction, value, id, total] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  return { direction, value, id, total }
}

function digest(request: PageRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url')
}
