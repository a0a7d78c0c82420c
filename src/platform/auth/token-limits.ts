// How often tokens may be asked for. Source: rules.md 3; decisions/0019-fairness.md.
import type { FastifyReply } from 'fastify'
import type { ClientActor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Database } from '../database/database.ts'
import { callerAddress } from '../http/caller-address.ts'
import { refusalOf } from '../http/limit-calls.ts'
import { createRateLimit } from '../http/rate-limit.ts'

/** A token request whose credentials were verified already. */
interface TokenRequest {
  /** The client id that it names, whatever that is. */
  claimed: string
  address: string
  /** Whose credentials they are; undefined when they are wrong. */
  actor: ClientActor | undefined
}

export interface TokenLimits {
  /** Counts a request and returns its refusal, if it was one too many. */
  count(reply: FastifyReply, request: TokenRequest): Promise<Error | undefined>
  /** How many subjects are kept in memory. */
  readonly subjects: number
}

const WINDOW_MS = 60_000
/** An address may be that of a whole clinic, or guess at one client after the other. */
const FAILURES_OF_AN_ADDRESS = 10

/**
 * Wrong credentials and right ones are counted apart: whoever guesses uses up nothing of the client whose id it names, from the same
 * address neither, and a guess is counted alike whether the client exists or not. No secret is guessed by persistence (256
 * bits), so the right one is always looked at.
 */
export function openTokenLimits(database: Database, limit: number): TokenLimits {
  const base = { database, windowMs: WINDOW_MS, limit }
  const granted = createRateLimit({ ...base, name: 'token', grants: 'one by one' })
  const failed = createRateLimit({ ...base, name: 'token failure', grants: 'one by one' })
  // Counted first and in blocks: what invents client ids does not get to have a row for each.
  const failedOfAddress = createRateLimit({
    ...base,
    name: 'token failures of an address',
    limit: limit * FAILURES_OF_AN_ADDRESS,
  })

  async function verdictOn({ claimed, address, actor }: TokenRequest) {
    const from = callerAddress(address)
    if (actor) return granted.take(`${actor.clientId} ${from}`)
    const ofAddress = await failedOfAddress.take(from)
    return ofAddress.isGranted ? failed.take(`${isUuid(claimed) ? claimed.toLowerCase() : 'none'} ${from}`) : ofAddress
  }

  return {
    count: async (reply, request) => refusalOf(reply, 'token', await verdictOn(request)),
    get subjects() {
      return granted.subjects + failed.subjects + failedOfAddress.subjects
    },
  }
}
