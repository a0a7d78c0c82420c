import { setTimeout as delay } from 'node:timers/promises'
import { eligibilityRequestBody } from '../test/support/bodies.ts'
import type { Client } from './processes.ts'

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 2000]

/** Seconds from sending a batch to its last answer. */
export async function runBatch({ server: { url }, headers }: Client, size: number): Promise<number> {
  const items = Array.from({ length: size }, (_, index) => {
    const request = eligibilityRequestBody()
    return { ...request, subscriber: { ...request.subscriber, member_id: `W${index}` } }
  })
  const body = JSON.stringify(items)
  const started = performance.now()
  const posted = await fetch(`${url}/eligibility-checks/v1/batch`, { method: 'POST', headers, body })
  const { batch_id } = (await posted.json()) as { batch_id: string }
  for (let answered = 0; ; ) {
    // A page of answers costs the service as much as answering some checks, so polling becomes more frequent only towards the end.
    const elapsedMs = performance.now() - started
    const leftMs = answered === 0 ? LONGEST_PAUSE_MS : (elapsedMs * (size - answered)) / answered
    await delay(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, leftMs / 2)))
    const polled = await fetch(`${url}/eligibility-checks/v1/batch/${batch_id}`, { headers })
    const page = (await polled.json()) as { total: number; items: { errors?: unknown }[] }
    answered = page.total
    if (page.items.some(({ errors }) => errors !== undefined)) throw new Error('a check ended with an error')
    if (answered === size) return (performance.now() - started) / 1000
  }
}
