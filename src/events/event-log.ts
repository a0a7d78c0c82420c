// The event log as its readers see it. decisions/0039-events.md
import type { OtherEventType, OtherSubject } from '../contract/event-verbs.ts'
import type { Database, Statement } from '../platform/database/database.ts'
import { instant } from '../platform/database/instant.ts'
import type { EventDetail } from './event.schema.ts'
import type { EventTypes } from './event-types.ts'

export interface StoredEvent {
  number: number
  id: string
  type: string
  at: string
  recordType: string
  recordId: string
  version: number | undefined
  detail: object
}

export const EVENT_COLUMNS = `e.number, e.id, e.type, ${instant('e.at')}, e.record_type, e.record_id, e.version, e.detail::text`

/** A row of EVENT_COLUMNS. */
export function toEvent([number, id, type, at, recordType, recordId, version, detail]: readonly string[]): StoredEvent {
  return {
    number: Number(number),
    id: id ?? '',
    type: type ?? '',
    at: at ?? '',
    recordType: recordType ?? '',
    recordId: recordId ?? '',
    version: version ? Number(version) : undefined,
    detail: JSON.parse(detail ?? '{}'),
  }
}

const readStatement: Statement = {
  name: 'event_read',
  text: `select ${EVENT_COLUMNS} from event e where organization_id = $1 and number > $2 order by number limit $3`,
}

/** Events after a number, in order. */
export async function readEvents(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  return (await database.rows(readStatement, [organizationId, after, limit])).map(toEvent)
}

export interface LogEnds {
  last: number
  /** Events up to this number are no longer kept. */
  pruned: number
}

const endsStatement: Statement = {
  name: 'event_log_ends',
  text: 'select last_number, pruned_number from event_log where organization_id = $1',
}

/** Undefined when the organization has never had a listener. */
export async function readEnds(database: Pick<Database, 'row'>, organizationId: string): Promise<LogEnds | undefined> {
  const row = await database.row(endsStatement, [organizationId])
  return row && { last: Number(row[0]), pruned: Number(row[1]) }
}

const leaveStatement: Statement = {
  name: 'event_leave',
  text: 'insert into event_pending (organization_id, type, record_type, record_id, detail) values ($1, $2, $3, $4, $5)',
}

/** Stores an event that does not come from a change feed; `database` is the transaction of the change. */
export async function recordOwnEvent<Subject extends OtherSubject>(
  database: Pick<Database, 'rows'>,
  event: {
    organizationId: string
    subject: Subject
    type: OtherEventType<NoInfer<Subject>>
    id: string
    detail: EventDetail
  },
): Promise<void> {
  const { organizationId, subject, type, id, detail } = event
  await database.rows(leaveStatement, [organizationId, type, subject, id, JSON.stringify(detail)])
}

/** An event in its wire form. `baseUrl` is the address of the service for callers; without it links are paths. */
export function eventJson(types: EventTypes, organizationId: string, event: StoredEvent, baseUrl = ''): object {
  const path = types.subjectOf(`${event.recordType}.`)?.path ?? types.subjectOf(event.type)?.path ?? ''
  return {
    id: event.id,
    number: event.number,
    type: event.type,
    timestamp: event.at,
    data: {
      organization_id: organizationId,
      record_type: event.recordType,
      id: event.recordId,
      ...(event.version !== undefined && { version: event.version }),
      link: `${baseUrl.replace(/\/$/, '')}${path}/${event.recordId}`,
      ...event.detail,
    },
  }
}
