// Limits on sign-in attempts. decisions/0045-people-and-sessions.md
import type { FastifyReply } from 'fastify'
import { WireError } from '../../contract/errors.ts'
import type { Database } from '../database/database.ts'
import { isConnectionFailure } from '../database/errors.ts'
import { callerAddress } from '../http/caller-address.ts'
import { refusalOf } from '../http/limits/limit-calls.ts'
import { createRateLimit, type RateLimit } from '../http/limits/rate-limit.ts'

interface Attempt {
  /** The username in its canonical form, whether or not such a user exists; absent when the attempt names none. */
  username?: string
  address: string
  /** The browser, if the user with this name has signed in with it before. */
  device?: string | undefined
}

export interface SignInLimits {
  /**
   * Runs `check` unless the limit is reached. Attempts for which `check` returns undefined or throws count, unless the
   * service could not decide: it was overloaded, or its database was unavailable. They count for the name together with
   * the address, and for the address, never for the name alone: attempts from elsewhere cannot lock a user out. In a
   * browser that the user has signed in with before they count for that browser alone: attempts from the same address
   * cannot lock the user out.
   * @throws TooManyRequestsError when the limit is reached.
   */
  attempt<T>(reply: FastifyReply, attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined>
  /**
   * After the right password, whether `check` accepts the code. Wrong codes count for the user from all addresses
   * together, because a code has only six digits. A caller without the password cannot get this far, and so cannot lock
   * the user out. In a browser that the user has signed in with before only that browser's own attempts count.
   * @throws TooManyRequestsError when the limit is reached.
   */
  attemptCode(
    reply: FastifyReply,
    attempt: { userId: string; device: string | undefined },
    check: () => Promise<boolean>,
  ): Promise<boolean>
}

const WINDOW_MS = 15 * 60_000
/** For one name from one address, or in one browser. */
const FAILURES = 10
/** For the codes of a user: with three valid codes at a time, guessing succeeds once in 170 days. */
const WRONG_CODES = 20
/** A whole clinic may share one address. */
const FAILURES_OF_AN_ADDRESS = 100

/** Attempts are counted in the database, for all processes together. */
export function openSignInLimits(database: Database): SignInLimits {
  const base = { database, windowMs: WINDOW_MS, grants: 'one by one' } as const
  const ofName = createRateLimit({ ...base, name: 'sign-in of a name', limit: FAILURES })
  const ofDevice = createRateLimit({ ...base, name: 'sign-in of a device', limit: FAILURES })
  const ofAddress = createRateLimit({ ...base, name: 'sign-ins of an address', limit: FAILURES_OF_AN_ADDRESS })

  const ofCodes = createRateLimit({ ...base, name: 'codes of a user', limit: WRONG_CODES })

  /** An attempt is counted before it is made, because many may come at once, and taken back when it succeeds. */
  async function admit(reply: FastifyReply, { username, address, device }: Attempt) {
    const taken =
      device === undefined
        ? [
            { limit: ofAddress, subject: callerAddress(address) },
            ...(username === undefined ? [] : [{ limit: ofName, subject: `${username} ${callerAddress(address)}` }]),
          ]
        : [{ limit: ofDevice, subject: device }]
    return take(reply, taken)
  }

  async function take(reply: FastifyReply, taken: { limit: RateLimit; subject: string }[]) {
    for (const { limit, subject } of taken) {
      const refusal = refusalOf(reply, 'sign-in', await limit.take(subject))
      if (refusal) throw refusal
    }
    return () => Promise.all(taken.map(({ limit, subject }) => limit.giveBack(subject)))
  }

  return {
    async attemptCode(reply, { userId, device }, check) {
      const giveBack = await take(reply, device === undefined ? [{ limit: ofCodes, subject: userId }] : [])
      const isTaken = await decide(check, giveBack)
      if (isTaken) await giveBack()
      return isTaken
    },
    async attempt(reply, attempt, check) {
      const giveBack = await admit(reply, attempt)
      const found = await decide(check, giveBack)
      if (found !== undefined) await giveBack()
      return found
    },
  }
}

/** Takes an attempt back that the service could not decide: nothing was learned about the password or the code. */
async function decide<T>(check: () => Promise<T>, giveBack: () => Promise<unknown>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    const isUndecided = isConnectionFailure(error) || (error instanceof WireError && error.status >= 500)
    // While the database is unavailable the count stays; the caller is told why the attempt failed.
    if (isUndecided) await giveBack().catch(() => undefined)
    throw error
  }
}
