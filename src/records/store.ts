import type { Readable } from 'node:stream'
import type { Actor } from '../contract/actor.ts'
import { notFound, versionConflict } from '../contract/errors.ts'
import { isUuid, NIL_UUID } from '../contract/formats.ts'
import type { Deps } from '../deps.ts'
import { auditContextText, markAudited, showPatient, type Writer } from '../platform/audit/audit-context.ts'
import type { TextRow } from '../platform/database/database.ts'
import { violatedConstraint } from '../platform/database/errors.ts'
import { type Guarded, type RecordWrite, writeInGroup } from './group-writes.ts'
import { answerOf, CHUNK_BYTES, inChunks, readByPlace, textsOf } from './read-all.ts'
import type { Replaced, TimelineEvent, VersionedRecord } from './record.ts'
import { type ReadableRecord, toArray, toOpened, toStored, toWire } from './wire.ts'

export type StoreNeeds = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

/** The mutable fields of a record, normalized and validated by its schema. */
export type RecordBody = Record<string, unknown>

/** Their positions in `wireColumns`. */
const [DEACTIVATED, UPDATED_AT, BODY] = [2, 4, 7]
/** PostgreSQL's largest integer; a path with a higher version names no record. */
const MAX_VERSION = 2_147_483_647

/** Stores version 1 of a new record and returns its wire form. @throws the record's uniqueness errors, and the guard's refusal. */
export async function createRecord<Subject>(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  body: RecordBody,
  { id = deps.newId(), guarded }: { id?: string | undefined; guarded?: Guarded<Subject> | undefined } = {},
): Promise<string> {
  const stored = toStored(record, { ...actor, id }, body, deps.vault)
  const events = record.events && toEventsJson(deps, await record.events({ id, after: body }, { actor, deps }))
  const written = { id, body: stored, ...(events && { events }), ...(guarded && { guarded }) }
  const row = await write(deps, record, actor, 'create', written)
  markAudited(actor)
  return toWire(record, row as TextRow, deps.vault)
}

/**
 * Writes the next version if `expectedVersion` is the current one, and returns its wire form.
 * @throws NotFoundError, VersionConflictError with the latest version, the record's uniqueness errors.
 */
export async function updateRecord(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  target: { id: string; expectedVersion: number; body: RecordBody; replaced?: Replaced },
): Promise<string> {
  if (!isUuid(target.id)) throw notFound(record.label)
  const version = possibleVersion(target.expectedVersion)
  const stored = toStored(record, { ...actor, id: target.id }, target.body, deps.vault)
  let events: string | undefined
  if (record.events || record.checkUpdate) {
    // The version read here is the version that the write replaces: the write succeeds for this version only.
    const before = await (target.replaced ?? replacedBy(deps, record, actor, target)).read()
    record.checkUpdate?.(target.body, before)
    if (record.events) {
      const replacing = { id: target.id, after: target.body, before }
      events = toEventsJson(deps, await record.events(replacing, { actor, deps }))
    }
  }
  const { id } = target
  const row = await write(deps, record, actor, 'update', {
    id,
    expected: version,
    body: stored,
    ...(events && { events }),
  })
  if (!row) throw await explainMiss(deps, record, actor, target)
  markAudited(actor)
  return toWire(record, row, deps.vault)
}

/**
 * Writes a change of the server itself as the next version, including fields that clients cannot write, together with
 * its timeline events. The caller's transaction has locked the record (`holdRecord`), so its version is still the
 * expected one.
 */
export async function amendRecord(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Writer,
  amendment: { id: string; expectedVersion: number; body: RecordBody; events: TimelineEvent[] },
): Promise<void> {
  const { id, expectedVersion, body, events } = amendment
  const stored = toStored(record, { ...actor, id }, body, deps.vault)
  const values = [actor.organizationId, id, expectedVersion, actor.userId, stored]
  values.push(toEventsJson(deps, events), auditContextText(actor, `${record.name}.amend`))
  const row = await deps.database.row(record.statements.amend, values)
  if (!row) throw new Error(`${record.label}: the version to amend is not locked by the caller`)
  markAudited(actor)
}

/**
 * Writes a version with `deactivated` changed; does nothing when the record is in that state already and the version is
 * right (rules.md 11.2).
 * @throws NotFoundError, VersionConflictError with the latest version.
 */
export async function setDeactivated(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  target: { id: string; expectedVersion: number; deactivated: boolean },
): Promise<void> {
  if (!isUuid(target.id)) throw notFound(record.label)
  const version = possibleVersion(target.expectedVersion)
  const auditContext = auditContextText(actor, `${record.name}.${target.deactivated ? 'deactivate' : 'reactivate'}`)
  const values = [actor.organizationId, target.id, version, actor.userId, target.deactivated, auditContext]
  const row = await deps.database.row(record.statements.setDeactivated, values)
  if (row) return markAudited(actor)
  const current = await findRow(deps, record, actor, target.id)
  if (!current) throw notFound(record.label)
  if (versionOf(current) !== target.expectedVersion) throw versionConflict(versionOf(current))
  // The expected version was written between the two statements, and nothing has been done to it yet.
  if ((current[DEACTIVATED] === 't') !== target.deactivated) await setDeactivated(deps, record, actor, target)
}

/** The latest version, of a deactivated record too. @throws NotFoundError, also for another organization's record. */
export async function readRecord(deps: StoreNeeds, record: VersionedRecord, actor: Actor, id: string): Promise<string> {
  const found = await findRecord(deps, record, actor, id)
  if (!found) throw notFound(record.label)
  return found
}

/** Like `readRecord`; undefined when there is none. */
export async function findRecord(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  id: string,
): Promise<string | undefined> {
  const row = await findRow(deps, record, actor, id)
  return row && toShown(deps, record, actor, row)
}

/** One version in its wire form, for messages that the service itself sends; undefined when there is none. */
export async function readVersion(
  deps: Pick<Deps, 'database' | 'vault'>,
  record: ReadableRecord,
  { organizationId, id, version }: { organizationId: string; id: string; version: number },
): Promise<string | undefined> {
  if (version < 1) return undefined
  const row = await deps.database.row(record.statements.history, [organizationId, id, 1, version - 1])
  return row && toWire(record, row, deps.vault)
}

/**
 * Every version, ascending, as a JSON array. Versions never change, so an offset is a stable position. @throws
 * NotFoundError.
 */
export async function readHistory(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  id: string,
): Promise<string | Readable> {
  if (!isUuid(id)) throw notFound(record.label)
  const short = await deps.database.rowsByKey(record.statements.shortHistory, [actor.organizationId, id])
  if (short.length > 0) return toArray(short.map((row) => toShown(deps, record, actor, row)))
  const statement = { ...record.statements.history, maxBytes: CHUNK_BYTES }
  const versions = readByPlace(async (from, count) => {
    const rows = await deps.database.rows(statement, [actor.organizationId, id, count, from])
    if (from === 0 && rows.length === 0) throw notFound(record.label)
    return rows
  })
  return answerOf(textsOf(versions, (row) => toShown(deps, record, actor, row)))
}

/** The records changed at or after `since`, each at its latest version, oldest change first (rules.md 1.8). */
export async function scanRecords(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  page: { since: string; limit: number },
): Promise<string | Readable> {
  const statement = { ...record.statements.scan, maxBytes: CHUNK_BYTES }
  // Each chunk starts after the last record of the previous one, like the next call of a poller: a record that changes
  // meanwhile comes again.
  let last = { at: page.since, id: NIL_UUID }
  const chunks = inChunks(async (from, count) => {
    const wanted = Math.min(count, page.limit - from)
    const items = await deps.database.rows(statement, [actor.organizationId, last.at, wanted, last.id])
    const row = items.at(-1)
    if (row) last = { at: row[UPDATED_AT] ?? '', id: row[0] ?? '' }
    const next = from + items.length
    const isLast = next === page.limit || (!items.isCut && items.length < wanted)
    return { items, next: isLast ? undefined : next }
  })
  return answerOf(textsOf(chunks, (row) => toShown(deps, record, actor, row)))
}

/**
 * Renders a record that is read, for the answer and for the audit trail. Records that name their patient are searched
 * for it (http/audit.ts).
 */
function toShown(deps: StoreNeeds, record: VersionedRecord, actor: Actor, row: TextRow): string {
  if (record.patients === 'itself') showPatient(actor, row[0] ?? '')
  return toWire(record, row, deps.vault)
}

/**
 * Locks a record's row against other writers until the transaction of `deps` ends, and returns the stored record with
 * its encrypted fields decrypted; undefined when there is none.
 */
export async function holdRecord(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Pick<Actor, 'organizationId'>,
  id: string,
): Promise<{ version: number; body: RecordBody } | undefined> {
  const row = isUuid(id) ? await deps.database.row(record.statements.hold, [actor.organizationId, id]) : undefined
  if (!row) return undefined
  const body = toOpened(record, { ...actor, id }, row[BODY] ?? '{}', deps.vault)
  return { version: versionOf(row), body: JSON.parse(body) }
}

/** The version that an update replaces, for the record's rules: read at most once, when a rule first needs it. */
export function replacedBy(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  target: { id: string; expectedVersion: number },
): Replaced {
  let body: Promise<RecordBody> | undefined
  return {
    id: target.id,
    read: () => {
      body ??= readExpected(deps, record, actor, target)
      return body
    },
  }
}

/** The body of the expected version. @throws NotFoundError, VersionConflictError. */
async function readExpected(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  target: { id: string; expectedVersion: number },
): Promise<RecordBody> {
  const row = await findRow(deps, record, actor, target.id)
  if (!row || versionOf(row) !== target.expectedVersion) throw missed(record, row)
  return JSON.parse(row[BODY] ?? '{}')
}

function toEventsJson(deps: StoreNeeds, events: TimelineEvent[]): string {
  return JSON.stringify(events.map((event) => ({ ...event, id: deps.newId() })))
}

function findRow(deps: StoreNeeds, record: VersionedRecord, actor: Actor, id: string): Promise<TextRow | undefined> {
  return isUuid(id)
    ? deps.database.rowByKey(record.statements.read, [actor.organizationId, id])
    : Promise.resolve(undefined)
}

async function explainMiss(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  target: { id: string; expectedVersion: number },
): Promise<Error> {
  return missed(record, await findRow(deps, record, actor, target.id))
}

/** Why the expected version was not found: the record has another one, or there is none. */
const missed = (record: VersionedRecord, current: TextRow | undefined): Error =>
  current ? versionConflict(versionOf(current)) : notFound(record.label)

async function write(
  deps: StoreNeeds,
  record: VersionedRecord,
  actor: Actor,
  kind: 'create' | 'update',
  written: Omit<RecordWrite, 'userId' | 'auditContext'>,
): Promise<TextRow | undefined> {
  const auditContext = auditContextText(actor, `${record.name}.${kind}`)
  try {
    return await writeInGroup(deps.database, record, actor.organizationId, kind, {
      ...written,
      userId: actor.userId,
      auditContext,
    })
  } catch (error) {
    const explain = record.uniqueness?.[violatedConstraint(error) ?? '']
    if (!explain) throw error
    throw Object.assign(explain(), { cause: error })
  }
}

function versionOf(row: TextRow): number {
  return Number(row[3])
}

/** A version above PostgreSQL's integer range matches no record; it must not overflow the column. */
export function possibleVersion(version: number): number {
  return version > 0 && version <= MAX_VERSION ? version : 0
}
