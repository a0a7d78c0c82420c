import { expect, it } from 'vitest'
import { createPayerBreaker } from '../eligibility/checks/payer-breaker.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { createPayerLabels } from './measure.ts'
import { measureBreaker } from './measure-breaker.ts'

function measured() {
  let time = 1_000_000
  const metrics = createMetrics()
  const labels = createPayerLabels(async (id) => id === '60054')
  const breaker = measureBreaker(
    createPayerBreaker(() => time),
    metrics,
    labels,
  )
  const exported = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('anteroom_payer_breakers'))
  return { breaker, labels, exported, pass: (ms: number) => (time += ms) }
}
const learn = ({ labels }: ReturnType<typeof measured>, organizationId: string, name: string) =>
  labels.learn(organizationId, { name, kind: 'stedi', retryForMs: 1, clearinghouse: {} as never })
const line = (state: string, count: number, payer = '60054', connector = 'stedi') =>
  `anteroom_payer_breakers{connector="${connector}",payer="${payer}",state="${state}"} ${count}`

it('each breaker is exported in its state, from the first outage until the payer answers again', async () => {
  const service = measured()
  learn(service, 'org-1', 'our clearinghouse')
  await service.labels.find('60054')
  const payer = { organizationId: 'org-1', connection: 'our clearinghouse', payerId: '60054' }
  expect(await service.exported()).toEqual([])
  service.breaker.record(payer, 'outage', 2)
  expect(await service.exported()).toEqual([line('closed', 1)])
  service.breaker.record(payer, 'outage', 2)
  expect(await service.exported()).toEqual([line('closed', 0), line('open', 1)])
  service.pass(60_000)
  expect(await service.exported()).toEqual([line('closed', 0), line('open', 0), line('half_open', 1)])
  service.breaker.record(payer, 'answer', 2)
  expect(await service.exported()).toEqual([line('closed', 0), line('open', 0), line('half_open', 0)])
})

it('breakers of several organizations are counted, without labels of their connector names or of unknown payers', async () => {
  const service = measured()
  for (const organizationId of ['org-1', 'org-2']) {
    learn(service, organizationId, 'Rivera Clearing')
    for (const payerId of ['60054', 'RIVERA, ANA'])
      service.breaker.record({ organizationId, connection: 'Rivera Clearing', payerId }, 'outage', 1)
  }
  await Promise.all(['60054', 'RIVERA, ANA'].map(service.labels.find))
  service.breaker.record({ organizationId: 'org-3', connection: 'nobody knows', payerId: '60054' }, 'outage', 1)
  const exported = await service.exported()
  expect(exported.sort()).toEqual([line('open', 2), line('open', 2, 'other'), line('open', 1, '60054', 'other')].sort())
})

it('a payer that the directory lacks is looked up once for thousands of checks, and again after a failure', async () => {
  let lookups = 0
  const labels = createPayerLabels(async (id) => {
    lookups += 1
    if (id === 'fails') throw new Error('no connection')
    return false
  })
  for (let check = 0; check < 3; check++) expect(await labels.find('MY PAYER')).toBe('other')
  expect(lookups).toBe(1)
  for (let check = 0; check < 3; check++) expect(await labels.find('fails')).toBe('other')
  expect(lookups).toBe(4)
})
