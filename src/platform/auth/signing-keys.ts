import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import type { Place, Vault } from '../crypto/encryption.ts'
import type { Database, Statement } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { type AlgorithmName, algorithm, DEFAULT_ALGORITHM } from './signing-algorithms.ts'

/** The maximum age of the keys in memory: bounds how soon a retired key is refused. */
const RELOAD_MS = 5_000
/**
 * From publication to the first token: by then every process has reloaded, and so have verifiers that cache the JWKS
 * (jose: 30 s).
 */
const PUBLISHED_AHEAD = '30 seconds'
/**
 * Longer than any token is valid (TOKEN_LIFETIME_SECONDS is a day at most), from the moment when the next key starts to
 * sign.
 */
const OUTLIVES_TOKENS = `interval '${PUBLISHED_AHEAD}' + interval '1 day' + interval '5 minutes'`
/** An arbitrary number, the same in every process. */
const KEY_CREATION_LOCK = 7_206_052

interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  jwk: PublicJwk
}

/** The algorithm belongs to the key: it is the only one by which tokens of this key are accepted. */
type PublicJwk = JWK & { alg: AlgorithmName }

/** The claims as a JWS signed by this key. A library would only add its checks of what we have just written. Source: RFC 7515 3.1, 7.1. */
export async function signClaims({ kid, privateKey, jwk: { alg } }: SigningKey, claims: object): Promise<string> {
  const signed = `${encoded({ alg, kid, typ: 'JWT' })}.${encoded(claims)}`
  return `${signed}.${(await algorithm(alg).sign(Buffer.from(signed), privateKey)).toString('base64url')}`
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The signing keys of the service, as this process knows them. */
export interface SigningKeys {
  /** Reloads the keys when they are old. Concurrent calls share one load. */
  refresh(): Promise<void>
  /** The key that currently signs. */
  current(): SigningKey
  /** Finds a key by id, among those whose tokens are accepted. */
  find(kid: string | undefined): SigningKey | undefined
  /** Every key whose tokens are accepted, newest first. Source: RFC 7517. */
  published(): JWK[]
}

/** The state of a key, for operators. */
export interface KeyState {
  kid: string
  algorithm: AlgorithmName
  state: 'published' | 'signing' | 'verifying' | 'retired'
  created_at: string
  signs_from: string
  retired_at: string
}

/** Loads the keys, creating the first when there is none. `monotonicMs` measures their age. */
export async function openSigningKeys(
  database: Database,
  vault: Vault,
  monotonicMs: () => number = () => performance.now(),
): Promise<SigningKeys> {
  let keys: LoadedKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const startedAt = monotonicMs()
    keys = await loadKeys(database, vault, keys)
    loadedAt = startedAt
  }
  const refresh = async () => {
    if (monotonicMs() - loadedAt < RELOAD_MS) return
    loading ??= load().finally(() => {
      loading = undefined
    })
    await loading
  }

  await refresh()
  if (keys.length === 0) {
    await createFirstKey(database, vault)
    await load()
  }
  return {
    refresh,
    current: () => (keys.find(({ signs }) => signs) ?? keys[0]) as SigningKey,
    find: (kid) => keys.find((key) => key.kid === kid),
    published: () => keys.map(({ jwk }) => jwk),
  }
}

/**
 * Publishes a new key, which starts to sign half a minute later; the others keep verifying until their last token has
 * expired. No process needs a restart. Without a name of an algorithm the new key has that of the one before.
 */
export async function rotateSigningKey(database: Database, vault: Vault, name?: AlgorithmName): Promise<KeyState> {
  const [newest] = await listSigningKeys(database)
  const { kid, encrypted, jwk } = await makeKey(vault, name ?? newest?.algorithm ?? DEFAULT_ALGORITHM)
  await database.transaction(async (transaction) => {
    await transaction.rows('select pg_advisory_xact_lock($1)', [KEY_CREATION_LOCK])
    await transaction.rows(
      `with held as materialized (select kid from signing_key where retired_at is null order by kid for update)
      update signing_key set retired_at = now() + ${OUTLIVES_TOKENS} from held where signing_key.kid = held.kid`,
    )
    await transaction.rows(
      `insert into signing_key (kid, private_key, public_key, signs_from) values ($1, $2, $3, now() + interval '${PUBLISHED_AHEAD}')`,
      [kid, encrypted, JSON.stringify(jwk)],
    )
  })
  return readKey(database, kid)
}

/**
 * Retires a compromised key: within ten seconds its tokens are refused everywhere.
 * @throws StartupError when there is no such key, or when no signing key would be left.
 */
export async function retireSigningKey(database: Database, kid: string): Promise<KeyState> {
  // The column has milliseconds: a time that is rounded up would not have come yet for the next statement.
  const row = await database.row(
    `update signing_key set retired_at = least(retired_at, date_trunc('milliseconds', now())) where kid = $1
      and exists (select from signing_key other where other.kid <> $1 and other.signs_from <= now()
        and other.retired_at is null)
    returning kid`,
    [kid],
  )
  if (row) return readKey(database, kid)
  await readKey(database, kid)
  throw new StartupError('no other key signs yet: run anteroom keys rotate, and retire this key half a minute later')
}

/** Newest first. */
export async function listSigningKeys(database: Database): Promise<KeyState[]> {
  const rows = await database.rows(
    `select kid, public_key ->> 'alg',
      case when retired_at <= now() then 'retired' when signs_from > now() then 'published'
        when kid = (${SIGNING}) then 'signing' else 'verifying' end,
      ${['created_at', 'signs_from', 'retired_at'].map((column) => `coalesce(to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')`)}
    from signing_key order by signs_from desc, kid`,
  )
  return rows.map((row) => {
    const [kid, algorithm, state, created_at, signs_from, retired_at] = row as [
      string,
      AlgorithmName,
      KeyState['state'],
      string,
      string,
      string,
    ]
    return { kid, algorithm, state, created_at, signs_from, retired_at }
  })
}

/** The signing key: the newest that is allowed to sign. A key that is to be retired signs only if there is no other. */
const SIGNING = `select kid from signing_key where signs_from <= now() and (retired_at is null or retired_at > now())
  order by signs_from desc, kid limit 1`

const loadStatement: Statement = {
  name: 'signing_keys',
  text: `select kid, private_key, public_key::text, coalesce(kid = (${SIGNING}), false) from signing_key
    where retired_at is null or retired_at > now() order by signs_from desc, kid`,
}

interface LoadedKey extends SigningKey {
  signs: boolean
}

/** Known keys are not decrypted again. */
async function loadKeys(database: Database, vault: Vault, known: readonly LoadedKey[]): Promise<LoadedKey[]> {
  const rows = await database.rows(loadStatement)
  return rows.map((row) => {
    const [kid, encrypted, publicJwk, signs] = row as [string, string, string, string]
    const key = known.find((each) => each.kid === kid) ?? openKey(vault, kid, encrypted, publicJwk)
    return { ...key, signs: signs === 't' }
  })
}

function openKey(vault: Vault, kid: string, encrypted: string, publicJwk: string): SigningKey {
  const privateKey = createPrivateKey({ key: JSON.parse(vault.decrypt(encrypted, placeOf(kid))), format: 'jwk' })
  const jwk = JSON.parse(publicJwk) as PublicJwk
  return { kid, privateKey, publicKey: createPublicKey({ key: jwk as object, format: 'jwk' } as never), jwk }
}

const { makePair } = algorithm(DEFAULT_ALGORITHM)
let pairMadeAhead: ReturnType<typeof makePair> | undefined

/** A key pair takes some tenths of a second: a first start makes it while its database is created. */
export function makePairAhead(): Promise<unknown> {
  pairMadeAhead ??= makePair()
  return pairMadeAhead
}

async function takePair(name: AlgorithmName) {
  if (name !== DEFAULT_ALGORITHM || !pairMadeAhead) return algorithm(name).makePair()
  const pair = pairMadeAhead
  pairMadeAhead = undefined
  return pair
}

async function makeKey(vault: Vault, name: AlgorithmName): Promise<{ kid: string; encrypted: string; jwk: PublicJwk }> {
  const { publicKey, privateKey } = await takePair(name)
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  // One in 64 begins with "-": `keys retire` would take it for an option, unless it follows "--".
  if (kid.startsWith('-')) return makeKey(vault, name)
  const jwk: PublicJwk = { ...publicJwk, kid, use: 'sig', alg: name }
  const encrypted = vault.encrypt(JSON.stringify(privateKey.export({ format: 'jwk' })), placeOf(kid))
  return { kid, encrypted, jwk }
}

const placeOf = (kid: string): Place => ({ table: 'signing_key', column: 'private_key', id: kid })

async function createFirstKey(database: Database, vault: Vault): Promise<void> {
  const { kid, encrypted, jwk } = await makeKey(vault, DEFAULT_ALGORITHM)
  await database.transaction(async (transaction) => {
    // Two processes that start at once on an empty database must create only one key.
    await transaction.rows('select pg_advisory_xact_lock($1)', [KEY_CREATION_LOCK])
    await transaction.rows(
      'insert into signing_key (kid, private_key, public_key) select $1, $2, $3 where not exists (select from signing_key)',
      [kid, encrypted, JSON.stringify(jwk)],
    )
  })
}

async function readKey(database: Database, kid: string): Promise<KeyState> {
  const found = (await listSigningKeys(database)).find((key) => key.kid === kid)
  if (!found) throw new StartupError(`there is no signing key ${kid}`)
  return found
}
