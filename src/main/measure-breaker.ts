import type { PayerBreaker } from '../eligibility/checks/payer-breaker.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { PayerLabels } from './measure.ts'

type Labels = 'connector' | 'payer' | 'state'

/**
 * Counts the refused inquiries, and exports how many breakers are in which state: there is one for each payer of each connector of an
 * organization that has had an outage. A series that was exported once is exported as 0 when its breakers have closed.
 */
export function measureBreaker(breaker: PayerBreaker, metrics: Metrics, labels: PayerLabels): PayerBreaker {
  const exported = new Map<string, Record<Labels, string>>()
  metrics.gauges<Labels>(
    {
      name: 'anteroom_payer_breakers',
      help: 'Circuit breakers of payers that do not answer, by state: open (not asked), half_open (the next check tries it), closed (still asked).',
      labels: ['connector', 'payer', 'state'],
      // Each process has its own breakers for the same payers.
      together: 'max',
    },
    () => {
      const counts = new Map([...exported.keys()].map((key) => [key, 0]))
      for (const { organizationId, connection, payerId, state } of breaker.states()) {
        const series = { connector: labels.connector(organizationId, connection), payer: labels.payer(payerId), state }
        const key = Object.values(series).join(' ')
        exported.set(key, series)
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      return [...exported].map(([key, series]) => [series, counts.get(key) ?? 0] as const)
    },
  )
  return {
    ...breaker,
    waitMs(payer) {
      const waitMs = breaker.waitMs(payer)
      if (waitMs > 0) metrics.breakerRefusals.inc()
      return waitMs
    },
  }
}
