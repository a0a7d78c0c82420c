// The event types: what can happen to each record of the interface, and to subjects without a change feed.
import { RECORD_VERBS } from '../contract/record-verbs.ts'
import { readStoredCheck } from '../eligibility/routes/stored-checks/stored-check.routes.ts'
import { describeEventTypes, type EventSubject, VISIT } from '../events/event-types.ts'
import { scopeOf } from '../platform/http/scopes.ts'
import { type Resource, recordsOf } from '../records/resource.ts'
import type { SubjectReaders } from '../webhooks/message-body.ts'
import { resources } from './resources.ts'

const readScope = (path: string) => scopeOf({ method: 'GET', path })

function ofRecords(served: readonly Resource[]): EventSubject[] {
  return recordsOf(served).map((record) => {
    const path = served.find((resource) => resource.record === record)?.path ?? ''
    return { name: record.name, path, scope: readScope(path), verbs: RECORD_VERBS, record }
  })
}

/** The event types of these resources, and those besides them. */
export const eventTypesOf = (served: readonly Resource[]) =>
  describeEventTypes([
    ...ofRecords(served),
    { ...VISIT, path: '/appointments/v1', scope: readScope('/appointments/v1') },
    {
      name: 'eligibility_check',
      path: '/anteroom/v1/eligibility-checks',
      scope: readScope('/anteroom/v1/eligibility-checks'),
      verbs: ['finished'],
    },
    {
      name: 'eligibility_batch',
      path: '/eligibility-checks/v1/batch',
      scope: readScope('/eligibility-checks/v1/batch'),
      verbs: ['finished'],
    },
    {
      name: 'webhook',
      path: '/anteroom/v1/webhooks',
      scope: readScope('/anteroom/v1/webhooks'),
      verbs: ['disabled'],
    },
  ])

export const eventTypes = eventTypesOf(resources)

/** How a webhook that includes records reads subjects without versions. */
export const subjectReaders: SubjectReaders = {
  eligibility_check: readStoredCheck,
}
