// The whole interface: the token operation and every resource's, in the order of the documentation.

import { readFileSync } from 'node:fs'
import { issueToken } from './auth/token.routes.ts'
import type { Endpoint } from './http/endpoint.ts'
import { describeInterface, type OpenApiDocument } from './http/openapi.ts'
import { packageFile } from './package-root.ts'
import { vocabulary } from './resources/documentation.ts'
import { resources } from './resources/index.ts'

/** Every operation: whoever describes them needs nothing that stands behind them. */
export const endpoints: readonly Endpoint[] = [issueToken, ...resources.flat()]

/** The OpenAPI description of this program. */
export function describeProgram(): OpenApiDocument {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return describeInterface(endpoints, vocabulary(version))
}
