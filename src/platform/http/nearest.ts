import { distance } from 'fastest-levenshtein'

/**
 * A longer text is not a mistyped name. The limit also bounds the work, which grows with the length of the text and the
 * number of names.
 */
export const NEAREST_LENGTH_MAX = 50

/** The known names that are closest to `name`, best first; none for a text longer than NEAREST_LENGTH_MAX. */
export function nearestTo(name: string, known: readonly string[], count = 3): string[] {
  if (name.length > NEAREST_LENGTH_MAX) return []
  const wanted = name.toLowerCase()
  const nearest: { name: string; distance: number }[] = []
  for (const each of known) {
    const limit = nearest.length < count ? Infinity : (nearest.at(-1)?.distance ?? 0)
    // The difference in length is the least number of changes.
    if (Math.abs(each.length - wanted.length) >= limit) continue
    const changes = distance(wanted, each.toLowerCase())
    if (changes >= limit) continue
    const place = nearest.findIndex((other) => other.distance > changes)
    nearest.splice(place === -1 ? nearest.length : place, 0, { name: each, distance: changes })
    nearest.length = Math.min(nearest.length, count)
  }
  return nearest.map((each) => each.name)
}
