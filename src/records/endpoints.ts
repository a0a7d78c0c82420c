// The operations that all versioned records share. A resource's route table lists the ones it offers, in the contract's
// order.
import { Type } from 'typebox'
import { badRequest, type ErrorName } from '../contract/errors.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import { createOnce, Once } from './once.ts'
import type { RecordWith, Replaced, VersionedRecord, WriteKind } from './record.ts'
import {
  createRecord,
  type RecordBody,
  readHistory,
  readRecord,
  replacedBy,
  type StoreNeeds,
  scanRecords,
  setDeactivated,
  updateRecord,
} from './store.ts'

/** An operation of a versioned record; its path is relative to the resource's path. */
type RecordEndpoint = Endpoint<StoreNeeds>

type Call = Parameters<Endpoint['handle']>[1]

const SCAN_PAGE = 100
const SCAN_PAGE_MAX = 1000

/** GET /:id */
export const read = (record: VersionedRecord): RecordEndpoint =>
  route('get', 'GET', '/:id', {
    summary: `Reads the latest version of a ${record.label.toLowerCase()}, deactivated ones too.`,
    answer: record.wire,
    errors: ['NotFoundError'],
    handle: (deps, call) => readRecord(deps, record, call.actor, call.params.id ?? ''),
  })

/** POST / */
export const create = (record: VersionedRecord, errors: ErrorName[] = []): RecordEndpoint =>
  route('create', 'POST', '', {
    summary: `Creates a ${record.label.toLowerCase()} at version 1.`,
    query: Once,
    body: record.mutable,
    answer: record.wire,
    errors,
    handle: (deps, call) =>
      createOnce(deps, record, call, async (id) => {
        const body = await prepared(deps, record, call)
        return createRecord(deps, record, call.actor, body, { id })
      }),
  })

/** PUT /:id/:version */
export const update = (record: RecordWith<'update'>, errors: ErrorName[] = []): RecordEndpoint =>
  route('update', 'PUT', '/:id/:version', {
    summary: `Replaces a ${record.label.toLowerCase()}: writes its next version.`,
    parameters: { version: versionMeaning(record, 'update') },
    body: record.mutable,
    answer: record.wire,
    errors: [...errors, 'NotFoundError', 'VersionConflictError'],
    handle: async (deps, call) => {
      const expectedVersion = expectedFrom(record, 'update', call.params.version ?? '')
      const target = { id: call.params.id ?? '', expectedVersion }
      const replaced = replacedBy(deps, record, call.actor, target)
      const body = await prepared(deps, record, call, replaced)
      return updateRecord(deps, record, call.actor, { ...target, body, replaced })
    },
  })

/** DELETE /:id/:version */
export const deactivate = (record: RecordWith<'deactivate'>): RecordEndpoint =>
  switchRoute(record, 'deactivate', 'DELETE', 'Deactivates')

/** PATCH /:id/:version */
export const reactivate = (record: RecordWith<'reactivate'>): RecordEndpoint =>
  switchRoute(record, 'reactivate', 'PATCH', 'Brings back')

/** GET /:id/history */
export const history = (record: VersionedRecord): RecordEndpoint =>
  route('getHistory', 'GET', '/:id/history', {
    summary: `Reads every version of a ${record.label.toLowerCase()}, oldest first.`,
    answer: Type.Array(record.wire),
    errors: ['NotFoundError'],
    handle: (deps, call) => readHistory(deps, record, call.actor, call.params.id ?? ''),
  })

const Since = Type.Object({ since: Type.String({ format: 'date-time' }) })
const SinceWithLimit = Type.Object({ ...Since.properties, maxResults: Type.Optional(Type.Integer({ minimum: 1 })) })

/** GET /updates/scan, with `maxResults` where the interface has it (rules.md 1.8). */
export const scan = (record: VersionedRecord, paging: 'fixed' | 'maxResults'): RecordEndpoint =>
  route('scan', 'GET', '/updates/scan', {
    summary: 'The change feed: records changed at or after `since`, deactivated ones too, oldest change first.',
    query: paging === 'fixed' ? Since : SinceWithLimit,
    answer: Type.Array(record.wire),
    errors: [],
    handle: (deps, call) => {
      const { since, maxResults = SCAN_PAGE } = call.query as { since: string; maxResults?: number }
      const limit = Math.min(maxResults, SCAN_PAGE_MAX)
      return scanRecords(deps, record, call.actor, { since, limit })
    },
  })

/**
 * The version in the path, as the version that the caller read. @throws BadRequestError when it is not an integer
 * (rules.md 1.4).
 */
export function expectedFrom<Kind extends WriteKind>(record: RecordWith<Kind>, kind: Kind, text: string): number {
  if (!/^-?\d+$/.test(text)) throw badRequest('the version in the path must be an integer')
  return record.pathVersions[kind] === 'next' ? Number(text) - 1 : Number(text)
}

/** What the API description says about the version in the path. */
export function versionMeaning<Kind extends WriteKind>(record: RecordWith<Kind>, kind: Kind): string {
  return record.pathVersions[kind] === 'next'
    ? 'The version that this write makes: the latest one plus 1.'
    : 'The latest version, which this write replaces.'
}

/** The body after the record's own rules have been applied. */
export async function prepared(
  deps: StoreNeeds,
  record: VersionedRecord,
  call: Pick<Call, 'actor' | 'body'>,
  replaced?: Replaced,
): Promise<RecordBody> {
  const body = call.body as never
  const { actor } = call
  return record.prepare ? record.prepare(body, { actor, deps, ...(replaced && { replaced }) }) : body
}

function switchRoute<Kind extends 'deactivate' | 'reactivate'>(
  record: RecordWith<Kind>,
  kind: Kind,
  method: Endpoint['method'],
  verb: string,
) {
  return route(kind, method, '/:id/:version', {
    summary: `${verb} a ${record.label.toLowerCase()}.`,
    parameters: { version: versionMeaning(record, kind) },
    errors: ['NotFoundError', 'VersionConflictError'],
    handle: async (deps, call) => {
      const expectedVersion = expectedFrom(record, kind, call.params.version ?? '')
      const target = { id: call.params.id ?? '', expectedVersion, deactivated: kind === 'deactivate' }
      await setDeactivated(deps, record, call.actor, target)
      return undefined
    },
  })
}

function route(
  operation: string,
  method: Endpoint['method'],
  path: string,
  rest: Pick<RecordEndpoint, 'summary' | 'parameters' | 'query' | 'body' | 'answer' | 'errors' | 'handle'>,
): RecordEndpoint {
  return { ...rest, operation, method, path }
}
