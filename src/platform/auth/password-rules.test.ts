import { describe, expect, it } from 'vitest'
import { requireGoodPassword } from './password-rules.ts'

const verdictOn = (password: string) =>
  requireGoodPassword('new_password', password, []).then(
    () => 'accepted',
    ({ message }: Error) => message,
  )

const GUESSED = 'new_password is easily guessed: use several unrelated words'

describe('a new password', () => {
  it.each([
    'correct horse battery staple of the moon',
    'lamp quarrel river seven',
    'p4$$ lantern quarrel seven rivers and a hundred more words of a long sentence',
  ])('may be a sentence: %s', async (password) => {
    expect(await verdictOn(password)).toBe('accepted')
  })

  it.each([
    ['sunflower-1234', 'accepted'],
    ['lantern-seven', 'accepted'],
    ['purplemonkey77', GUESSED],
    ['dragonfly19842', GUESSED],
  ])('needs more than 10^8 guesses: %s', async (password, verdict) => {
    expect(await verdictOn(password)).toBe(verdict)
  })

  it.each([
    [11, 'new_password must have 12 to 256 characters'],
    [12, 'accepted'],
    [256, 'accepted'],
    [257, 'new_password must have 12 to 256 characters'],
  ])('of %i characters is as long as allowed, or refused', async (length, verdict) => {
    const sentence = 'quarrel lamp river seven '.repeat(11)
    expect(await verdictOn(sentence.slice(0, length))).toBe(verdict)
  })

  it('is judged by its first 32 characters, because the time of an estimate grows with the square of their number, and it delays all callers', async () => {
    const strong = 'lamp quarrel river seven'
    expect(await verdictOn('a'.repeat(32) + strong)).toBe(GUESSED)
    expect(await verdictOn('a'.repeat(8) + strong)).toBe('accepted')
  })
})
