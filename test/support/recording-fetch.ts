import { expect } from 'vitest'
import { type AcceptanceCall, describedOperations, writeCalls } from './acceptance-calls.ts'

const operations = describedOperations()
/** By test file: files share this module (vitest.config.ts). */
const callsOf = new Map<string, Map<string, AcceptanceCall>>()

/** `fetch` for the published client: records the called operation and the errorName of its answer, if any. */
export async function recordingFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  const [input, init] = request
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  const operation = operations.find(({ matches }) => matches(init?.method ?? 'GET', pathname))?.operation
  if (operation) note({ operation, ...(!response.ok && { errorName: await errorNameOf(response.clone()) }) })
  return response
}

function note(call: AcceptanceCall): void {
  const file = expect.getState().testPath ?? ''
  const calls = callsOf.get(file) ?? new Map<string, AcceptanceCall>()
  callsOf.set(file, calls)
  const key = `${call.operation} ${call.errorName}`
  if (calls.has(key)) return
  calls.set(key, call)
  writeCalls(file, [...calls.values()])
}

async function errorNameOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => undefined)) as { errorName?: string } | undefined
  return body?.errorName ?? 'none'
}
