// Headers that state a condition for reading or replacing the bytes of an image. Source: RFC 9110 13.1, 14.5.
import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, preconditionFailed } from '../../contract/errors.ts'

const parts = (header: string) => header.split(',').map((part) => part.trim())

/** Whether If-None-Match names what is there. Tags are compared weakly, because a proxy may weaken them. Source: RFC 9110 13.1.2. */
export function isNamed(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false
  return parts(header).some((part) => part === '*' || part.replace(/^W\//, '') === etag)
}

/**
 * Checks the conditions of an upload; `etag` is that of the bytes that are there, undefined without any.
 * @throws BadRequestError for a part of an image, 412 when If-Match or If-None-Match does not hold.
 */
export function checkUpload(headers: IncomingHttpHeaders, etag: string | undefined): void {
  // A part would replace the whole.
  if (headers['content-range'] !== undefined) throw badRequest('Content-Range is not supported: send the whole image')
  checkIfMatch(headers, etag)
  if (isNamed(headers['if-none-match'], etag)) throw preconditionFailed('If-None-Match')
}

/** @throws 412 when If-Match does not name what is there. Weak tags never match. Source: RFC 9110 13.1.1. */
export function checkIfMatch({ 'if-match': header }: IncomingHttpHeaders, etag: string | undefined): void {
  if (header === undefined) return
  if (etag !== undefined && parts(header).some((part) => part === '*' || part === etag)) return
  throw preconditionFailed('If-Match')
}
