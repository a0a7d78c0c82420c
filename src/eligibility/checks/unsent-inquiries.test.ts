import { expect, test } from 'vitest'
import { ClearinghouseError } from '../../clearinghouses/clearinghouse.ts'
import type { Connection } from '../../clearinghouses/clearinghouses.ts'
import type { Deps } from '../../deps.ts'
import { ask } from './answer-check.ts'
import type { OpenCheck } from './check-store.ts'
import { createPayerBreaker } from './payer-breaker.ts'

const asked = {
  payerId: '60054',
  provider: { npi: '1999999984' },
  subscriber: { firstName: 'ANA', lastName: 'RIVERA', memberId: 'M1' },
  dateOfService: '2026-06-15',
  serviceTypeCodes: ['30'],
}
const check = {
  id: '01a1fc1d-a51d-71d0-baa9-4bd4e756d543',
  organizationId: 'A',
  controlNumber: 1,
  asked,
} as unknown as OpenCheck

/** How long the payer is left alone after three failures of this kind. */
async function pauseAfterThree(failure: { isOurs?: boolean }): Promise<number> {
  const breaker = createPayerBreaker(() => 0)
  const deps = { breaker, config: {}, database: {}, now: () => new Date() } as unknown as Deps
  const checkEligibility = () => Promise.reject(new ClearinghouseError('', { code: 'X', retryable: true, ...failure }))
  const connection = { name: 'ours', clearinghouse: { name: 'core', checkEligibility }, breakAfter: 3 }
  for (let count = 0; count < 3; count++) {
    const { signal } = new AbortController()
    await ask(deps, check, { connection: connection as unknown as Connection, signal, attempts: 1 })
  }
  return breaker.waitMs({ organizationId: 'A', connection: 'ours', payerId: asked.payerId })
}

test('a payer is not paused because of inquiries that waited for a place behind another payer and were never sent', async () => {
  expect(await pauseAfterThree({ isOurs: true })).toBe(0)
  expect(await pauseAfterThree({})).toBe(30_000)
})
