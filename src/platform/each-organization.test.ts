import { describe, expect, it } from 'vitest'
import { forEachOrganization } from './each-organization.ts'
import { createMetrics } from './metrics/metrics.ts'

/** Works through these numbers of pieces; `fails` throws where an organization cannot be worked on. */
async function runOver(pieces: Record<string, number>, fails: (organizationId: string) => void = () => {}) {
  const left = { ...pieces }
  const order: string[] = []
  const logged: object[] = []
  const metrics = createMetrics()
  const piece = async (organizationId: string) => {
    order.push(organizationId)
    fails(organizationId)
    left[organizationId] = (left[organizationId] ?? 0) - 1
    return { done: 1, isMoreLeft: (left[organizationId] ?? 0) > 0 }
  }
  const log = { error: (fields: object) => logged.push(fields) }
  const run = { piece, work: 'messages', failure: 'not done' } as const
  const done = await forEachOrganization(Object.keys(pieces), run, { metrics, log: log as never }).catch(
    (error: Error) => error,
  )
  const counted = (await metrics.organizationFailures.get()).values.find(({ labels }) => labels.work === 'messages')
  return { done, order: order.join(' '), logged, failures: counted?.value }
}

const failingWith = (code: string, of: string[]) => (organizationId: string) => {
  if (of.includes(organizationId)) throw Object.assign(new Error('a value of a patient'), { code })
}

describe('work of each organization', () => {
  it('is done a piece at a time, in turns', async () => {
    expect(await runOver({ a: 3, b: 1, c: 2 })).toEqual({ done: 6, order: 'a b c a c a', logged: [], failures: 0 })
  })

  it.each(['22008', '57014', '55P03', '40P01'])(
    'goes on in the others where one fails with %s, logged without its message',
    async (code) => {
      expect(await runOver({ a: 2, b: 2 }, failingWith(code, ['a']))).toEqual({
        done: 2,
        order: 'a b b',
        logged: [expect.objectContaining({ organization: 'a', code })],
        failures: 1,
      })
    },
  )

  it.each(['57P01', '53100', '58030', '25006'])(
    'ends where the database is unavailable or unable (%s)',
    async (code) => {
      const { done, order, failures } = await runOver({ a: 2, b: 2 }, failingWith(code, ['a']))
      expect([done, order, failures]).toEqual([expect.any(Error), 'a', 0])
    },
  )

  it('counts every failure, and logs ten of a run', async () => {
    const names = Array.from({ length: 12 }, (_, place) => `o${place}`)
    const pieces = Object.fromEntries(names.map((name) => [name, 1]))
    const { logged, failures } = await runOver(pieces, failingWith('22008', names))
    expect([logged.length, failures]).toEqual([10, 12])
  })
})
