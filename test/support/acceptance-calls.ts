// The operations that an acceptance test file called through the published client, passed from its test process to the reporter.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { OpenApiDocument } from '../../src/platform/http/documentation/openapi.ts'
import { packageFile } from '../../src/platform/package-root.ts'

export interface DescribedOperation {
  operation: string
  declaredErrors: string[]
  matches(method: string, path: string): boolean
}

/** Errors of every operation, which test/laws/access.test.ts and permissions.test.ts cause for each. */
export const OF_EVERY_OPERATION = ['UnauthorizedError', 'MissingScope', 'OtherError']

/** One kind of call: `errorName` is absent for a success. */
export interface AcceptanceCall {
  operation: string
  errorName?: string
}

/**
 * Every operation of the committed description that the published client has, without Anteroom's extensions: literal paths
 * before those with parameters, like the router.
 */
export function describedOperations(): DescribedOperation[] {
  const { paths }: OpenApiDocument = JSON.parse(readFileSync(packageFile('openapi.json'), 'utf8'))
  return Object.entries(paths)
    .sort(([a], [b]) => parametersIn(a) - parametersIn(b))
    .flatMap(([path, methods]) => {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
      return Object.entries(methods)
        .filter(([, described]) => !described['x-anteroom-extension'])
        .map(([method, { operationId, responses }]) => ({
          operation: operationId,
          declaredErrors: Object.values(responses)
            .flatMap((response) => ('$ref' in response ? (response.$ref.split('/').at(-1) ?? []) : []))
            .filter((name) => !OF_EVERY_OPERATION.includes(name)),
          matches: (asked, address) => asked === method.toUpperCase() && pattern.test(address),
        }))
    })
}

const parametersIn = (path: string) => path.split('{').length

export function writeCalls(testFile: string, calls: AcceptanceCall[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(recordOf(testFile), JSON.stringify(calls))
}

/** The calls of a test file in its last run. */
export function readCalls(testFile: string): AcceptanceCall[] {
  try {
    return JSON.parse(readFileSync(recordOf(testFile), 'utf8'))
  } catch {
    return []
  }
}

const folder = packageFile('node_modules', '.cache', 'anteroom', 'acceptance')
const recordOf = (testFile: string) => join(folder, `${basename(testFile)}.json`)
