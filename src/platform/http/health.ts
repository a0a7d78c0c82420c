import type { FastifyInstance } from 'fastify'
import { withTimeLimit } from '../with-time-limit.ts'

/**
 * The conditions for this process to receive traffic; each check throws or resolves to false when its condition does
 * not hold.
 */
type ReadinessChecks = Record<string, () => Promise<boolean>>

const CHECK_TIMEOUT_MS = 2_000
/** How often the checks run, regardless of the number of requests. */
const LOOK_EVERY_MS = 1_000

interface HealthOptions {
  /** Whether the start is complete: a port may be open before. */
  isStarted?: () => boolean
  nowMs?: () => number
}

/** `/healthz`: the process runs. `/readyz`: it can do its work, or 503 with the names of the failing checks. */
export function reportHealth(
  app: FastifyInstance,
  checks: ReadinessChecks,
  { isStarted = () => true, nowMs = () => performance.now() }: HealthOptions = {},
): void {
  const known = Object.entries(checks).map(([name, check]) => [name, lookNowAndThen(check, nowMs)] as const)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.get('/healthz', { logLevel: 'silent', config: { alwaysAnswers: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'silent', config: { alwaysAnswers: true } }, async (_request, reply) => {
    const results = await Promise.all(known.map(async ([name, look]) => [name, await look()] as const))
    const passing = results.every(([, ok]) => ok) ? 'ready' : 'not ready'
    const status = isClosing ? 'stopping' : isStarted() ? passing : 'starting'
    const state = Object.fromEntries(results.map(([name, ok]) => [name, ok ? 'ok' : 'failing']))
    return reply.code(status === 'ready' ? 200 : 503).send({ status, ...state })
  })
}

/**
 * The latest result while it is fresh, otherwise that of one new check, shared by all who wait. A check that hangs is
 * not repeated meanwhile.
 */
function lookNowAndThen(check: () => Promise<boolean>, nowMs: () => number): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLooking = false
  let latest = Promise.resolve(false)
  const look = async () => {
    isLooking = true
    try {
      return await check()
    } finally {
      isLooking = false
    }
  }
  return () => {
    if (!isLooking && nowMs() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = nowMs()
      latest = holds(look)
    }
    return latest
  }
}

async function holds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return (await withTimeLimit(CHECK_TIMEOUT_MS, check())) ?? false
  } catch {
    return false
  }
}
