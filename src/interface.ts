// The whole interface: the token operation and every resource's, in the order of the documentation.

import { readFileSync } from 'node:fs'
import { issueToken } from './auth/token.routes.ts'
import type { Deps } from './deps.ts'
import type { Endpoint } from './http/endpoint.ts'
import { describeInterface, type OpenApiDocument } from './http/openapi.ts'
import { packageFile } from './package-root.ts'
import { vocabulary } from './resources/documentation.ts'
import { resources } from './resources/index.ts'

/** The operations as declarations: there is nothing behind them, so their handlers must not be called. */
export function declareInterface(): Endpoint[] {
  const nothing = { config: {} } as Deps
  return [issueToken(nothing), ...resources.flatMap((resource) => resource(nothing))]
}

/** The OpenAPI description of this program. */
export function describeProgram(): OpenApiDocument {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return describeInterface(declareInterface(), vocabulary(version))
}
