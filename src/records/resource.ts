import type { TSchema } from 'typebox'
import type { Deps } from '../deps.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import type { Permits } from '../platform/http/scopes.ts'
import type { VersionedRecord } from './record.ts'

interface ResourceDeclaration {
  /** The path of its operations: `/notes/v1`. */
  path: string
  /** The prefix of the operation ids: `notes` in `notes.update`. */
  group: string
  /** What it is, for the API description: on the first resource under a segment of the path. */
  about?: string
  /** On one resource under a segment of the path, whose scopes they are. */
  permits?: Permits
  /** The versioned record that it serves: `:id` is the id of this record unless an operation declares otherwise. */
  record?: VersionedRecord
  /**
   * Schemas that the API description lists by name, besides those of the record; values that are not schemas are
   * skipped.
   */
  schemas?: Readonly<Record<string, unknown>>
  /** Its operations; their paths are relative to the resource's path. */
  routes: readonly Endpoint<Deps>[]
}

/** One resource of the interface: its operations, in the order of the documentation, and what is derived from it. */
export interface Resource extends Omit<ResourceDeclaration, 'routes'> {
  endpoints: readonly Endpoint<Deps>[]
}

/** `resource({ path: '/notes/v1', group: 'notes', about: 'Free text.', record: note, routes: [read(note), create(note)] })` */
export function resource({ routes, ...declaration }: ResourceDeclaration): Resource {
  const { path, group, record, permits } = declaration
  const endpoints = routes.map((route) => ({
    ...route,
    path: path + route.path,
    operation: `${group}.${route.operation}`,
    addresses: { ...(record && { id: record }), ...route.addresses },
    answersPatients: record?.patients === 'itself' && answers(record, route.answer),
    ...(permits && { permits }),
  }))
  return { ...declaration, endpoints }
}

/** Whether an answer is such records: one, a list or a page. */
function answers(record: VersionedRecord, answer: TSchema | undefined): boolean {
  const { items, properties } = (answer ?? {}) as { items?: TSchema; properties?: { items?: { items?: TSchema } } }
  return [answer, items, properties?.items?.items].includes(record.wire)
}

export const endpointsOf = (resources: readonly Resource[]): readonly Endpoint<Deps>[] =>
  resources.flatMap(({ endpoints }) => endpoints)

/** The records of all resources, each once: several resources may serve the same record. */
export const recordsOf = (resources: readonly Resource[]): readonly VersionedRecord[] => [
  ...new Set(resources.flatMap(({ record }) => record ?? [])),
]
