import { leavingSome } from '../fair-share.ts'
import type { NotedEvent } from './event.ts'
import { collapseRefusals } from './refusals.ts'

const MOST_EVENTS = 20_000

/** Events in memory until they are stored, by organization; SERVICE_TRAIL means none. */
export class NotedEvents {
  readonly #waiting = new Map<string, NotedEvent[]>()
  readonly #refusals = collapseRefusals()
  /** The number of events of each organization, including those that are being stored. */
  readonly #counts = new Map<string, number>()
  #count = 0

  /** The number of events of all organizations, including those that are being stored. */
  get count(): number {
    return this.#count
  }

  /** Those with events that wait to be stored, here or in the database. */
  get organizations(): string[] {
    return [...this.#waiting.keys()]
  }

  /** Returns false for a repeated refusal, which is counted with an earlier one. */
  add(organizationId: string, noted: NotedEvent): boolean {
    const list = this.#listOf(organizationId)
    if (this.#refusals.join(organizationId, noted)) return false
    list.push(noted)
    this.#change(organizationId, 1)
    return true
  }

  /** Events of this organization wait in the database. */
  expect(organizationId: string): void {
    this.#listOf(organizationId)
  }

  /** Whether there is no room for more events of this organization: it leaves some for the others. decisions/0019-fairness.md */
  isFull(organizationId: string): boolean {
    return !leavingSome(this.#counts.get(organizationId) ?? 0, MOST_EVENTS - this.#count)
  }

  /** Takes the events of an organization, to be stored; undefined if it has none, here or in the database. They count until `removeStored`. */
  take(organizationId: string): NotedEvent[] | undefined {
    const taken = this.#waiting.get(organizationId)
    this.#waiting.delete(organizationId)
    this.#refusals.forget(organizationId)
    return taken
  }

  removeStored(organizationId: string, count: number): void {
    this.#change(organizationId, -count)
  }

  /** Events that could not be stored wait again, before newer ones. */
  putBack(organizationId: string, noted: NotedEvent[]): void {
    this.#waiting.set(organizationId, [...noted, ...(this.#waiting.get(organizationId) ?? [])])
  }

  #listOf(organizationId: string): NotedEvent[] {
    const list = this.#waiting.get(organizationId) ?? []
    this.#waiting.set(organizationId, list)
    return list
  }

  #change(organizationId: string, by: number): void {
    this.#count += by
    const own = (this.#counts.get(organizationId) ?? 0) + by
    if (own > 0) this.#counts.set(organizationId, own)
    else this.#counts.delete(organizationId)
  }
}
