import type pg from 'pg'
import type { PoolUsage } from './database.ts'

export const usageOf = (name: PoolUsage['pool'], pool: pg.Pool): PoolUsage => ({
  pool: name,
  total: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  max: pool.options.max,
})
