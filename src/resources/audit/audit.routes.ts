// An Anteroom operation under /anteroom/v1: the audit trail of the caller's organization. decisions/0013-audit-trail.md

import { Type } from 'typebox'
import { recordId } from '../../contract/common.schema.ts'
import { canonicalDateTime, isUuid } from '../../contract/formats.ts'
import { PAGE_LIMIT_MAX } from '../../contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { showPatient } from '../../platform/audit/audit-context.ts'
import { AuditEvent } from '../../platform/audit/event.ts'
import { eventsOfTrail } from '../../platform/audit/read-trail.ts'
import { systemUser, systemUserName } from '../../platform/auth/system-user.ts'
import { DatabaseBusy } from '../../platform/database/errors.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { readPageToken, writePageToken } from '../../platform/http/page-token.ts'
import { withTimeLimit } from '../../platform/with-time-limit.ts'
import { PAGE_LIMIT } from '../../records/page.ts'
import { answerOf, CHUNK_BYTES } from '../../records/read-all.ts'
import { resource } from '../../records/resource.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'vault' | 'audit'>

const AuditQuery = Type.Object({
  patient_id: Type.Optional(recordId()),
  patients_only: Type.Optional(Type.Boolean()),
  /** What this user did: a person, or the client that acts as that user. */
  user_id: Type.Optional(recordId()),
  /** `patients.update`, or `patients` for every operation of that group. */
  operation: Type.Optional(Type.String()),
  from: Type.Optional(Type.String({ format: 'date-time' })),
  to: Type.Optional(Type.String({ format: 'date-time' })),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  page_token: Type.Optional(Type.String()),
})

/** With the name of the user who acted: a person, or the client that acts as that user. */
const NamedAuditEvent = Type.Object({ ...AuditEvent.properties, user_name: Type.Optional(Type.String()) })

/** Without a total: counting would read the whole trail. */
const AuditPage = Type.Object({
  items: Type.Array(NamedAuditEvent),
  next_page_token: Type.Optional(Type.String()),
})

/** How long a caller waits for the events before its call to be stored. */
const PATIENCE_MS = 15_000

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  accessType: 'admin',
  summary:
    'Who did what to which record, newest first; with patient_id, the events that changed or showed this patient; with user_id or operation, the events of this user or operation.',
  query: AuditQuery,
  answer: AuditPage,
  errors: [],
  async handle(deps: Needs, { actor, query }) {
    const { patient_id: patientId, user_id: userId } = query
    if (patientId !== undefined && !isUuid(patientId)) return { items: [] }
    if (userId !== undefined && !isUuid(userId)) return { items: [] }
    const asked = {
      patientId,
      isOfPatients: query.patients_only,
      userId,
      operation: query.operation,
      from: instantOf(query.from),
      to: instantOf(query.to),
    }
    const of = { ...asked, operation: 'audit.getMulti', wanted: asked.operation }
    const request = { ...of, organizationId: actor.organizationId }
    const limit = Math.min(query.limit ?? PAGE_LIMIT, PAGE_LIMIT_MAX)
    const before = query.page_token === undefined ? undefined : readPageToken(deps.vault, request, query.page_token).id
    const stored = deps.audit.flush(actor.organizationId).then(() => true)
    if (!(await withTimeLimit(PATIENCE_MS, stored)))
      throw new DatabaseBusy('the audit trail could not be stored in time')
    const [number = '0', place] = before?.split('-') ?? []
    const position = before === undefined ? {} : { before: { number: Number(number), place: Number(place) } }
    const events = eventsOfTrail(deps.database, actor.organizationId, { ...asked, ...position })
    const page: Page = { limit, show: () => patientId !== undefined && showPatient(actor, patientId) }
    return answerOf(textsOf(deps, actor.organizationId, events, page), {
      before: '{"items":[',
      get after() {
        const end = { direction: 'next', value: null, total: 0 } as const
        const token = page.next && writePageToken(deps.vault, request, { ...end, id: page.next })
        return token === undefined ? ']}' : `],"next_page_token":${JSON.stringify(token)}}`
      },
    })
  },
})

const namesStatement = {
  name: 'audit_user_names',
  text: 'select id, name from app_user where organization_id = $1 and id = any($2::uuid[])',
}

interface Page {
  limit: number
  /** Called before the first event is shown. */
  show(): void
  /** The last event of the page, if there are more: known when all have been read. */
  next?: string
}

/** The events of a page as JSON texts, about a megabyte at a time: each of a thousand events may name a thousand patients. */
async function* textsOf(
  deps: Needs,
  organizationId: string,
  events: AsyncIterable<AuditEvent[]>,
  page: Page,
): AsyncGenerator<string[]> {
  const names = new Map<string, string | undefined>([[systemUser.id, systemUserName(deps.config)]])
  let [texts, characters, shown, last]: [string[], number, number, string?] = [[], 0, 0]
  for await (const found of events) {
    const items = found.slice(0, page.limit - shown)
    await addNames(deps, organizationId, items, names)
    if (shown === 0 && items.length > 0) page.show()
    shown += items.length
    for (const each of items) {
      const text = JSON.stringify({ ...each, user_name: names.get(each.user_id ?? '') })
      texts.push(text)
      characters += text.length
    }
    last = items.at(-1)?.id ?? last
    if (items.length < found.length) {
      if (last !== undefined) page.next = last
      break
    }
    if (characters >= CHUNK_BYTES) {
      yield texts
      ;[texts, characters] = [[], 0]
    }
  }
  yield texts
}

/** Adds the names of the users who acted. */
async function addNames(
  { database }: Needs,
  organizationId: string,
  events: AuditEvent[],
  names: Map<string, string | undefined>,
): Promise<void> {
  const ids = new Set(events.flatMap(({ user_id }) => (user_id === undefined || names.has(user_id) ? [] : user_id)))
  if (ids.size === 0) return
  for (const id of ids) names.set(id, undefined)
  const rows = await database.rows(namesStatement, [organizationId, [...ids]])
  for (const [id, name] of rows) names.set(id ?? '', name ?? undefined)
}

function instantOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : canonicalDateTime(text)
}

export const auditTrail = resource({
  path: '/anteroom/v1/audit',
  group: 'audit',
  schemas: { AuditEvent: NamedAuditEvent, AuditPage },
  routes: [
    list, // GET    /
  ],
})
