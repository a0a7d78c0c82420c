/** The known names that look most like `name`, likeliest first: what somebody who mistyped may have meant. */
export function nearestTo(name: string, known: string[], count = 3): string[] {
  const wanted = name.toLowerCase()
  const distances = new Map(known.map((each) => [each, editDistance(wanted, each.toLowerCase())]))
  return known.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0)).slice(0, count)
}

/** How many letters must be put in, taken out or changed to make one text of the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (let column = 1; column <= to.length; column++) {
      const changed = (previous[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      current.push(Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
