/** How much of a refused body is read and discarded, so that a client that is still sending gets to read the answer: 413, or 503 when the disk is full. */
export const DISCARD_LIMIT_BYTES = 64 * 1024 * 1024
