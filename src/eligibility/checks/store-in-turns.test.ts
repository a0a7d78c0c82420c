import { expect, test } from 'vitest'
import { turnsOf } from '../../../test/support/turns.ts'
import type { Deps } from '../../deps.ts'
import { type Answered, storeAnswers } from './check-store.ts'

const TOGETHER = 40

/** The turns that a group of answers of this length takes until PostgreSQL has its statement. */
function turnsToStore(characters: number): Promise<number> {
  const deps = {
    now: () => new Date(),
    vault: { encrypt: (text: string) => text },
    database: { rows: async () => [] },
  }
  const check = { id: '01a1fc1d-a51d-71d0-baa9-4bd4e756d543', organizationId: 'A', attempt: 1 }
  const outcome = { status: 'COMPLETED', errors: [], rawResponse: '~'.repeat(characters) }
  const answers = Array.from({ length: TOGETHER }, () => ({ check, outcome }) as unknown as Answered)
  return turnsOf(() => storeAnswers(deps as unknown as Deps, 'A', answers))
}

test('short answers are prepared for storing in few turns, so that answers to be read do not delay them, and large ones in one turn each', async () => {
  expect(await turnsToStore(5_000)).toBeLessThan(6)
  expect(await turnsToStore(100_000)).toBeGreaterThan(TOGETHER / 2)
})
