import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import type { Place, Vault } from '../crypto/encryption.ts'
import type { Database, Statement } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'

/** The only algorithm that is ever accepted, whatever a token's header says. */
export const ALGORITHM = 'RS256'
const RSA_BITS = 2048
/** How old the keys in memory may be: what bounds the effect of a key that was retired. */
const RELOAD_MS = 5_000
/** From its publication on to its first token: every process has reloaded by then, and whoever caches our JWKS soon has (jose: 30 s). */
const PUBLISHED_AHEAD = '30 seconds'
/** Longer than any token lives (TOKEN_LIFETIME_SECONDS is a day at most), from the moment on that the next key signs. */
const OUTLIVES_TOKENS = `interval '${PUBLISHED_AHEAD}' + interval '1 day' + interval '5 minutes'`
/** Any number, the same in every process. */
const KEY_CREATION_LOCK = 7_206_052

interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  jwk: JWK
}

/** The keys of all processes, as this one knows them. */
export interface SigningKeys {
  /** Loads them again when they are old. Calls that come meanwhile share the load. */
  refresh(): Promise<void>
  /** The key that signs now. */
  current(): SigningKey
  /** By id, among those whose tokens are accepted. */
  find(kid: string | undefined): SigningKey | undefined
  /** Every key whose tokens are accepted, the newest first. Source: RFC 7517. */
  published(): JWK[]
}

/** What an operator sees of a key. */
export interface KeyState {
  kid: string
  state: 'published' | 'signing' | 'verifying' | 'retired'
  created_at: string
  signs_from: string
  retired_at: string
}

/** Loads the keys, making the first when there is none. `monotonicMs` tells how old they are. */
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
 * Publishes a new key, which begins to sign half a minute later; the others go on verifying until the last token under them has
 * expired. No process needs a restart.
 */
export async function rotateSigningKey(database: Database, vault: Vault): Promise<KeyState> {
  const { kid, encrypted, jwk } = await makeKey(vault)
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
 * Ends a key that got into wrong hands: within ten seconds its tokens are refused everywhere.
 * @throws StartupError when there is no such key, or when none would be left that signs.
 */
export async function retireSigningKey(database: Database, kid: string): Promise<KeyState> {
  const row = await database.row(
    `update signing_key set retired_at = least(retired_at, now()) where kid = $1
      and exists (select from signing_key other where other.kid <> $1 and other.signs_from <= now()
        and other.retired_at is null)
    returning kid`,
    [kid],
  )
  if (row) return readKey(database, kid)
  await readKey(database, kid)
  throw new StartupError('no other key signs yet: run anteroom keys rotate, and retire this key half a minute later')
}

/** The newest first. */
export async function listSigningKeys(database: Database): Promise<KeyState[]> {
  const rows = await database.rows(
    `select kid,
      case when retired_at <= now() then 'retired' when signs_from > now() then 'published'
        when kid = (${SIGNING}) then 'signing' else 'verifying' end,
      ${['created_at', 'signs_from', 'retired_at'].map((column) => `coalesce(to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')`)}
    from signing_key order by signs_from desc, kid`,
  )
  return rows.map((row) => {
    const [kid, state, created_at, signs_from, retired_at] = row as [string, KeyState['state'], string, string, string]
    return { kid, state, created_at, signs_from, retired_at }
  })
}

/** The key that signs: the youngest that may. One that is to retire signs only while there is no other. */
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

/** Keys that are known already are not opened again. */
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
  const jwk = JSON.parse(publicJwk) as JWK
  return { kid, privateKey, publicKey: createPublicKey({ key: jwk as object, format: 'jwk' } as never), jwk }
}

async function makeKey(vault: Vault): Promise<{ kid: string; encrypted: string; jwk: JWK }> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const jwk: JWK = { ...publicJwk, kid, use: 'sig', alg: ALGORITHM }
  const encrypted = vault.encrypt(JSON.stringify(privateKey.export({ format: 'jwk' })), placeOf(kid))
  return { kid, encrypted, jwk }
}

const placeOf = (kid: string): Place => ({ table: 'signing_key', column: 'private_key', id: kid })

async function createFirstKey(database: Database, vault: Vault): Promise<void> {
  const { kid, encrypted, jwk } = await makeKey(vault)
  await database.transaction(async (transaction) => {
    // Two processes that start at once on an empty database make one key between them.
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
