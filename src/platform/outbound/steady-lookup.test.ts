import type { LookupAddress, LookupOptions } from 'node:dns'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createSteadyLookup } from './steady-lookup.ts'

const ADDRESS = { address: '192.0.2.1', family: 4 }
const failure = (code: string) => Object.assign(new Error(code), { code })

/** A name server that answers as told, and what it was asked. */
function lookupWith(patienceMs = 0) {
  const asked: string[] = []
  const server = { answer: (): Promise<LookupAddress[]> => Promise.resolve([ADDRESS]) }
  const lookup = createSteadyLookup((host) => {
    asked.push(host)
    return server.answer()
  }, patienceMs)
  const find = promisify((host: string, callback: (error: Error | null, found: unknown) => void) =>
    lookup(host, { all: true } as LookupOptions, callback),
  )
  return { asked, server, lookup, find }
}
const never = () => new Promise<LookupAddress[]>(() => {})

describe('a name that the operator chose', () => {
  it('is looked up once, however many callers wait for it', async () => {
    const { asked, server, find } = lookupWith()
    let answer = (_: LookupAddress[]) => {}
    server.answer = () => new Promise((resolve) => (answer = resolve))
    const found = Promise.all([find('payer.example'), find('payer.example'), find('payer.example')])
    answer([ADDRESS])
    expect(await found).toEqual([[ADDRESS], [ADDRESS], [ADDRESS]])
    expect(asked).toEqual(['payer.example'])
    await find('payer.example')
    expect(asked).toHaveLength(2)
  })

  it('keeps its addresses while no name server answers', async () => {
    const { server, find } = lookupWith()
    await find('database.example')
    server.answer = never
    expect(await find('database.example')).toEqual([ADDRESS])
  })

  it('keeps its addresses while name servers fail', async () => {
    const { server, find } = lookupWith()
    await find('database.example')
    server.answer = () => Promise.reject(failure('EAI_AGAIN'))
    expect(await find('database.example')).toEqual([ADDRESS])
  })

  it('is looked up alone after it got no answer, so that any number of such names leave a thread for the others', async () => {
    const waiting = new Map<string, (error: Error) => void>()
    const lookup = createSteadyLookup((host) => {
      if (host === 'database.example') return Promise.resolve([ADDRESS])
      return new Promise((_, reject) => waiting.set(host, reject))
    }, 0)
    const find = promisify((host: string, callback: (error: Error | null, found: unknown) => void) =>
      lookup(host, { all: true } as LookupOptions, callback),
    )
    const silent = ['one.example', 'two.example', 'three.example']
    const fail = () => {
      for (const reject of waiting.values()) reject(failure('EAI_AGAIN'))
      waiting.clear()
    }
    const first = Promise.allSettled(silent.map((host) => find(host)))
    fail()
    await first
    const again = Promise.allSettled(silent.map((host) => find(host)))
    expect(await find('database.example')).toEqual([ADDRESS])
    const asked: string[] = []
    for (const host of silent) {
      await expect.poll(() => [...waiting.keys()]).toEqual([host])
      asked.push(host)
      fail()
    }
    expect(asked).toEqual(silent)
    expect((await again).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })

  it('takes new addresses when it moves, and none when it no longer exists', async () => {
    const { server, find } = lookupWith(60_000)
    await find('database.example')
    const moved = { address: '192.0.2.2', family: 4 }
    server.answer = () => Promise.resolve([moved])
    expect(await find('database.example')).toEqual([moved])
    server.answer = () => Promise.reject(failure('ENOTFOUND'))
    await expect(find('database.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    server.answer = () => Promise.reject(failure('EAI_AGAIN'))
    await expect(find('database.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  })

  it('is one address for callers that want one', async () => {
    const { lookup } = lookupWith()
    const found = await new Promise((resolve) => {
      lookup('payer.example', {}, (_error, address, family) => resolve([address, family]))
    })
    expect(found).toEqual([ADDRESS.address, ADDRESS.family])
  })
})
