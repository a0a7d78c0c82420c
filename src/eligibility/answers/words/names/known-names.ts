import { LRUCache } from 'lru-cache'

/** Far more names than the payers and plans of a day have. */
const NAMES_MAX = 1_000
/** Two names of a payer (NM103 has 60 characters) in JSON. A longer text is not a name, and is not cached. */
const LONGEST_NAME = 130

/** Caches what is read from the few names of payers and plans, which every answer of a payer repeats. */
export function cachedByName<Read>(read: (name: string) => Read): (name: string) => Read {
  const known = new LRUCache<string, { read: Read }>({ max: NAMES_MAX })
  return (name) => {
    const cached = known.get(name)
    if (cached) return cached.read
    if (name.length > LONGEST_NAME) return read(name)
    const own = copyOf(name)
    const found = read(own)
    known.set(own, { read: found })
    return found
  }
}

/** A part of an answer refers to the whole text of it: what is kept must be a text of its own. */
const copyOf = (text: string): string => JSON.parse(JSON.stringify(text))
