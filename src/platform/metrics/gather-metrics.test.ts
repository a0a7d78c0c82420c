import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { gatherMetrics } from './gather-metrics.ts'
import { createMetrics } from './metrics.ts'

/** A process that answers like answerMetricsQuestions, through JSON like node:cluster. */
function member(backlog: number | undefined, { isLate = false } = {}) {
  const metrics = createMetrics()
  metrics.gauge({ name: 'anteroom_backlog', help: 'x', together: 'first' }, () => backlog)
  metrics.gauge({ name: 'anteroom_listeners', help: 'x' }, () => 2)
  const events = new EventEmitter()
  const state = { isLate }
  return Object.assign(events, {
    state,
    count: (times: number) => metrics.requests.inc({ operation: 'patients.get', status: '200' }, times),
    time: (seconds: number) => metrics.requestSeconds.observe({ operation: 'patients.get' }, seconds),
    send({ metricsQuestion }: { metricsQuestion: number }) {
      if (state.isLate) return true
      metrics.registry.getMetricsAsJSON().then((reading) => {
        events.emit('message', JSON.parse(JSON.stringify({ metricsAnswer: metricsQuestion, reading })))
      })
      return true
    },
  })
}

const linesOf = async (gathered: ReturnType<typeof gatherMetrics>) => (await gathered.metrics()).split('\n')
const REQUESTS = 'anteroom_http_requests_total{operation="patients.get",status="200"}'

it('the counts of several processes are added up, and values from their common database are reported once', async () => {
  const gathered = gatherMetrics()
  const members = [member(7), member(7)]
  for (const each of members) gathered.add(each as never)
  members[0]?.count(3)
  members[1]?.count(4)
  members[0]?.time(0.003)
  members[1]?.time(2)
  const lines = await linesOf(gathered)
  expect(lines).toContain(`${REQUESTS} 7`)
  expect(lines).toContain('anteroom_backlog 7')
  expect(lines).toContain('anteroom_listeners 4')
  expect(lines).toContain('anteroom_http_request_duration_seconds_count{operation="patients.get"} 2')
  expect(lines).toContain('anteroom_http_request_duration_seconds_bucket{le="0.005",operation="patients.get"} 1')
})

it('the counters of ended processes are kept, and their gauges are dropped', async () => {
  const gathered = gatherMetrics()
  const lasting = member(1)
  gathered.add(lasting as never)
  lasting.count(1)
  for (let turn = 1; turn <= 3; turn++) {
    const mortal = member(1)
    gathered.add(mortal as never)
    mortal.count(10)
    mortal.time(0.003)
    expect(await linesOf(gathered)).toContain(`${REQUESTS} ${1 + 10 * turn}`)
    mortal.emit('exit')
    const lines = await linesOf(gathered)
    expect(lines).toContain(`${REQUESTS} ${1 + 10 * turn}`)
    expect(lines).toContain('anteroom_listeners 2')
    expect(lines).toContain(`anteroom_http_request_duration_seconds_count{operation="patients.get"} ${turn}`)
  }
})

it('a process that answers too late counts with its last answer', async () => {
  const gathered = gatherMetrics(50)
  const [quick, late] = [member(1), member(1)]
  for (const each of [quick, late]) gathered.add(each as never)
  late.count(5)
  await gathered.metrics()
  late.state.isLate = true
  quick.count(1)
  expect(await linesOf(gathered)).toContain(`${REQUESTS} 6`)
})

it('an answer to an earlier question is not taken for the answer to the present one', async () => {
  const gathered = gatherMetrics()
  const slow = member(1)
  gathered.add(slow as never)
  const { send } = slow
  slow.send = ({ metricsQuestion }) => {
    slow.emit('message', { metricsAnswer: metricsQuestion - 1, reading: [] })
    return send({ metricsQuestion })
  }
  slow.count(5)
  expect(await linesOf(gathered)).toContain(`${REQUESTS} 5`)
})

it('a value that is unknown to every process is left out, and one that a process knows is reported', async () => {
  const gathered = gatherMetrics()
  gathered.add(member(undefined) as never)
  expect((await linesOf(gathered)).filter((line) => line.startsWith('anteroom_backlog '))).toEqual([])
  gathered.add(member(7) as never)
  expect(await linesOf(gathered)).toContain('anteroom_backlog 7')
})
