import { expect, it, vi } from 'vitest'
import type { Database } from '../database.ts'
import { createBeats } from './beats.ts'
import { type ReplicaState, readPosition, shows } from './replica.ts'

const up: ReplicaState = { replayed: 100n, token: 'of our primary', beatAt: 0, isRestricted: true }
const wanted = { position: 100n, isOwn: (token: string) => token === 'of our primary' }

it('a standby answers only if it has replayed what the read must see', () => {
  expect(shows(up, wanted)).toBe(true)
  expect(shows({ ...up, replayed: 101n }, wanted)).toBe(true)
})

it.each<[string, Partial<ReplicaState>]>([
  ['is behind', { replayed: 99n }],
  ['was promoted', { replayed: undefined }],
  ['follows another primary', { token: 'of another primary' }],
  ['has received no sign of life', { token: '' }],
  ['is reached over a connection without row-level security', { isRestricted: false }],
])('a server does not answer that %s', (_, state) => {
  expect(shows({ ...up, ...state }, wanted)).toBe(false)
})

it('compares positions as numbers: 9/0 is before 10/0, and FFFFFFFF before the next file', () => {
  expect(readPosition('9/0')).toBeLessThan(readPosition('10/0'))
  expect(readPosition('1/FFFFFFFF') + 1n).toBe(readPosition('2/0'))
})

it('a token counts for some seconds, and only on the timeline on which it was written', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const beats = createBeats({ row: async () => ['token', '00000002', '1'] } as unknown as Database)
    expect(beats.isOwn('token', '00000002')).toBe(false)
    await beats.renew()
    expect(beats.isOwn('token', '00000002')).toBe(true)
    expect(beats.isOwn('token', '00000001')).toBe(false)
    vi.advanceTimersByTime(5_001)
    expect(beats.isOwn('token', '00000002')).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
