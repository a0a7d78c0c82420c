// Combines the metrics of several processes. Counters must never decrease while the service runs, so the counts of an ended process are
// kept: Prometheus interprets a decrease as a restart from zero and counts the rest again. decisions/0061-metrics-of-several-processes.md
import type { Worker as Member } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricsSource } from './serve-metrics.ts'

type Reading = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Prometheus waits 10 s. A process that answers later counts with its last reading. */
const ANSWER_WITHIN_MS = 5_000

interface GatheredMetrics extends MetricsSource {
  /** Includes this process until it ends. It must already answer metrics questions. */
  add(member: Pick<Member, 'send' | 'on' | 'off' | 'once'>): void
}

/** For the supervisor. A scrape asks all processes at once, and waits `answerWithinMs` for the slowest. */
export function gatherMetrics(answerWithinMs = ANSWER_WITHIN_MS): GatheredMetrics {
  const latest = new Map<Parameters<GatheredMetrics['add']>[0], Reading>()
  let ended: Reading = []
  let questions = 0

  /** @returns false if it does not answer in time. */
  async function ask(member: Parameters<GatheredMetrics['add']>[0]): Promise<boolean> {
    const question = ++questions
    return new Promise((resolve) => {
      const finish = (isAnswered: boolean) => {
        clearTimeout(timer)
        member.off('message', onMessage)
        resolve(isAnswered)
      }
      const onMessage = (message: unknown) => {
        const { metricsAnswer, reading } = message as { metricsAnswer?: number; reading?: Reading }
        if (metricsAnswer !== question || reading === undefined) return
        // A process that has ended meanwhile is already counted among the ended ones.
        if (latest.has(member)) latest.set(member, withoutNull(reading))
        finish(true)
      }
      const timer = setTimeout(finish, answerWithinMs, false)
      member.on('message', onMessage)
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

/** Answers the metrics questions of the supervisor. */
export function answerMetricsQuestions(registry: Registry): void {
  process.on('message', async (message) => {
    const { metricsQuestion } = message as { metricsQuestion?: number }
    if (metricsQuestion === undefined) return
    // If the metrics cannot be read, there is no answer and the last reading counts.
    const reading = await registry.getMetricsAsJSON().catch(() => undefined)
    process.send?.({ metricsAnswer: metricsQuestion, reading })
  })
}

const sumOf = (readings: Reading[]) => AggregatorRegistry.aggregate(readings as never)

const isCumulative = (type: string) => type === 'counter' || type === 'histogram'

/** An unknown value is NaN, which messages between processes carry as null. */
const withoutNull = (reading: Reading) =>
  reading.map((metric) => ({
    ...metric,
    values: metric.values.map((each) => ({ ...each, value: each.value ?? Number.NaN })),
  })) as Reading
