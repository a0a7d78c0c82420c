// A create that is sent again because its answer was lost makes no second record.
// decisions/0150-creates-that-are-sent-twice.md
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { v5 as uuidv5 } from 'uuid'
import type { Actor } from '../contract/actor.ts'
import type { VersionedRecord } from './record.ts'
import { findRecord, type StoreNeeds } from './store.ts'

/** The parameter of an operation that stores the same content once for a key. */
export const Once = Type.Object({ idempotency_key: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) })

interface Call {
  actor: Actor
  query: unknown
  body: unknown
}

/**
 * Runs `create` with the id of the record, unless the caller has sent the same content with the same key before: then that record, as it is
 * now, is the answer, also while it is being stored. Without a key each call makes a record.
 */
export async function createOnce(
  deps: StoreNeeds,
  record: VersionedRecord,
  { actor, query, body }: Call,
  create: (id: string | undefined) => Promise<string>,
): Promise<string> {
  const { idempotency_key: key } = query as { idempotency_key?: string }
  if (key === undefined) return create(undefined)
  const id = idOfSame(actor, key, [record.name, JSON.stringify(body)])
  return foundOrStored(
    () => findRecord(deps, record, actor, id),
    () => create(id),
  )
}

/** What `find` returns, before or after `store` was refused, or else what `store` stored. @throws the error of `store`. */
export async function foundOrStored<Stored>(
  find: () => Promise<Stored | undefined>,
  store: () => Promise<Stored>,
): Promise<Stored> {
  const known = await find()
  if (known) return known
  try {
    return await store()
  } catch (error) {
    // Whatever refused it: another call of its own may have stored it meanwhile.
    const stored = await find()
    if (!stored) throw error
    return stored
  }
}

/** The id is the same for the same key and content of one caller, and only then. */
export function idOfSame(
  { organizationId, userId }: Actor,
  key: string,
  content: readonly (Buffer | string)[],
): string {
  const hash = createHash('sha256').update(JSON.stringify([userId, key]))
  for (const item of content) hash.update(`${item.length}:`).update(item)
  return uuidv5(hash.digest('hex'), organizationId)
}
