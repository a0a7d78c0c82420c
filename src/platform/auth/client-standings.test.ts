import { afterEach, expect, it, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { openClientStandings } from './client-standings.ts'

/** Within which a revocation takes effect in every process. Source: rules.md 2; decisions/0012. */
const PROMISED_MS = 10_000

afterEach(() => {
  vi.useRealTimers()
})

it('a revocation by another process is noticed within ten seconds, however often the client calls', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let isRevoked = false
  const row = async () => (isRevoked ? undefined : [null])
  const standings = openClientStandings({ rowByKey: row } as unknown as Database)
  expect(await standings.read('a client')).toBeDefined()
  isRevoked = true
  for (let passed = 0; passed < PROMISED_MS; passed += 100) {
    vi.advanceTimersByTime(100)
    await standings.read('a client')
  }
  expect(await standings.read('a client')).toBeUndefined()
  expect(standings.recall('a client')).toBeUndefined()
})
