import type { Deps } from '../deps.ts'
import type { Endpoint } from '../http/endpoint.ts'

/** A resource's operations, in the order of the documentation. */
export type Resource = readonly Endpoint<Deps>[]

/** Puts a route table under its address: `resource('/notes/v1', 'notes', [read(note), create(note)])`. */
export function resource(base: string, group: string, routes: readonly Endpoint<Deps>[]): Resource {
  return routes.map((route) => ({
    ...route,
    path: base + route.path,
    operation: `${group}.${route.operation}`,
  }))
}
