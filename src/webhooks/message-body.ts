// The body of a delivery: ids only, unless the webhook includes records.

import type { OtherSubject } from '../contract/event-verbs.ts'
import type { Deps } from '../deps.ts'
import { eventJson, type StoredEvent } from '../events/event-log.ts'
import type { EventSubject, EventTypes } from '../events/event-types.ts'
import { systemUser } from '../platform/auth/system-user.ts'
import { readVersion } from '../records/store.ts'
import type { Target } from './webhook-store.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'vault' | 'audit' | 'now' | 'newId'>

/** How a subject without versions is read, by its name. */
export type SubjectReaders = Readonly<
  Partial<Record<OtherSubject, (deps: Needs, organizationId: string, id: string) => Promise<string | undefined>>>
>

/** Receivers refuse much longer bodies: a longer record is left out, and the link refers to it. */
const RECORD_MAX_CHARACTERS = 256 * 1024

/** The JSON text of a delivery. A record that is included is audited as disclosed. */
export async function messageBody(
  deps: Needs,
  { types, readers }: { types: EventTypes; readers: SubjectReaders },
  target: Target,
  event: StoredEvent,
): Promise<string> {
  const thin = JSON.stringify(eventJson(types, target.organizationId, event, deps.config.PUBLIC_URL))
  if (!target.includesRecord) return thin
  const subject = types.subjectOf(`${event.recordType}.`)
  const record = subject && (await readSubject(deps, readers, subject, target, event))
  if (record === undefined || record.length > RECORD_MAX_CHARACTERS) return thin
  noteDisclosure(deps, target, event, subject?.record?.patients === 'itself')
  return `${thin.slice(0, -2)},"record":${record}}}`
}

function readSubject(
  deps: Needs,
  readers: SubjectReaders,
  { name, record }: EventSubject,
  { organizationId }: Target,
  event: StoredEvent,
): Promise<string | undefined> {
  // The version of the event, so that a late delivery is not mistaken for a later change.
  if (record) return readVersion(deps, record, { organizationId, id: event.recordId, version: event.version ?? 0 })
  return readers[name as OtherSubject]?.(deps, organizationId, event.recordId) ?? Promise.resolve(undefined)
}

/**
 * Audits the disclosure of a record to a third party (45 CFR 164.312(b), 164.528): which record, whose, and to which
 * webhook.
 */
function noteDisclosure(deps: Needs, target: Target, event: StoredEvent, isPatient: boolean): void {
  deps.audit.note(target.organizationId, {
    event: {
      at: deps.now().toISOString(),
      operation: 'system.webhooks.deliver',
      user_id: systemUser.id,
      request_id: target.id,
      record_type: event.recordType,
      record_ids: [event.recordId],
      ...(event.version !== undefined && { version: event.version }),
      ...(isPatient && { patient_ids: [event.recordId] }),
    },
    ...(!isPatient && { clues: { mrns: [], recordIds: [event.recordId] } }),
  })
}
