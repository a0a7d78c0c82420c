// What the published client did in an acceptance test file: each address it called and how that was answered.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'

const folder = join(packageRoot, 'node_modules', '.cache', 'anteroom', 'acceptance')

/** One kind of call: `errorName` is absent for a success. */
export interface RecordedCall {
  method: string
  path: string
  errorName?: string
}

/** A `fetch` for the published client that keeps what went by; the calls of a file are written when its tests are over. */
export function recordingFetch(): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const path = new URL(input instanceof Request ? input.url : input).pathname
    const errorName = response.ok ? undefined : await errorNameOf(response.clone())
    calls.push({ method: init?.method ?? 'GET', path, ...(errorName !== undefined && { errorName }) })
    return response
  }
}

/** The calls of a test file in its last run. */
export function readRecordedCalls(testFile: string): RecordedCall[] {
  try {
    return JSON.parse(readFileSync(recordOf(testFile), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const calls: RecordedCall[] = []
const recordOf = (testFile: string) => join(folder, `${basename(testFile)}.json`)

async function errorNameOf(response: Response): Promise<string | undefined> {
  const body = (await response.json().catch(() => undefined)) as { errorName?: string } | undefined
  return body?.errorName
}

/** To be called where a test file begins to use the client. */
export function writeCallsAtTheEnd(): void {
  afterAll(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(recordOf(expect.getState().testPath ?? ''), JSON.stringify(calls))
  })
}
