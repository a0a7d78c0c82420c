import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unbound } from '../../../test/support/unbound-values.ts'
import { createVault, type Place } from './encryption.ts'

const key = randomBytes(32)
const vault = createVault(key)
const place: Place = { table: 'patient', column: 'body.social_security_number', organizationId: 'org', id: 'one' }

it('decrypts a value only in its own place, ignoring the case of its ids', () => {
  const word = fc.constantFrom('a', 'b', 'ab', '', '","', 'a"')
  const places = fc.record({ table: word, column: word, organizationId: word, id: word })
  fc.assert(
    fc.property(places, places, fc.string({ unit: 'binary' }), (own, other, text) => {
      const ciphertext = vault.encrypt(text, own)
      expect(vault.decrypt(ciphertext, { ...own, id: own.id.toUpperCase() })).toBe(text)
      const isSame = JSON.stringify(own) === JSON.stringify(other)
      expect(vault.tryDecrypt(ciphertext, other)).toBe(isSame ? text : undefined)
    }),
  )
})

it('reports the place of a value that cannot be decrypted, and nothing of the value', () => {
  const failed: Place[] = []
  const listening = createVault(key, (at) => failed.push(at))
  const elsewhere = { ...place, id: 'two' }
  expect(listening.tryDecrypt(vault.encrypt('a secret', elsewhere), place)).toBeUndefined()
  expect(failed).toEqual([place])
})

it('refuses a value that was altered or truncated anywhere', () => {
  const ciphertext = vault.encrypt('a secret', place)
  const start = ciphertext.lastIndexOf(':') + 1
  const bytes = Buffer.from(ciphertext.slice(start), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    for (const wrong of [changed, bytes.subarray(0, at)]) {
      expect(vault.tryDecrypt(ciphertext.slice(0, start) + wrong.toString('base64url'), place)).toBeUndefined()
    }
  }
})

it('decrypts an unbound value of earlier releases only in the columns that had such values', () => {
  const old = unbound(key, 'a secret')
  expect(vault.decrypt(old, place)).toBe('a secret')
  for (const [table, column] of [
    ['patient', 'body.email'],
    ['patient', 'body'],
    ['coverage', 'body.social_security_number'],
    ['eligibility_check', 'response'],
  ] as const) {
    expect(vault.tryDecrypt(old, { ...place, table, column })).toBeUndefined()
  }
  // Neither form can be passed off as the other.
  const bound = vault.encrypt('a secret', place)
  expect(vault.tryDecrypt(bound.replace('encrypted:', 'sealed:'), place)).toBeUndefined()
  expect(vault.tryDecrypt(old.replace('sealed:', 'encrypted:'), place)).toBeUndefined()
})

it('reads a token only in its own context, and reveals nothing of its content', () => {
  const token = vault.writeToken('Riverbend', 'a list')
  expect(vault.readToken(token, 'a list')).toBe('Riverbend')
  expect(vault.readToken(token, 'another list')).toBeUndefined()
  expect(createVault(randomBytes(32)).readToken(token, 'a list')).toBeUndefined()
  expect(token).toMatch(/^[\w-]+$/)
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('River')
  const value = vault.encrypt('Riverbend', place).split(':').at(-1) ?? ''
  for (const wrong of ['', 'x', token.slice(0, -4), `${token.slice(0, 12)}A${token.slice(13)}`, value]) {
    if (wrong !== token) expect(vault.readToken(wrong, 'a list'), wrong).toBeUndefined()
  }
})

it.each(['A', '=', ' ', '!', '\n'])('refuses a token with %j added to it', (added) => {
  for (const text of ['a', 'ab', 'abc']) {
    const token = vault.writeToken(text, 'a list')
    for (const wrong of [token + added, added + token, token.slice(0, 9) + added + token.slice(9)])
      expect(vault.readToken(wrong, 'a list'), wrong).toBeUndefined()
  }
})
