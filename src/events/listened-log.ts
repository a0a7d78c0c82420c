/** An event as every listener of its organization receives it. */
export interface LiveEvent {
  number: number
  type: string
  /** Its JSON text. */
  json: string
}

/** Reads at most one page of the events after a number. */
type ReadPage = (after: number) => Promise<LiveEvent[]>

/** The event log of one organization as its listeners share it: each page is read once for those at the same position. */
export class ListenedLog {
  readonly #readPage: ReadPage
  readonly #wakes = new Set<() => void>()
  /** The number of the last known event. */
  #last = 0
  /** The latest page, for listeners whose position is before or within it. */
  #recent: LiveEvent[] = []
  /** Reads in progress, by the number that they start after. */
  readonly #reading = new Map<number, Promise<LiveEvent[]>>()
  /** Whether changes are being collected into the log. */
  isCollecting = false

  constructor(readPage: ReadPage) {
    this.#readPage = readPage
  }

  get listeners(): number {
    return this.#wakes.size
  }

  add(wake: () => void): void {
    this.#wakes.add(wake)
  }

  remove(wake: () => void): void {
    this.#wakes.delete(wake)
  }

  /** The log has events up to this number: wakes the listeners if some are new. */
  reach(last: number): void {
    if (last <= this.#last) return
    this.#last = last
    for (const wake of this.#wakes) wake()
  }

  async read(after: number): Promise<LiveEvent[]> {
    const at = this.#recent.findIndex(({ number }) => number === after + 1)
    return at >= 0 ? this.#recent.slice(at) : this.#readTogether(after)
  }

  #readTogether(after: number): Promise<LiveEvent[]> {
    const begun = this.#reading.get(after)
    if (begun) return begun
    const reading = this.#readPage(after)
      .then((read) => {
        if ((read.at(-1)?.number ?? 0) > (this.#recent.at(-1)?.number ?? 0)) this.#recent = read
        return read
      })
      .finally(() => this.#reading.delete(after))
    this.#reading.set(after, reading)
    return reading
  }
}
