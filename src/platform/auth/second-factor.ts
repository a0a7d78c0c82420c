// A user's second factor: a secret from which an authenticator app computes a code every 30 seconds (RFC 6238), and recovery codes for
// users who lost the app. decisions/0058-second-factor.md
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Place, Vault } from '../crypto/encryption.ts'
import type { Database, Statement } from '../database/database.ts'
import { newOneTimePassword } from './passwords.ts'
import type { UserKey } from './user-account.ts'

type Rows = Pick<Database, 'rows' | 'row'>
interface SecondFactorNeeds {
  database: Rows
  vault: Vault
  now(): Date
}

/** The name that authenticator apps show. */
const ISSUER = 'Anteroom'
/** RFC 4226 4 (R6) recommends 160 bits. */
const SECRET_BYTES = 20
/** The time in which a new secret must be confirmed. */
const UNCONFIRMED = `interval '1 hour'`
/** One step before and one after, for clock differences and slow typing. Source: RFC 6238 5.2. */
const DRIFT_STEPS = 1
const RECOVERY_CODES = 10

const placeOfSecret = ({ organizationId, id }: UserKey): Place => ({
  table: 'user_second_factor',
  column: 'secret',
  organizationId,
  id,
})

const enrolStatement: Statement = {
  name: 'user_second_factor_enrol',
  text: `insert into user_second_factor as f (organization_id, user_id, secret, created_at) values ($1, $2, $3, now())
    on conflict (organization_id, user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
      where f.confirmed_at is null
    returning user_id`,
}

/** Creates a secret, which is active once one of its codes was entered. Returns it as text and as the URL for a QR code; undefined if one is already active. */
export async function enrol(
  { database, vault }: SecondFactorNeeds,
  key: UserKey,
  username: string,
): Promise<{ secret: string; otpauth_url: string } | undefined> {
  const secret = new Secret({ size: SECRET_BYTES })
  const encrypted = vault.encrypt(secret.base32, placeOfSecret(key))
  if (!(await database.row(enrolStatement, [key.organizationId, key.id, encrypted]))) return undefined
  return { secret: secret.base32, otpauth_url: new TOTP({ issuer: ISSUER, label: username, secret }).toString() }
}

const readStatement: Statement = {
  name: 'user_second_factor_get',
  text: `select secret, confirmed_at is not null from user_second_factor
    where organization_id = $1 and user_id = $2 and (confirmed_at is not null or created_at > now() - ${UNCONFIRMED})`,
}

const takeStepStatement: Statement = {
  name: 'user_second_factor_take_step',
  text: `update user_second_factor set last_step = $4, confirmed_at = coalesce(confirmed_at, moment.at)
    from (select now() as at) moment where organization_id = $1 and user_id = $2 and secret = $3 and last_step < $4 returning user_id`,
}

/** Accepts a code of the app, once; the first accepted code confirms the secret. `isConfirmed`: whether the secret must be confirmed already. */
async function takeAppCode(
  { database, vault, now }: SecondFactorNeeds,
  key: UserKey,
  code: string,
  isConfirmed: boolean,
): Promise<boolean> {
  const [encrypted, confirmed] = (await database.row(readStatement, [key.organizationId, key.id])) ?? []
  const secret = encrypted && (confirmed === 't') === isConfirmed && vault.tryDecrypt(encrypted, placeOfSecret(key))
  if (!secret) return false
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const timestamp = now().getTime()
  const delta = totp.validate({ token: code, timestamp, window: DRIFT_STEPS })
  if (delta === null) return false
  const step = totp.counter({ timestamp }) + delta
  const values = [key.organizationId, key.id, encrypted, step]
  return (await database.row(takeStepStatement, values)) !== undefined
}

const takeRecoveryStatement: Statement = {
  name: 'user_recovery_code_take',
  text: 'delete from user_recovery_code where organization_id = $1 and user_id = $2 and digest = $3 returning user_id',
}

/** Accepts a code of the app or a recovery code. Each is valid once, also if it is sent twice concurrently. */
export async function takeCode(needs: SecondFactorNeeds, key: UserKey, text: string): Promise<boolean> {
  const code = canonicalCode(text)
  if (/^\d{6}$/.test(code)) return takeAppCode(needs, key, code, true)
  const values = [key.organizationId, key.id, digestOf(key, code)]
  return (await needs.database.row(takeRecoveryStatement, values)) !== undefined
}

/** Activates a secret with one of its codes and returns the recovery codes; undefined for a wrong code. `needs.database` is a transaction. */
export async function confirm(needs: SecondFactorNeeds, key: UserKey, text: string): Promise<string[] | undefined> {
  if (!(await takeAppCode(needs, key, canonicalCode(text), false))) return undefined
  return renewRecoveryCodes(needs.database, key)
}

/** Accepts codes as users type them: with or without separators, in upper or lower case. */
const canonicalCode = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '')

/** Includes the user's ids, so that equal codes of two users have different digests. */
const digestOf = ({ organizationId, id }: UserKey, code: string) =>
  createHash('sha256')
    .update(JSON.stringify(['recovery code', organizationId, id, code]))
    .digest()

const renewStatement: Statement = {
  name: 'user_recovery_code_renew',
  text: `with gone as (delete from user_recovery_code where organization_id = $1 and user_id = $2)
    insert into user_recovery_code (organization_id, user_id, digest)
    select organization_id, user_id, decode(d, 'hex') from user_second_factor, unnest($3::text[]) d
    where organization_id = $1 and user_id = $2 and confirmed_at is not null
    returning user_id`,
}

/** Replaces the remaining codes by ten new ones; undefined without a second factor. Stored as digests: each has some 99 random bits. */
export async function renewRecoveryCodes(database: Rows, key: UserKey): Promise<string[] | undefined> {
  const codes = Array.from({ length: RECOVERY_CODES }, newOneTimePassword)
  const digests = codes.map((code) => digestOf(key, canonicalCode(code)).toString('hex'))
  const stored = await database.rows(renewStatement, [key.organizationId, key.id, digests])
  return stored.length > 0 ? codes : undefined
}

const removeStatement: Statement = {
  name: 'user_second_factor_remove',
  text: `delete from user_second_factor where organization_id = $1 and user_id = $2 returning confirmed_at is not null`,
}

/** Returns whether it was active. */
export async function removeSecondFactor(database: Rows, { organizationId, id }: UserKey): Promise<boolean> {
  return (await database.row(removeStatement, [organizationId, id]))?.[0] === 't'
}

const stateStatement: Statement = {
  name: 'user_second_factor_state',
  text: `select (select count(*) from user_recovery_code c where c.organization_id = $1 and c.user_id = f.user_id)
    from user_second_factor f where f.organization_id = $1 and f.user_id = $2 and f.confirmed_at is not null`,
}

/** The number of recovery codes left; undefined if sign-in requires no second factor. */
export async function recoveryCodesLeft(database: Rows, { organizationId, id }: UserKey): Promise<number | undefined> {
  const row = await database.row(stateStatement, [organizationId, id])
  return row && Number(row[0])
}
