import type pg from 'pg'
import { expect, it } from 'vitest'
import { commit, OutcomeUnknown } from './commit.ts'

/** A connection that the database accepts the transaction over, and that is lost with the commit. */
const lost = {
  query: async (text: string) => {
    if (text === 'commit') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    return { rows: [{ id: '1234' }] }
  },
} as unknown as pg.Client

it('a commit whose answer is lost is not called a failure while nobody can tell: what belongs to it would be removed', async () => {
  await expect(commit(lost, { host: '127.0.0.1', port: 1, user: 'a' }, 0)).rejects.toBeInstanceOf(OutcomeUnknown)
})
