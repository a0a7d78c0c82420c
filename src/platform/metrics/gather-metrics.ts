// The metrics of several processes as those of one. Counters must never fall while the service runs, so what a process has counted stays
// counted when it ends: Prometheus would take a fall for a start from zero, and count everything again. decisions/0061-metrics-of-several-processes.md
import type { Worker as Member } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricsSource } from './serve-metrics.ts'

type Reading = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Prometheus waits 10 s. Of a process that is late the last reading counts. */
const ANSWER_WITHIN_MS = 5_000

export interface GatheredMetrics extends MetricsSource {
  /** Asks this process as well from now on, until it ends. It must listen by now. */
  add(member: Pick<Member, 'send' | 'on' | 'off' | 'once'>): void
}

export function gatherMetrics(answerWithinMs = ANSWER_WITHIN_MS): GatheredMetrics {
  const latest = new Map<Parameters<GatheredMetrics['add']>[0], Reading>()
  let ended: Reading = []
  let questions = 0

  /** @returns false when it does not answer in time. */
  async function ask(member: Parameters<GatheredMetrics['add']>[0]): Promise<boolean> {
    const question = ++questions
    return new Promise((resolve) => {
      const finish = (isAnswered: boolean) => {
        clearTimeout(timer)
        member.off('message', hear)
        resolve(isAnswered)
      }
      const hear = (message: unknown) => {
        const { metricsAnswer, reading } = message as { metricsAnswer?: number; reading?: Reading }
        if (metricsAnswer !== question || reading === undefined) return
        // A process that has ended meanwhile is among the ended ones.
        if (latest.has(member)) latest.set(member, withoutNull(reading))
        finish(true)
      }
      const timer = setTimeout(finish, answerWithinMs, false)
      member.on('message', hear)
      member.send({ metricsQuestion: question }, (error) => error && finish(false))
    })
  }

  return {
    contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
    add(member) {
      latest.set(member, [])
      member.once('exit', () => {
        const counted = (latest.get(member) ?? []).filter(({ type }) => isCumulative(String(type)))
        latest.delete(member)
        ended = sumOf([ended, counted]).getMetricsAsArray() as unknown as Reading
      })
    },
    async metrics() {
      await Promise.all([...latest.keys()].map(ask))
      return sumOf([...latest.values(), ended]).metrics()
    },
  }
}

/** Answers the process that gathers. */
export function tellMetrics(registry: Registry): void {
  process.on('message', async (message) => {
    const { metricsQuestion } = message as { metricsQuestion?: number }
    if (metricsQuestion === undefined) return
    // One that cannot be read is not answered: the last reading counts.
    const reading = await registry.getMetricsAsJSON().catch(() => undefined)
    process.send?.({ metricsAnswer: metricsQuestion, reading })
  })
}

const sumOf = (readings: Reading[]) => AggregatorRegistry.aggregate(readings as never)

const isCumulative = (type: string) => type === 'counter' || type === 'histogram'

/** What is not known is NaN, which a message between processes has no number for. */
const withoutNull = (reading: Reading) =>
  reading.map((metric) => ({
    ...metric,
    values: metric.values.map((each) => ({ ...each, value: each.value ?? Number.NaN })),
  })) as Reading
