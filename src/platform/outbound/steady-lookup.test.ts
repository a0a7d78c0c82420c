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
  it('is asked for once, however many callers wait for it', async () => {
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

  it('is answered with one address to those who want one', async () => {
    const { lookup } = lookupWith()
    const found = await new Promise((resolve) => {
      lookup('payer.example', {}, (_error, address, family) => resolve([address, family]))
    })
    expect(found).toEqual([ADDRESS.address, ADDRESS.family])
  })
})
