import { describe, expect, it } from 'vitest'
import { eligibilityRequestBody } from '../../../test/support/bodies.ts'
import { testService } from '../../../test/support/service.ts'

const service = testService()
const COUNT = 3000

const items = Array.from({ length: COUNT }, (_, index) => {
  const request = eligibilityRequestBody()
  return { ...request, subscriber: { ...request.subscriber, member_id: `W${index}` } }
})

const countOf = async (organizationId: string) => {
  const [row] = await service.database.rows(
    `select (select count(*) from eligibility_batch where organization_id = $1),
      (select count(distinct batch_index) from eligibility_check where organization_id = $1)`,
    [organizationId],
  )
  return row?.map(Number)
}

/** Counts the statements that store items of a batch, and fails the given one. */
async function countingStatements<T>(work: () => Promise<T>, failing?: number): Promise<{ result: T; count: number }> {
  const { database } = service.deps
  const { transaction } = database
  let count = 0
  database.transaction = (inside) =>
    transaction((own) =>
      inside({
        ...own,
        rows: async (statement, values) => {
          const isItems = typeof statement !== 'string' && statement.name === 'eligibility_batch_items'
          if (isItems && ++count === failing) throw new Error('the database is gone')
          return own.rows(statement, values)
        },
      }),
    )
  try {
    return { result: await work(), count }
  } finally {
    database.transaction = transaction
  }
}

describe('a batch that is too long for one statement', () => {
  it('is stored whole, in the order of its items', async () => {
    const caller = await service.newCaller()
    const { result, count } = await countingStatements(() => caller.call('POST', '/eligibility-checks/v1/batch', items))
    expect(result.status, result.text).toBe(200)
    expect(count).toBeGreaterThan(1)
    expect(await countOf(caller.organizationId)).toEqual([1, COUNT])
    const [row] = await service.database.rows(
      `select min(request #>> '{subscriber,member_id}') from eligibility_check where organization_id = $1 and batch_index = $2`,
      [caller.organizationId, COUNT - 1],
    )
    expect(row).toEqual([`W${COUNT - 1}`])
  })

  it('is not stored at all when one of its statements fails, and leaves no event', async () => {
    const caller = await service.newCaller()
    const { result } = await countingStatements(() => caller.call('POST', '/eligibility-checks/v1/batch', items), 2)
    expect(result.status).toBeGreaterThanOrEqual(500)
    expect(await countOf(caller.organizationId)).toEqual([0, 0])
    const left = await service.database.rows(
      `select 1 from audit_pending where organization_id = $1 and record_type = 'eligibility_batch'`,
      [caller.organizationId],
    )
    expect(left).toEqual([])
  })
})
