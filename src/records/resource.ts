import type { Deps } from '../deps.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Route } from './endpoints.ts'

/** A resource's operations, made when the app is built. */
export type Resource = (deps: Deps) => Endpoint[]

/** Binds a route table to its address: `resource('/notes/v1', 'notes', [read(note), create(note)])`. */
export function resource(base: string, group: string, routes: Route[]): Resource {
  return (deps) =>
    routes.map((route) => {
      const endpoint = route(deps, base)
      return { ...endpoint, operation: `${group}.${endpoint.operation}` }
    })
}
