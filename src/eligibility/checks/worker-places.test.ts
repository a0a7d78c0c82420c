import { expect, it } from 'vitest'
import type { TakenCheck } from './check-queue.ts'
import { WorkerPlaces } from './worker-places.ts'

const checksOf = (organizationId: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ organizationId, id: `${organizationId}${index}` }) as TakenCheck)

/** Takes places until there are none for the waiting checks. */
function takeAll(places: WorkerPlaces): TakenCheck[] {
  const taken: TakenCheck[] = []
  for (let check = places.next(); check; check = places.next()) taken.push(check)
  return taken
}

it('checks of one organization leave a place for the next organization, whose check overtakes them', () => {
  const places = new WorkerPlaces(4)
  places.add(checksOf('a', 10))
  expect(takeAll(places).map(({ id }) => id)).toEqual(['a0', 'a1', 'a2'])
  expect([places.free, places.hasPlaceForAnother]).toEqual([1, true])
  places.add(checksOf('b', 2))
  expect(takeAll(places).map(({ id }) => id)).toEqual(['b0'])
  expect([places.free, places.hasPlaceForAnother, places.waiting.length]).toEqual([0, false, 8])
})

it('an answered check frees its place, and is held until it is stored: an organization whose answers are not stored sends no more', () => {
  const places = new WorkerPlaces(4)
  places.add(checksOf('a', 100))
  const held: TakenCheck[] = []
  for (let check = places.next(); check; check = places.next()) {
    held.push(check)
    places.leave(check)
  }
  expect(held).toHaveLength(12)
  expect(places.free).toBe(4)
  places.add(checksOf('b', 1))
  expect(places.next()?.id).toBe('b0')
  places.finish(held[0] as TakenCheck)
  places.finish(held[1] as TakenCheck)
  expect(places.next()?.organizationId).toBe('a')
})

it('withdrawn checks do not wait any more', () => {
  const places = new WorkerPlaces(1)
  places.add(checksOf('a', 3))
  places.next()
  expect(places.withdraw().map(({ id }) => id)).toEqual(['a1', 'a2'])
  expect([places.waiting.length, places.next()]).toEqual([0, undefined])
})
