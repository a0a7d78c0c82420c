import type { Deps } from '../deps.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import type { VersionedRecord } from './record.ts'

interface ResourceDeclaration {
  /** Where its operations stand: `/notes/v1`. */
  path: string
  /** The stem of their ids: `notes` of `notes.update`. */
  group: string
  /** What it is, in the description: for the first resource under a segment of the path. */
  about?: string
  /** The versioned record that it serves: what `:id` names unless an operation says otherwise. */
  record?: VersionedRecord
  /** Schemas that the description shows by their name, beside those of the record; what is no schema is passed over. */
  schemas?: Readonly<Record<string, unknown>>
  /** Their paths begin behind the resource's own. */
  routes: readonly Endpoint<Deps>[]
}

/** One resource of the interface: its operations, in the order of the documentation, and what is derived from it. */
export interface Resource extends Omit<ResourceDeclaration, 'routes'> {
  endpoints: readonly Endpoint<Deps>[]
}

/** `resource({ path: '/notes/v1', group: 'notes', about: 'Free text.', record: note, routes: [read(note), create(note)] })` */
export function resource({ routes, ...declaration }: ResourceDeclaration): Resource {
  const { path, group, record } = declaration
  const endpoints = routes.map((route) => ({
    ...route,
    path: path + route.path,
    operation: `${group}.${route.operation}`,
    addresses: { ...(record && { id: record }), ...route.addresses },
  }))
  return { ...declaration, endpoints }
}

export const endpointsOf = (resources: readonly Resource[]): readonly Endpoint<Deps>[] =>
  resources.flatMap(({ endpoints }) => endpoints)

/** The records of the resources, each once: several may serve one. */
export const recordsOf = (resources: readonly Resource[]): readonly VersionedRecord[] => [
  ...new Set(resources.flatMap(({ record }) => record ?? [])),
]
