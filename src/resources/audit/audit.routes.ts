// An Anteroom operation under /anteroom/v1: the audit trail of the caller's organization. decisions/0013-audit-trail.md

import { type Static, Type } from 'typebox'
import { canonicalDateTime, isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { showPatient } from '../../platform/audit/audit-context.ts'
import { AuditEvent } from '../../platform/audit/event.ts'
import { readTrail } from '../../platform/audit/read-trail.ts'
import { systemUser, systemUserName } from '../../platform/auth/system-user.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { readPageToken, writePageToken } from '../../platform/http/page-token.ts'
import { PAGE_LIMIT, PAGE_LIMIT_MAX } from '../../records/page.ts'
import { resource } from '../../records/resource.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'vault' | 'audit'>

const AuditQuery = Type.Object({
  patient_id: Type.Optional(Type.String()),
  patients_only: Type.Optional(Type.Boolean()),
  /** What this user did: a person, or the client that acts as that user. */
  user_id: Type.Optional(Type.String()),
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
export const AuditPage = Type.Object({
  items: Type.Array(NamedAuditEvent),
  next_page_token: Type.Optional(Type.String()),
})

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
    const patientId = query.patient_id?.toLowerCase()
    if (patientId !== undefined && !isUuid(patientId)) return { items: [] }
    const userId = query.user_id?.toLowerCase()
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
    await deps.audit.flush(actor.organizationId)
    const [number = '0', place] = before?.split('-') ?? []
    const position = before === undefined ? {} : { before: { number: Number(number), place: Number(place) } }
    // One row more than is shown reveals whether there is a next page.
    const found = await readTrail(deps.database, actor.organizationId, { ...asked, ...position, limit: limit + 1 })
    const items = await withNames(deps, actor.organizationId, found.slice(0, limit))
    if (patientId !== undefined && items.length > 0) showPatient(actor, patientId)
    const last = found.length > limit ? items.at(-1) : undefined
    const end = { direction: 'next', value: null, total: 0 } as const
    return { items, ...(last && { next_page_token: writePageToken(deps.vault, request, { ...end, id: last.id }) }) }
  },
})

const namesStatement = {
  name: 'audit_user_names',
  text: 'select id, name from app_user where organization_id = $1 and id = any($2::uuid[])',
}

async function withNames(
  { database, config }: Needs,
  organizationId: string,
  events: AuditEvent[],
): Promise<Static<typeof NamedAuditEvent>[]> {
  const ids = [...new Set(events.flatMap(({ user_id }) => user_id ?? []))]
  const rows = await database.rows(namesStatement, [organizationId, ids])
  const names = new Map([[systemUser.id, systemUserName(config)], ...rows] as [string, string][])
  return events.map((event) => {
    const name = names.get(event.user_id ?? '')
    return name === undefined ? event : { ...event, user_name: name }
  })
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
