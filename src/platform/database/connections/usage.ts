import type pg from 'pg'
import type { PoolUsage } from '../database.ts'
import type { FairConnect } from './connections.ts'

/** `fair` is how organizations share the pool, where they do. */
export const usageOf = (name: PoolUsage['pool'], pool: pg.Pool, fair?: FairConnect): PoolUsage => ({
  pool: name,
  total: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount + (fair?.waiting() ?? 0),
  max: pool.options.max,
})
