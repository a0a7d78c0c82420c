/** The known names that look most like `name`, likeliest first: what somebody who mistyped may have meant. */
export function nearestTo(name: string, known: string[], count = 3): string[] {
  const wanted = name.toLowerCase()
  const nearest: { name: string; distance: number }[] = []
  for (const each of known) {
    const limit = nearest.length < count ? Infinity : (nearest.at(-1)?.distance ?? 0)
    const distance = editDistance(wanted, each.toLowerCase(), limit)
    if (distance >= limit) continue
    const place = nearest.findIndex((other) => other.distance > distance)
    nearest.splice(place === -1 ? nearest.length : place, 0, { name: each, distance })
    nearest.length = Math.min(nearest.length, count)
  }
  return nearest.map((each) => each.name)
}

/**
 * How many letters must be put in, taken out or changed to make one text of the other (Levenshtein); Infinity where it is seen on the
 * way that they are `limit` or more, so that most names of a long list are hardly looked at.
 */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return Infinity
  const row = Uint16Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let at = 0; at < from.length; at++) {
    let [above, left, least] = [at, at + 1, at + 1]
    row[0] = left
    for (let column = 1; column <= to.length; column++) {
      const changed = above + (from.charCodeAt(at) === to.charCodeAt(column - 1) ? 0 : 1)
      above = row[column] as number
      left = Math.min(changed, above + 1, left + 1)
      row[column] = left
      if (left < least) least = left
    }
    if (least >= limit) return Infinity
  }
  return row[to.length] as number
}
