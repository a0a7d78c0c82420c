// The complete interface: the token operation, the operations of all resources and those of sessions, in the order of
// the documentation.

import { sessionOperations } from '../platform/auth/session.routes.ts'
import { issueToken } from '../platform/auth/token.routes.ts'
import { describeInterface, type OpenApiDocument } from '../platform/http/documentation/openapi.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import { programVersion } from '../platform/package-root.ts'
import { endpointsOf, type Resource } from '../records/resource.ts'
import { vocabulary } from './documentation/texts.ts'
import { resources } from './resources.ts'

/** Every operation; describing them needs none of their dependencies. */
export const operationsOf = (served: readonly Resource[] = resources): readonly Endpoint[] => [
  issueToken,
  ...endpointsOf(served),
  ...sessionOperations,
]

/** The OpenAPI description of this program, or of one with other resources. */
export function describeProgram(served: readonly Resource[] = resources): OpenApiDocument {
  return describeInterface(operationsOf(served), vocabulary(programVersion(), served))
}
