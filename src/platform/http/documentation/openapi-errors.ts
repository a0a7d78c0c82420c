// The errors that operations declare, for the API description. Source: rules.md 1.5; types.md.
import { type TSchema, Type } from 'typebox'
import {
  diagnosisNotFound,
  type ErrorName,
  insufficientScope,
  internal,
  methodNotAllowed,
  notFound,
  secondPrimaryDiagnosis,
  tooManyRequests,
  versionConflict,
} from '../../../contract/errors.ts'

export interface ErrorDescription {
  status: number
  description: string
  content: TSchema
  /** An example of `content`. */
  example: unknown
}

export const ErrorBase4Xx = Type.Object({ message: Type.String(), data: Type.Optional(Type.Unknown()) })
export const ErrorBase5Xx = Type.Object({ message: Type.String(), data: Type.Optional(Type.Unknown()) })
export const VersionConflictErrorBody = Type.Object({
  ...ErrorBase4Xx.properties,
  latest_version: Type.Optional(Type.Integer()),
})
export const RequestValidationError = Type.Object({
  fieldName: Type.String(),
  humanReadableMessage: Type.Optional(Type.String()),
})
export const DiagnosisNotFoundError = Type.Object({
  diagnosis_id: Type.Optional(Type.String({ format: 'uuid' })),
  message: Type.String(),
})
export const DisallowMultiplePrimaryDiagnosisError = Type.Object({
  existing_primary_diagnosis_id: Type.String({ format: 'uuid' }),
  new_primary_diagnosis_id: Type.String({ format: 'uuid' }),
  message: Type.String(),
})
export const ServiceLinesMustHaveAtLeastOneDiagnosisError = Type.Object({
  diagnosis_id: Type.String({ format: 'uuid' }),
  service_line_id: Type.String({ format: 'uuid' }),
  message: Type.String(),
})
export const TooManyRequestsErrorType = Type.Object({ message: Type.String() })
export const InvalidContentTypeErrorType = Type.Object({ message: Type.String() })

const DIAGNOSIS_ID = '0197a2c5-1a2f-7c00-8f44-7d6e5f4a3b2c'

/** The same name as a missing token, with another status (rules.md 1.5). */
export const missingScope: ErrorDescription = {
  status: 403,
  description: 'The client was not granted the scope of the operation, which the header `WWW-Authenticate` names.',
  content: ErrorBase4Xx,
  example: insufficientScope('patients:write').content,
}

export const errorDescriptions: Readonly<Record<ErrorName, ErrorDescription>> = {
  BadRequestError: {
    status: 400,
    description: 'The request breaks a rule of the operation; the message names the field.',
    content: ErrorBase4Xx,
    example: { message: 'birth_date must be a date that exists (YYYY-MM-DD)' },
  },
  UnauthorizedError: {
    status: 401,
    description: 'The access token is missing, malformed, expired or revoked.',
    content: ErrorBase4Xx,
    example: { message: 'send an access token: Authorization: Bearer <token>' },
  },
  NotFoundError: {
    status: 404,
    description: 'The organization of the token has no such record.',
    content: ErrorBase4Xx,
    example: notFound('Patient').content,
  },
  DiagnosisNotFoundHTTPError: {
    status: 404,
    description: 'There is no such diagnosis in the organization of the token.',
    content: DiagnosisNotFoundError,
    example: diagnosisNotFound(DIAGNOSIS_ID).content,
  },
  MethodNotAllowedError: {
    status: 405,
    description: 'The path supports other methods.',
    content: ErrorBase4Xx,
    example: methodNotAllowed(['GET', 'POST']).content,
  },
  VersionConflictError: {
    status: 409,
    description:
      'The version in the path is not the one that the write needs; `latest_version` is the current one. Also returned, without `latest_version`, for a value that must be unique and is in use.',
    content: VersionConflictErrorBody,
    example: versionConflict(3).content,
  },
  InvalidContentTypeError: {
    status: 415,
    description: 'The content type is missing or not one that the operation accepts.',
    content: InvalidContentTypeErrorType,
    example: { message: 'send application/json or application/x-www-form-urlencoded' },
  },
  HttpRequestValidationError: {
    status: 422,
    description: 'The request is not valid; one field is named.',
    content: RequestValidationError,
    example: { fieldName: 'body', humanReadableMessage: 'body must be JSON' },
  },
  HttpRequestValidationsError: {
    status: 422,
    description: 'The request is not valid; every entry names a field.',
    content: Type.Array(RequestValidationError),
    example: [{ fieldName: 'client_id', humanReadableMessage: 'client_id is required' }],
  },
  DisallowMultiplePrimaryDiagnosisHTTPError: {
    status: 422,
    description: 'The encounter already has a principal diagnosis.',
    content: DisallowMultiplePrimaryDiagnosisError,
    example: secondPrimaryDiagnosis('0197a2c5-2b40-7d10-9e55-8a7b6c5d4e3f', DIAGNOSIS_ID).content,
  },
  ServiceLinesMustHaveAtLeastOneDiagnosisHTTPError: {
    status: 422,
    description: 'A service line would be left without a diagnosis.',
    content: ServiceLinesMustHaveAtLeastOneDiagnosisError,
    example: {
      diagnosis_id: DIAGNOSIS_ID,
      service_line_id: '0197a2c5-9c3e-7f21-8d04-1a2b3c4d5e6f',
      message: 'a service line must have at least one diagnosis',
    },
  },
  TooManyRequestsError: {
    status: 429,
    description: 'Too many requests; the header `Retry-After` says when to try again.',
    content: TooManyRequestsErrorType,
    example: tooManyRequests(42).content,
  },
  InternalError: {
    status: 500,
    description: 'An internal error occurred; nothing was written, so the request can be retried.',
    content: ErrorBase5Xx,
    example: internal(undefined).content,
  },
}
