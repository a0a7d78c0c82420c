// The answers that arrive or are read, of all organizations together. decisions/0170-what-others-wait-for.md
import { createByteShare } from '../platform/byte-share.ts'

/** Twenty thousand usual answers, or thirty of the largest. */
const BYTES = 128 * 1024 * 1024

/**
 * A partner decides how many bytes it sends and when the last one comes, and an organization may be its own partner. Sharers are the connections of a
 * connector while an answer arrives, and the organization while it is read.
 */
export const answersInMemory = createByteShare<object | string>(BYTES)

/** Too many bytes of other answers are in memory. */
export class NoRoom extends Error {}

/** The bytes of one answer, counted from its first chunk until it is handed to its connector. */
export class HeldBytes {
  readonly #sharer: object
  #bytes = 0

  constructor(sharer: object) {
    this.#sharer = sharer
  }

  /** @throws NoRoom */
  add(bytes: number): void {
    if (!answersInMemory.hasRoomFor(this.#sharer, bytes)) throw new NoRoom('too many answers are arriving')
    answersInMemory.add(this.#sharer, bytes)
    this.#bytes += bytes
  }

  release(): void {
    answersInMemory.add(this.#sharer, -this.#bytes)
    this.#bytes = 0
  }
}
