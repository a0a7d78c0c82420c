// The merge search over two thousand merges, against an evaluation in memory.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, testService } from '../../../test/support/service.ts'
import { expectSame, walkPages } from '../../../test/support/walk-pages.ts'
import { createMany, deactivateMany } from '../../records/bulk.ts'
import { patientMerge } from './patient-merge.ts'

const service = testService()
const MERGES = 2000
/** The number of alternatives of one primary. */
const OF_ONE = 7
const SEED = 20_260_312

interface Known {
  id: string
  alternative: string
  primary: string
  isUndone: boolean
}

let caller: Caller
let known: Known[]

beforeAll(async () => {
  caller = await service.newCaller()
  const actor = { organizationId: caller.organizationId, userId: randomUUID() }
  const made = Array.from({ length: MERGES }, (_, index) => ({
    id: service.deps.newId(),
    alternative: `A${index}`,
    primary: `P${Math.floor(index / OF_ONE)}`,
    isUndone: index % 9 === 0,
  }))
  const bodies = made.map(({ id, alternative, primary }) => ({
    id,
    body: { alternative_patient_mrn: alternative, primary_patient_mrn: primary },
    events: [],
  }))
  await createMany(service.deps, patientMerge, actor, bodies)
  await deactivateMany(
    service.deps,
    patientMerge,
    actor,
    made.filter(({ isUndone }) => isUndone).map(({ id }) => id),
  )
  // Fifty were created at once, so the order of their ids decides among them.
  known = made
})

describe('the pages of a merge search', () => {
  it('equal those of a plain evaluation, forward and back', async () => {
    const mrn = fc.oneof(
      fc.nat({ max: MERGES }).map((index) => `A${index}`),
      fc.nat({ max: Math.ceil(MERGES / OF_ONE) }).map((index) => `P${index}`),
      fc.constantFrom('p1', '', "A1' or '1'='1", '李'),
    )
    const requests = fc.record({ mrns: fc.array(mrn, { maxLength: 300 }), limit: fc.integer({ min: 1, max: 1000 }) })
    await fc.assert(
      fc.asyncProperty(requests, async ({ mrns, limit: atMost }) => {
        const asked = new Set(mrns)
        const expected = known.filter(
          (each) => !each.isUndone && (asked.has(each.alternative) || asked.has(each.primary)),
        )
        const limit = Math.max(atMost, Math.ceil(expected.length / 6))
        const pages = await walkPages<{ id: string }>(async (page_token) => {
          const reply = await caller.call('POST', '/patient-merge/v1/search', {
            mrns,
            limit,
            ...(page_token && { page_token }),
          })
          expect(reply.status, reply.text).toBe(200)
          return reply.body
        })
        expectSame(
          pages.flatMap(({ items }) => items.map(({ id }) => id)),
          expected.map(({ id }) => id),
        )
        expect(pages.every(({ total }) => total === expected.length)).toBe(true)
      }),
      { seed: SEED, numRuns: 60 },
    )
  })
})
