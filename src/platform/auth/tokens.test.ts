import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { holdThreads } from '../../../test/support/hold-threads.ts'
import { send, testService } from '../../../test/support/service.ts'
import { tokenSigner } from '../../../test/support/tokens.ts'
import type { Database } from '../database/database.ts'
import { openClientStandings } from './client-standings.ts'
import { grantScopes, revokeClient } from './clients.ts'
import { listSigningKeys, openSigningKeys, retireSigningKey, rotateSigningKey } from './signing-keys.ts'
import { CLOCK_TOLERANCE_SECONDS, openTokenIssuer } from './tokens.ts'

const service = testService()
const URL = '/coverages/v1'
const use = (token: string) => send(service.app, { url: URL, headers: { authorization: `Bearer ${token}` } })

/** The database with a count of its queries. */
function counting(): { database: Database; asked: { rows: number; rowByKey: number } } {
  const asked = { rows: 0, rowByKey: 0 }
  const { database: real } = service
  const database: Database = {
    ...real,
    rows: (...statement) => {
      asked.rows++
      return real.rows(...statement)
    },
    rowByKey: (...statement) => {
      asked.rowByKey++
      return real.rowByKey(...statement)
    },
  }
  return { database, asked }
}

describe('clock differences', () => {
  const MARGIN = 20
  it.each([
    ['ended', 'exp', -1],
    ['does not begin for', 'nbf', 1],
    ['was issued in', 'iat', 1],
  ])('within the tolerance are accepted, larger ones are not: a token that %s some seconds', async (_, claim, sign) => {
    const caller = await service.newCaller()
    const sign_ = await tokenSigner(service, caller)
    const at = (seconds: number) => ({ [claim]: Math.floor(Date.now() / 1000) + sign * seconds })
    expect((await use(await sign_(at(CLOCK_TOLERANCE_SECONDS - MARGIN)))).status).toBe(200)
    const refused = await use(await sign_(at(CLOCK_TOLERANCE_SECONDS + MARGIN)))
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"'])
  })
})

it('any malformed token is refused with 401 and never causes an error', async () => {
  const { token } = await service.newCaller()
  const mutated = fc
    .tuple(fc.nat(token.length - 1), fc.nat(40), fc.string({ maxLength: 60 }))
    .map(([at, cut, text]) => token.slice(0, at) + text + token.slice(at + cut + 1))
  const headers = ['alg', 'kid', 'typ', 'crit', 'b64', 'jku', 'zip', 'enc']
  const invented = fc
    .tuple(fc.dictionary(fc.constantFrom(...headers), fc.jsonValue()), fc.jsonValue(), fc.base64String())
    .map((parts) => parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.'))
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, invented, fc.string()), async (text) => {
      fc.pre(text !== token)
      const reply = await use(text.replaceAll(/[^\x21-\x7e]/g, '') || 'x')
      // The last character of a signature has unused bits.
      if (text.slice(0, -1) === token.slice(0, -1)) return
      expect([reply.status, reply.body.errorName]).toEqual([401, 'UnauthorizedError'])
    }),
    { numRuns: 500 },
  )
})

it('tokens are signed on threads of their own: while these are all busy, tokens wait and the event loop does not', async () => {
  const { organizationId, credentials } = await service.newCaller()
  const actor = { organizationId, userId: randomUUID(), clientId: credentials.client_id }
  await service.deps.tokens.issue(actor)
  const release = await holdThreads()
  let issued = 0
  const issue = () => service.deps.tokens.issue(actor).then(() => issued++)
  const tokens = Array.from({ length: 20 }, issue)
  for (let turns = 0; turns < 20; turns++) await setImmediate()
  const meanwhile = issued
  release()
  await Promise.all(tokens)
  expect([meanwhile, issued]).toEqual([0, 20])
})

describe('the permissions of a client', () => {
  it('are queried once for all concurrent calls', async () => {
    const caller = await service.newCaller()
    const { database, asked } = counting()
    const standings = openClientStandings(database)
    await Promise.all(Array.from({ length: 100 }, () => standings.read(caller.credentials.client_id)))
    expect(asked.rowByKey).toBe(1)
    expect(standings.recall(caller.credentials.client_id)).toEqual({ scopes: undefined })
  })

  it('come from the client and not from its token', async () => {
    const caller = await service.newCaller()
    await grantScopes(service.database, { id: caller.credentials.client_id }, ['tags:read'])
    const statuses = [(await caller.call('GET', URL)).status, (await caller.call('GET', '/tags/v1')).status]
    expect(statuses).toEqual([403, 200])
  })

  it('are empty for an unknown client', async () => {
    expect(await openClientStandings(service.database).read(randomUUID())).toBeUndefined()
  })
})

/** An issuer of its own, whose clock the test sets. */
function openIssuer(clock: { ms: number }) {
  const { systemDatabase: database, vault } = service.deps
  const now = () => new Date(clock.ms)
  return openTokenIssuer({ database, vault, issuer: 'anteroom', lifetimeSeconds: 60, now })
}

/** The same, with a token of it that has been used. */
async function usedToken(clock: { ms: number }) {
  const caller = await service.newCaller()
  const { organizationId, credentials } = caller
  const issuer = await openIssuer(clock)
  const token = await issuer.issue({ organizationId, userId: randomUUID(), clientId: credentials.client_id })
  expect((await issuer.verify(token)).actor.organizationId).toBe(organizationId)
  expect(issuer.recall(token)).toBeDefined()
  return { issuer, token, caller }
}

it('a token that has been used ends at its time like any other', async () => {
  const clock = { ms: Math.floor(Date.now() / 1000) * 1000 }
  const { issuer, token, caller } = await usedToken(clock)
  clock.ms += (60 + CLOCK_TOLERANCE_SECONDS) * 1000 - 1
  expect(issuer.organizationOf(token)).toBe(caller.organizationId)
  clock.ms += 1
  expect(issuer.organizationOf(token)).toBeUndefined()
  await expect(issuer.verify(token)).rejects.toThrow('not valid or has expired')
  expect(issuer.recall(token)).toBeUndefined()
})

it('a token of a revoked client names no organization, so that its calls count for its address', async () => {
  const clock = { ms: Date.now() }
  const { issuer, token, caller } = await usedToken(clock)
  expect(issuer.organizationOf(token)).toBe(caller.organizationId)
  await revokeClient(service.database, { id: caller.credentials.client_id })
  const ofAnotherProcess = await openIssuer(clock)
  await expect(ofAnotherProcess.verify(token)).rejects.toThrow('revoked')
  expect(ofAnotherProcess.organizationOf(token)).toBeUndefined()
})

it('a token names the key that signed it', async () => {
  const { token } = await service.newCaller()
  const kids = (await listSigningKeys(service.database)).map(({ kid }) => kid)
  expect(kids).toContain(decodeProtectedHeader(token).kid)
})

// The last ones: they retire the key that signed the tokens above.
describe('signing keys', () => {
  const openAt = async (database: Database) => {
    const clock = { ms: 0 }
    return { clock, keys: await openSigningKeys(database, service.deps.vault, () => clock.ms) }
  }

  it('are published before they sign, sign after, and verify until their last token has expired', async () => {
    const { clock, keys } = await openAt(service.database)
    const old = keys.current().kid
    const made = await rotateSigningKey(service.database, service.deps.vault)
    expect(made.state).toBe('published')
    const look = async () => {
      clock.ms += 5_000
      await keys.refresh()
      return { signs: keys.current().kid, published: keys.published().map(({ kid }) => kid) }
    }
    expect(await look()).toEqual({ signs: old, published: [made.kid, old] })
    await service.database.rows(`update signing_key set signs_from = now() - interval '1 s' where kid = $1`, [made.kid])
    expect(await look()).toEqual({ signs: made.kid, published: [made.kid, old] })
    const states = Object.fromEntries((await listSigningKeys(service.database)).map(({ kid, state }) => [kid, state]))
    expect(states).toEqual({ [made.kid]: 'signing', [old]: 'verifying' })
    const row = await service.database.row(
      `select retired_at - signs_from > interval '1 day' from signing_key, (select signs_from from signing_key where kid = $2) next (at) where kid = $1`,
      [old, made.kid],
    )
    expect(row).toEqual(['t'])
    await service.database.rows(`update signing_key set retired_at = now() - interval '1 ms' where kid = $1`, [old])
    expect(await look()).toEqual({ signs: made.kid, published: [made.kid] })
  })

  it('can be retired at once, unless it is the only signing key', async () => {
    const [{ kid: only } = { kid: '' }] = await listSigningKeys(service.database)
    await expect(retireSigningKey(service.database, only)).rejects.toThrow('no other key signs yet')
    await expect(retireSigningKey(service.database, 'unknown')).rejects.toThrow('there is no signing key unknown')
    const made = await rotateSigningKey(service.database, service.deps.vault)
    await expect(retireSigningKey(service.database, only)).rejects.toThrow('no other key signs yet')
    await service.database.rows(`update signing_key set signs_from = now() - interval '1 min' where kid = $1`, [
      made.kid,
    ])
    expect(await retireSigningKey(service.database, only)).toMatchObject({ kid: only, state: 'retired' })
  })

  it('end the tokens that they have signed when they are retired, also those that have been used', async () => {
    const { issuer, token } = await usedToken({ ms: Date.now() })
    const { kid = '' } = decodeProtectedHeader(token)
    const made = await rotateSigningKey(service.database, service.deps.vault)
    const signsNow = `update signing_key set signs_from = now() - interval '1 min' where kid = $1`
    await service.database.rows(signsNow, [made.kid])
    await retireSigningKey(service.database, kid)
    const later = performance.now() + 5_000
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    await expect(issuer.verify(token).finally(() => clock.mockRestore())).rejects.toThrow('not valid or has expired')
    expect(issuer.recall(token)).toBeUndefined()
  })

  it('are loaded at most once in five seconds, regardless of invented key ids', async () => {
    const { database, asked } = counting()
    const { clock, keys } = await openAt(database)
    const before = asked.rows
    await Promise.all(Array.from({ length: 1000 }, () => keys.refresh()))
    expect(asked.rows).toBe(before)
    clock.ms += 5_000
    await Promise.all(Array.from({ length: 1000 }, () => keys.refresh()))
    expect(asked.rows).toBe(before + 1)
  })

  it('expose only their public part', async () => {
    const shown = JSON.stringify([await listSigningKeys(service.database), await service.deps.tokens.jwks()])
    expect(shown).not.toMatch(/"(d|p|q|dp|dq|qi)":|sealed:|encrypted:|PRIVATE/)
  })
})
