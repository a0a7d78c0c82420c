import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { eligibilityRequestBody } from '../test/support/bodies.ts'
import type { Client } from './processes.ts'

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 2000]

/** Says how many checks of a batch have no answer yet. */
export interface BatchWatch {
  unanswered(batchId: string): Promise<number>
  close(): Promise<void>
}

/**
 * Asks the database. A page of the batch costs the service as much as answering fifty checks, and a batch of 5,000 was polled some twenty
 * times until the last answer was seen: a fifth of what was measured.
 */
export async function watchBatches(dataDir: string): Promise<BatchWatch> {
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  const text = `select count(*) filter (where status = 'PENDING'), count(errors) from eligibility_check where batch_id = $1`
  return {
    async unanswered(batchId) {
      const [unanswered, errors] = (await database.systemDatabase.row({ text }, [batchId])) ?? []
      if (errors !== '0') throw new Error('a check ended with an error')
      return Number(unanswered)
    },
    async close() {
      await database.close()
      await embedded.stop()
    },
  }
}

/** Seconds from sending a batch until its last answer is stored. */
export async function runBatch({ server: { url }, headers }: Client, watch: BatchWatch, size: number): Promise<number> {
  const items = Array.from({ length: size }, (_, index) => {
    const request = eligibilityRequestBody()
    return { ...request, subscriber: { ...request.subscriber, member_id: `W${index}` } }
  })
  const body = JSON.stringify(items)
  const started = performance.now()
  const posted = await fetch(`${url}/eligibility-checks/v1/batch`, { method: 'POST', headers, body })
  const { batch_id } = (await posted.json()) as { batch_id: string }
  for (let answered = 0; ; ) {
    // Seldom at first, more often towards the end.
    const elapsedMs = performance.now() - started
    const leftMs = answered === 0 ? LONGEST_PAUSE_MS : (elapsedMs * (size - answered)) / answered
    await delay(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, leftMs / 2)))
    answered = size - (await watch.unanswered(batch_id))
    if (answered === size) return (performance.now() - started) / 1000
  }
}
