// Masking of large answers in pieces that each take a turn of the event loop. decisions/0020-bounded-work.md

export type Turn = () => Promise<void> | undefined

/** Finds numbers in values, and masks them. */
export interface Masker {
  /** Finds the numbers that a value identifies. */
  collect(value: unknown): void
  collectMember(holder: object, key: string, value: unknown): void
  /** Masks those that were found, in any position. A value without any is returned unchanged. Nothing is collected after it. */
  mask(value: unknown): unknown
  maskMember(holder: object, key: string, value: unknown): unknown
  maskName(name: string): string
}

/** The values of one piece, a few milliseconds of work; this many characters of a text count as one value. */
const PIECE = 3000
const CHARACTERS = 100

/** Awaits `turn` when a piece is complete; `size` is that of the value which is next. */
type Pace = (size: number) => Promise<void> | undefined

export function pacedBy(turn: Turn): Pace {
  let done = 0
  return (size) => {
    done += size
    if (done < PIECE) return undefined
    done = size
    return turn()
  }
}

/** `masker.collect` in pieces. */
export async function collectInTurns(value: unknown, masker: Masker, pace: Pace): Promise<void> {
  if (!isLong(value)) return masker.collect(value)
  for (const [key, each] of Object.entries(value)) {
    const size = sizeOf(each)
    await pace(size)
    if (size >= PIECE && isHolder(each)) await collectInTurns(each, masker, pace)
    else if (Array.isArray(value)) masker.collect(each)
    else masker.collectMember(value, key, each)
  }
}

/** `masker.mask` in pieces; what is long is copied. */
export async function maskedInTurns(value: unknown, masker: Masker, pace: Pace): Promise<unknown> {
  if (!isLong(value)) return masker.mask(value)
  const isList = Array.isArray(value)
  const entries: [string, unknown][] = []
  for (const [key, each] of Object.entries(value)) {
    const size = sizeOf(each)
    await pace(size)
    const masked =
      size >= PIECE && isHolder(each)
        ? await maskedInTurns(each, masker, pace)
        : isList
          ? masker.mask(each)
          : masker.maskMember(value, key, each)
    entries.push([isList ? key : masker.maskName(key), masked])
  }
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const isLong = (value: unknown): value is object => isHolder(value) && sizeOf(value) >= PIECE

/** How many values there are, counted up to a piece. */
function sizeOf(value: unknown, max = PIECE): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS
  if (!isHolder(value)) return 1
  let size = 1
  for (const key in value) {
    size += sizeOf(value[key as keyof typeof value], max - size)
    if (size >= max) break
  }
  return size
}
