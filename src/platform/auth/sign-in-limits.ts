// How often somebody may try to sign in. decisions/0045-people-and-sessions.md
import type { FastifyReply } from 'fastify'
import type { Database } from '../database/database.ts'
import { callerAddress } from '../http/caller-address.ts'
import { refusalOf } from '../http/limit-calls.ts'
import { createRateLimit } from '../http/rate-limit.ts'

interface Attempt {
  /** The user name, in its canonical form, whether anybody has it or not. */
  username: string
  address: string
  /** The browser, where the person with this name has signed in with it before. */
  device: string | undefined
}

export interface SignInLimits {
  /**
   * Runs `check` when this is not one attempt too many. Only attempts for which it returns nothing count. They
   * count for the name from this address and for the address, never for the name alone: nobody is kept out by what others try elsewhere. In a
   * browser that the person has used before they count for that browser alone: nobody is kept out by what others try beside them.
   * @throws TooManyRequestsError
   */
  attempt<T>(reply: FastifyReply, attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined>
}

const WINDOW_MS = 15 * 60_000
/** Of one name from one address, or in one browser. */
const FAILURES = 10
/** An address may be that of a whole clinic. */
const FAILURES_OF_AN_ADDRESS = 100

export function openSignInLimits(database: Database): SignInLimits {
  const base = { database, windowMs: WINDOW_MS, grants: 'one by one' } as const
  const ofName = createRateLimit({ ...base, name: 'sign-in of a name', limit: FAILURES })
  const ofDevice = createRateLimit({ ...base, name: 'sign-in of a device', limit: FAILURES })
  const ofAddress = createRateLimit({ ...base, name: 'sign-ins of an address', limit: FAILURES_OF_AN_ADDRESS })

  /** An attempt is counted before it is made, as many may come at once, and given back when it succeeds. */
  async function admit(reply: FastifyReply, { username, address, device }: Attempt) {
    const taken =
      device === undefined
        ? [
            { limit: ofAddress, subject: callerAddress(address) },
            { limit: ofName, subject: `${username} ${callerAddress(address)}` },
          ]
        : [{ limit: ofDevice, subject: device }]
    for (const { limit, subject } of taken) {
      const refusal = refusalOf(reply, 'sign-in', await limit.take(subject))
      if (refusal) throw refusal
    }
    return () => Promise.all(taken.map(({ limit, subject }) => limit.giveBack(subject)))
  }

  return {
    async attempt(reply, attempt, check) {
      const giveBack = await admit(reply, attempt)
      const found = await check()
      if (found !== undefined) await giveBack()
      return found
    },
  }
}
