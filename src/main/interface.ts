// The whole interface: the token operation, every resource's and those of sessions, in the order of the documentation.

import { readFileSync } from 'node:fs'
import { sessionOperations } from '../platform/auth/session.routes.ts'
import { issueToken } from '../platform/auth/token.routes.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import { describeInterface, type OpenApiDocument } from '../platform/http/openapi.ts'
import { packageFile } from '../platform/package-root.ts'
import { endpointsOf, type Resource } from '../records/resource.ts'
import { vocabulary } from './documentation.ts'
import { resources } from './resources.ts'

/** Every operation: whoever describes them needs nothing that stands behind them. */
export const operationsOf = (served: readonly Resource[] = resources): readonly Endpoint[] => [
  issueToken,
  ...endpointsOf(served),
  ...sessionOperations,
]

/** The OpenAPI description of this program, or of one with other resources. */
export function describeProgram(served: readonly Resource[] = resources): OpenApiDocument {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return describeInterface(operationsOf(served), vocabulary(version, served))
}
