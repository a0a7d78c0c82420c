// The stored passkeys. decisions/0069-passkeys.md
import { Type } from 'typebox'
import type { Database, Statement } from '../database/database.ts'
import { instant, showing } from '../database/instant.ts'
import type { UserKey } from './user-account.ts'

type Rows = Pick<Database, 'rows' | 'row'>

/** Enough for a user's devices; without a bound, a stolen session could fill the table. */
export const PASSKEYS_MAX = 20

/** A passkey as returned to its user. */
export const Passkey = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Optional(Type.String({ format: 'date-time' })),
})

/** The stored data that verifies a sign-in. */
interface StoredPasskey {
  id: string
  credentialId: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
}

export interface NewPasskey extends StoredPasskey {
  name: string
  transports: readonly string[]
}

const SHOWN = `json_strip_nulls(json_build_object('id', id, 'name', name, 'created_at', ${instant('created_at')},
  'last_used_at', ${instant('last_used_at')}))::text`

const beginStatement: Statement = {
  name: 'user_passkey_challenge_put',
  text: `insert into user_passkey_challenge (organization_id, user_id, session_id, challenge, created_at) values ($1, $2, $3, $4, now())
    on conflict (organization_id, user_id) do update
      set session_id = excluded.session_id, challenge = excluded.challenge, created_at = excluded.created_at`,
}

/** Stores the challenge of a registration in place of an earlier one of this user, from whichever session. */
export async function putChallenge(database: Rows, key: UserKey, sessionId: string, challenge: string): Promise<void> {
  await database.rows(beginStatement, [key.organizationId, key.id, sessionId, challenge])
}

const takeChallengeStatement: Statement = {
  name: 'user_passkey_challenge_take',
  text: showing('delete from user_passkey_challenge where organization_id = $1 and user_id = $2 and session_id = $3', {
    as: 'taken',
    columns: 'created_at, challenge',
    shown: `case when created_at > now() - interval '5 minutes' then challenge end`,
  }),
}

/** Takes the challenge of the registration that this session has started: once, and within five minutes. */
export async function takeChallenge(database: Rows, key: UserKey, sessionId: string): Promise<string | undefined> {
  return (await database.row(takeChallengeStatement, [key.organizationId, key.id, sessionId]))?.[0] ?? undefined
}

const insertStatement: Statement = {
  name: 'user_passkey_insert',
  text: showing(
    `insert into user_passkey (organization_id, user_id, id, credential_id, public_key, counter, transports, name)
    select $1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8
    where (select count(*) from user_passkey where organization_id = $1 and user_id = $2) < ${PASSKEYS_MAX}
    on conflict do nothing`,
    { as: 'stored', columns: '*', shown: SHOWN },
  ),
}

/** Undefined if the user has this passkey already, or the largest permitted number. */
export async function insertPasskey(database: Rows, key: UserKey, passkey: NewPasskey): Promise<string | undefined> {
  const { id, credentialId, publicKey, counter, transports, name } = passkey
  const hex = Buffer.from(publicKey).toString('hex')
  const values = [key.organizationId, key.id, id, credentialId, hex, counter, transports, name]
  return (await database.row(insertStatement, values))?.[0]
}

const listStatement: Statement = {
  name: 'user_passkey_list',
  text: `select ${SHOWN} from user_passkey where organization_id = $1 and user_id = $2 order by created_at, id`,
}

/** Each as the JSON of `Passkey`, oldest first. */
export async function listPasskeys(database: Rows, { organizationId, id }: UserKey): Promise<string[]> {
  return (await database.rows(listStatement, [organizationId, id])).map(([text = '']) => text)
}

const credentialsStatement: Statement = {
  name: 'user_passkey_credentials',
  text: 'select credential_id from user_passkey where organization_id = $1 and user_id = $2',
}

/** In base64url, so that the browser does not register the same authenticator again. */
export async function credentialIds(database: Rows, { organizationId, id }: UserKey): Promise<string[]> {
  return (await database.rows(credentialsStatement, [organizationId, id])).map(([text = '']) => text)
}

const renameStatement: Statement = {
  name: 'user_passkey_rename',
  text: showing('update user_passkey set name = $4 where organization_id = $1 and user_id = $2 and id = $3', {
    as: 'renamed',
    columns: '*',
    shown: SHOWN,
  }),
}

/** Returns the JSON of `Passkey`; undefined when the user has none with this id. */
export async function renamePasskey(
  database: Rows,
  key: UserKey,
  id: string,
  name: string,
): Promise<string | undefined> {
  return (await database.row(renameStatement, [key.organizationId, key.id, id, name]))?.[0]
}

const removeStatement: Statement = {
  name: 'user_passkey_remove',
  text: 'delete from user_passkey where organization_id = $1 and user_id = $2 and ($3::uuid is null or id = $3) returning id',
}

/** Removes one passkey, or all of the user. Returns the number of removed passkeys. */
export async function removePasskeys(database: Rows, key: UserKey, id?: string): Promise<number> {
  return (await database.rows(removeStatement, [key.organizationId, key.id, id ?? null])).length
}

const findStatement: Statement = {
  name: 'user_passkey_find',
  text: `select id, credential_id, encode(public_key, 'hex'), counter from user_passkey
    where organization_id = $1 and user_id = $2 and credential_id = $3`,
}

/** By the id that the authenticator sent, in base64url; undefined when this user has no such passkey. */
export async function findPasskey(
  database: Rows,
  key: UserKey,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const row = await database.row(findStatement, [key.organizationId, key.id, credentialId])
  if (!row) return undefined
  const [id = '', stored = '', publicKey = '', counter] = row
  return {
    id,
    credentialId: stored,
    publicKey: new Uint8Array(Buffer.from(publicKey, 'hex')),
    counter: Number(counter),
  }
}

const useStatement: Statement = {
  name: 'user_passkey_use',
  text: `update user_passkey set counter = $4, last_challenge = $5, last_used_at = now()
    where organization_id = $1 and user_id = $2 and id = $3 and last_challenge < $5 and (counter < $4 or (counter = 0 and $4 = 0))
    returning id`,
}

/** Records a sign-in. False if this challenge, or a later one, was used before, also by a concurrent call. */
export async function recordUse(
  database: Rows,
  key: UserKey,
  { id, counter, challengeAt }: { id: string; counter: number; challengeAt: number },
): Promise<boolean> {
  const values = [key.organizationId, key.id, id, counter, challengeAt]
  return (await database.row(useStatement, values)) !== undefined
}
