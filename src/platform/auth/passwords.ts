// How passwords are hashed. Source: RFC 7914; OWASP Password Storage Cheat Sheet, "scrypt"; NIST SP 800-63B 5.1.1.2.
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createFairShare, leavingSome, oneEach } from '../fair-share.ts'
import { asOverload } from '../overload.ts'

interface Cost {
  /** The binary logarithm of N. */
  ln: number
  r: number
  p: number
}

/** 32 MiB and some 200 ms: little enough memory for several hashes at a time. */
const COST: Cost = { ln: 15, r: 8, p: 3 }
const HASH_BYTES = 32
const SALT_BYTES = 16
/** `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. Source: PHC string format. */
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/-]+)\$([\w+/-]+)$/

export interface Passwords {
  /**
   * `sharer` is the address or organization that the hash is computed for; sharers take turns. @throws InternalError
   * (503) when too many wait.
   */
  hash(password: string, sharer: string): Promise<string>
  /**
   * Whether the password matches. Without a stored hash it takes the same time and returns false, so that timing does
   * not reveal which names exist.
   */
  matches(password: string, stored: string | undefined, sharer: string): Promise<boolean>
}

/** Of the four threads of libuv's pool, in which files are read as well. Source: https://docs.libuv.org/en/v1.x/threadpool.html */
const THREADS = 2

/** A hash occupies a core and a thread for a fifth of a second: most cores stay free for the calls of signed-in users, and threads for their files. */
export const hashesAtATime = (cores: number): number => Math.min(THREADS, Math.max(1, Math.floor(cores / 4)))
/** One address gets at most three quarters of the queue: a whole clinic may sign in at eight o'clock. */
const MAX_WAITING = 40

/** A stored hash is verified at its own cost; `cost` is that of new ones. */
export function createPasswords(cost = COST): Passwords {
  const turns = createFairShare({
    places: hashesAtATime(availableParallelism()),
    maxWaiting: MAX_WAITING,
    rule: oneEach,
    waitingRule: leavingSome,
  })
  const inTurn = <T>(sharer: string, work: () => Promise<T>) =>
    turns.pass(sharer, undefined, work).catch((error: unknown) => {
      throw asOverload(error)
    })

  return {
    async hash(password, sharer) {
      const salt = randomBytes(SALT_BYTES)
      const hash = await inTurn(sharer, () => derive(password, salt, cost, HASH_BYTES))
      return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
    },
    async matches(password, stored, sharer) {
      const [, ln, r, p, salt = '', hash = ''] = PHC.exec(stored ?? '') ?? []
      const expected = Buffer.from(hash, 'base64url')
      const asStored = ln === undefined ? cost : { ln: Number(ln), r: Number(r), p: Number(p) }
      const derived = await inTurn(sharer, () =>
        derive(password, Buffer.from(salt, 'base64url'), asStored, expected.length || HASH_BYTES),
      )
      return ln !== undefined && timingSafeEqual(derived, expected)
    },
  }
}

/** Normalizes Unicode first, because keyboards produce different forms. */
function derive(password: string, salt: Buffer, { ln, r, p }: Cost, bytes: number): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 256 }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/**
 * A random password and its hash. Made before a transaction begins, because a hash waits for its turn and a transaction that waits holds
 * a connection. @throws InternalError (503) when too many wait.
 */
export async function makePassword(passwords: Passwords, sharer: string): Promise<{ password: string; hash: string }> {
  const password = newOneTimePassword()
  return { password, hash: await passwords.hash(password, sharer) }
}

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP_LENGTH = 4

/** Some 99 random bits that a person can read out and type in. */
export function newOneTimePassword(): string {
  const letter = () => ALPHABET[randomInt(ALPHABET.length)]
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
