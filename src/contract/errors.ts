// Every errorName of the interface, its status and its content, in one place. Handlers throw the errors that these
// factories build; `platform/http/error-handler.ts` renders them as {"errorName", "content"}. Messages name fields and records,
// never a patient's value. Source: rules.md 1.5, 1.6.

export type ErrorName =
  | 'BadRequestError'
  | 'UnauthorizedError'
  | 'NotFoundError'
  | 'MethodNotAllowedError'
  | 'VersionConflictError'
  | 'InvalidContentTypeError'
  | 'HttpRequestValidationError'
  | 'HttpRequestValidationsError'
  | 'DiagnosisNotFoundHTTPError'
  | 'DisallowMultiplePrimaryDiagnosisHTTPError'
  | 'ServiceLinesMustHaveAtLeastOneDiagnosisHTTPError'
  | 'TooManyRequestsError'
  | 'InternalError'

/** An unsuccessful response of the interface: status, envelope and headers. */
export class WireError extends Error {
  readonly status: number
  readonly errorName: ErrorName
  readonly content: unknown
  readonly headers: Record<string, string>

  constructor(
    status: number,
    errorName: ErrorName,
    content: { message: string } & Record<string, unknown>,
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(content.message, { cause: options.cause })
    this.status = status
    this.errorName = errorName
    this.content = content
    this.headers = options.headers ?? {}
  }
}

export const badRequest = (message: string, cause?: unknown) =>
  new WireError(400, 'BadRequestError', { message }, { cause })

export const unauthorized = (message: string) =>
  new WireError(401, 'UnauthorizedError', { message }, { headers: { 'www-authenticate': 'Bearer' } })

/** The token that was sent is malformed, unknown, expired or revoked. Source: RFC 6750 3.1. */
export const invalidToken = (message: string, cause?: unknown) =>
  new WireError(
    401,
    'UnauthorizedError',
    { message },
    { cause, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  )

/**
 * The token is valid, but its client lacks the scope. Source: RFC 6750 3.1; rules.md 1.5 (UnauthorizedError is 403).
 */
export const insufficientScope = (scope: string) =>
  new WireError(
    403,
    'UnauthorizedError',
    { message: `this client lacks the scope ${scope}` },
    { headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` } },
  )

/**
 * A signed URL that is invalid or has expired: an access token would not help. Source: rules.md 1.5 (UnauthorizedError
 * is 403).
 */
export const forbidden = (message: string) => new WireError(403, 'UnauthorizedError', { message })

/** `what` is the kind of record, never its id: to a caller, another organization's record does not exist. */
export const notFound = (what: string) => new WireError(404, 'NotFoundError', { message: `${what} not found` })

export const methodNotAllowed = (allowed: string[]) =>
  new WireError(
    405,
    'MethodNotAllowedError',
    { message: `this path supports ${allowed.join(', ')}` },
    { headers: { allow: allowed.join(', ') } },
  )

export const versionConflict = (latestVersion: number) =>
  new WireError(409, 'VersionConflictError', {
    message: `the record has changed since it was read: its latest version is ${latestVersion}`,
    latest_version: latestVersion,
  })

/** Whether a write was refused because the record, or the state that it requires, is another one. */
export const isVersionConflict = (error: unknown): boolean =>
  error instanceof WireError && error.errorName === 'VersionConflictError'

/** A uniqueness conflict: the same errorName as a stale version, without `latest_version`. Source: rules.md 1.4. */
export const alreadyInUse = (message: string, data?: unknown) =>
  new WireError(409, 'VersionConflictError', data === undefined ? { message } : { message, data })

/** The condition that this header states does not hold. Source: RFC 9110 15.5.13. */
export const preconditionFailed = (header: string) =>
  new WireError(412, 'VersionConflictError', { message: `the image is not as ${header} requires` })

export const payloadTooLarge = (limitBytes: number) =>
  new WireError(413, 'BadRequestError', { message: `the body is larger than ${limitBytes} bytes` })

/** The rest of the request is not waited for. */
export const requestTimeout = () =>
  new WireError(
    408,
    'BadRequestError',
    { message: 'the request took too long to arrive' },
    { headers: { connection: 'close' } },
  )

export const invalidContentType = (message: string) => new WireError(415, 'InvalidContentTypeError', { message })

/** A malformed body in the core group: an array of fields. Source: rules.md 1.5. */
export const invalidCoreRequest = (fieldName: string, humanReadableMessage: string) => {
  const error = new WireError(422, 'HttpRequestValidationsError', { message: humanReadableMessage })
  return Object.assign(error, { content: [{ fieldName, humanReadableMessage }] })
}

/** Unusable parameters of the pass-through: one field, not an array. Source: rules.md 5. */
export const invalidCoreField = (fieldName: string, humanReadableMessage: string) => {
  const error = new WireError(422, 'HttpRequestValidationError', { message: humanReadableMessage })
  return Object.assign(error, { content: { fieldName, humanReadableMessage } })
}

/** `diagnosisId` is the id from the path; it is left out when it is not a valid id. Source: rules.md 4. */
export const diagnosisNotFound = (diagnosisId?: string) =>
  new WireError(404, 'DiagnosisNotFoundHTTPError', {
    ...(diagnosisId !== undefined && { diagnosis_id: diagnosisId }),
    message: 'Diagnosis not found',
  })

/** An encounter has at most one principal diagnosis, and another diagnosis is it already. Source: rules.md 4. */
export const secondPrimaryDiagnosis = (existingId: string, newId: string) =>
  new WireError(422, 'DisallowMultiplePrimaryDiagnosisHTTPError', {
    existing_primary_diagnosis_id: existingId,
    new_primary_diagnosis_id: newId,
    message: 'the encounter already has a primary diagnosis (code_type ABK or BK)',
  })

export const tooManyRequests = (retryAfterSeconds: number) =>
  new WireError(
    429,
    'TooManyRequestsError',
    { message: `too many requests: try again in ${retryAfterSeconds} s` },
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  )

export const internal = (cause: unknown) =>
  new WireError(500, 'InternalError', { message: 'an internal error occurred; nothing was written' }, { cause })

export const unavailable = (message: string, cause?: unknown) =>
  new WireError(503, 'InternalError', { message }, { cause, headers: { 'retry-after': '1' } })

/** How long a call waits for a connection: the calls before it will hardly end sooner. */
const DATABASE_BUSY_SECONDS = 5

/** The database works, but the call's turn did not come: others hold the connections that it may use, mostly calls of the same organization. */
export const databaseBusy = (cause: unknown) =>
  new WireError(
    503,
    'InternalError',
    { message: 'too many calls are waiting for the database: send fewer at a time, and try again' },
    { cause, headers: { 'retry-after': String(DATABASE_BUSY_SECONDS) } },
  )

/**
 * The request was refused before it was read. Our choice: the one declared 5xx, which the published client retries by
 * its status. Source: rules.md 1.5.
 */
export const overloaded = () => unavailable('the server is overloaded: try again later')
