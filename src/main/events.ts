// The event types: what can happen to each record of the interface, and to the other subjects.
import { OTHER_EVENTS, type OtherSubject, RECORD_VERBS } from '../contract/event-verbs.ts'
import { readStoredCheck } from '../eligibility/routes/stored-checks/stored-check.routes.ts'
import { describeEventTypes, type EventSubject } from '../events/event-types.ts'
import { scopeOf } from '../platform/http/scopes.ts'
import { type Resource, recordsOf } from '../records/resource.ts'
import { appointment } from '../resources/appointments/appointment.ts'
import { visitEvents } from '../resources/appointments/visit-events.ts'
import type { SubjectReaders } from '../webhooks/message-body.ts'
import { resources } from './resources.ts'

const readScope = (path: string) => scopeOf({ method: 'GET', path })

function ofRecords(served: readonly Resource[]): EventSubject[] {
  return recordsOf(served).map((record) => {
    const path = served.find((resource) => resource.record === record)?.path ?? ''
    return { name: record.name, path, scope: readScope(path), verbs: RECORD_VERBS, record }
  })
}

/** Under which path each of the other subjects is read, and where its events come from unless they are stored by `recordOwnEvent`. */
const OTHERS: Readonly<Record<OtherSubject, Pick<EventSubject, 'path' | 'within'>>> = {
  visit: { path: '/appointments/v1', within: { record: appointment, select: visitEvents } },
  eligibility_check: { path: '/anteroom/v1/eligibility-checks' },
  eligibility_batch: { path: '/eligibility-checks/v1/batch' },
  webhook: { path: '/anteroom/v1/webhooks' },
}

const others = (Object.keys(OTHERS) as OtherSubject[]).map((name): EventSubject => {
  const place = OTHERS[name]
  return { name, scope: readScope(place.path), verbs: OTHER_EVENTS[name], ...place }
})

/** The event types of these resources, and those besides them. */
export const eventTypesOf = (served: readonly Resource[]) => describeEventTypes([...ofRecords(served), ...others])

export const eventTypes = eventTypesOf(resources)

/** How a webhook that includes records reads subjects without versions. */
export const subjectReaders: SubjectReaders = {
  eligibility_check: readStoredCheck,
}
