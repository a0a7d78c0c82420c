import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { renderErrors } from '../error-handler.ts'
import { beginInTurns } from './begin-in-turns.ts'

/** A service whose turns come when the test gives them. A header names the organization of a call. */
async function newService() {
  const app = Fastify()
  const waiting: { caller: string; begin(): void }[] = []
  const begun: string[] = []
  app.decorateRequest('actor')
  app.decorateRequest('countsFor')
  app.addHook('onRequest', async (request) => {
    const organizationId = request.headers.organization
    if (typeof organizationId !== 'string') return
    request.actor = { organizationId, userId: '', clientId: '' }
    request.countsFor = organizationId
  })
  beginInTurns(app, (caller) => new Promise((begin) => waiting.push({ caller, begin })))
  renderErrors(app)
  const answer = async ({ actor }: { actor?: { organizationId: string } }) => {
    begun.push(actor?.organizationId ?? 'stranger')
    return {}
  }
  app.get('/', answer)
  app.get('/healthz', { config: { alwaysAnswers: true } }, answer)
  await app.ready()
  const ask = (organization?: string, url = '/', remoteAddress = '192.0.2.1') =>
    app.inject({ url, remoteAddress, headers: { ...(organization && { organization }) } })
  const settled = () => new Promise(setImmediate)
  return { ask, waiting, begun, settled }
}

describe('requests that arrive at the same moment', () => {
  it('of one organization are begun in turns behind the first few: those of another are begun at once', async () => {
    const { ask, waiting, begun, settled } = await newService()
    const hostile = Array.from({ length: 700 }, () => ask('A'))
    const other = [ask('B'), ask('B')]
    await Promise.all(other)
    expect(begun.toSorted().join('')).toBe(`${'A'.repeat(32)}BB`)
    expect(waiting.map(({ caller }) => caller)).toEqual(Array(668).fill('A'))
    waiting.shift()?.begin()
    await settled()
    expect(begun.toSorted().join('')).toBe(`${'A'.repeat(33)}BB`)
    for (const { begin } of waiting) begin()
    expect((await Promise.all(hostile)).every(({ statusCode }) => statusCode === 200)).toBe(true)
  })

  it('of strangers are begun and refused in turns of their address', async () => {
    const { ask, waiting, begun } = await newService()
    const refused = Array.from({ length: 50 }, () => ask(undefined, '/nowhere'))
    await ask(undefined, '/', '192.0.2.2')
    expect(begun).toEqual(['stranger'])
    expect(waiting.map(({ caller }) => caller)).toEqual(Array(18).fill('192.0.2.1'))
    for (const { begin } of waiting) begin()
    expect((await Promise.all(refused)).map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(404))
  })

  it('are begun at once again in the next turn of the event loop; monitoring never waits', async () => {
    const { ask, waiting, settled } = await newService()
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 32 }, () => ask('A')))
      await settled()
    }
    await Promise.all(Array.from({ length: 100 }, () => ask('A', '/healthz')))
    expect(waiting).toEqual([])
  })
})
