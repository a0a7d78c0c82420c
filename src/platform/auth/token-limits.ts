// Limits on token requests. Source: rules.md 3; decisions/0019-fairness.md.
import type { FastifyReply } from 'fastify'
import type { ClientActor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Database } from '../database/database.ts'
import { callerAddress } from '../http/caller-address.ts'
import { refusalOf } from '../http/limits/limit-calls.ts'
import { createRateLimit } from '../http/limits/rate-limit.ts'

/** A token request whose credentials have been verified. */
interface TokenRequest {
  /** The client id in the request, which may be any text. */
  claimed: string
  address: string
  /** The client with these credentials; undefined when they are wrong. */
  actor: ClientActor | undefined
}

interface TokenLimits {
  /** Counts a request and returns its refusal if the limit is exceeded. */
  count(reply: FastifyReply, request: TokenRequest): Promise<Error | undefined>
  /** The number of subjects in memory. */
  readonly subjects: number
}

const WINDOW_MS = 60_000
/** A whole clinic may share one address, and one address may guess at many clients. */
const FAILURES_OF_AN_ADDRESS = 10

/**
 * Wrong and right credentials are counted separately: guessing uses up nothing of the guessed client's limit, not even
 * from the same address, and guesses count alike whether or not the client exists. Secrets have 256 bits and cannot be
 * guessed by persistence, so right credentials are always verified.
 */
export function openTokenLimits(database: Database, limit: number): TokenLimits {
  const base = { database, windowMs: WINDOW_MS, limit }
  const granted = createRateLimit({ ...base, name: 'token', grants: 'one by one' })
  const failed = createRateLimit({ ...base, name: 'token failure', grants: 'one by one' })
  // Counted first and in blocks, so that a caller with invented client ids does not create a row for each.
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
