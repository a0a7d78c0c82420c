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
