import { describe, expect, it } from 'vitest'
import { createBackground } from './background.ts'

describe('work that continues after its caller was answered', () => {
  it('is awaited when the process stops, also when it fails', async () => {
    const background = createBackground(10_000)
    const seen: string[] = []
    const done = Promise.resolve().then(() => seen.push('done'))
    background.carry(done, async () => seen.push('handed over'))
    background.carry(Promise.reject(new Error('failed')), async () => seen.push('handed over'))
    await background.close()
    expect(seen).toEqual(['done'])
  })

  it('is handed over when it takes too long, each piece independently of the others', async () => {
    const background = createBackground(1)
    const seen: string[] = []
    const endless = new Promise(() => {})
    background.carry(endless, () => Promise.reject(new Error('no database')))
    background.carry(endless, async () => seen.push('handed over'))
    await background.close()
    expect(seen).toEqual(['handed over'])
  })
})
