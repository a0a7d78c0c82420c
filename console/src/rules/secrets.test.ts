import { describe, expect, it } from 'vitest'
import { newSecretWords } from './secrets.ts'

describe('the question before a new secret', () => {
  it('says what keeps working, and of a second one within the day that it ends the secret in use', () => {
    expect(newSecretWords({}, 'A new secret?', 'UTC')).toBe('A new secret?')
    const until = '2026-03-03T15:05:00.000Z'
    const words = newSecretWords({ previous_secret_expires_at: until }, 'A new secret?', 'America/New_York')
    expect(words).toContain('works until 03/03/2026 10:05 AM')
    expect(words).toContain('ends the older one at once')
  })
})
