// Bodies in very many small chunks (RFC 9112 7.1), of callers and of clearinghouses. Node and undici read a chunk in 2 to 3 µs and keep it in some
// 100 bytes, even if it holds one: a client that sends nothing else keeps all callers waiting for seconds and fills the memory
// (decisions/0020-bounded-work.md).

/** A client that sends each word of its JSON in a chunk of its own sends 40 kB in this many. */
export const CHUNKS_MAX = 4096
/** Of this size each, a chunk costs little more than its bytes, and there may be any number. */
const BYTES_A_CHUNK = 128

/** Read in half a millisecond, after which others have their turn where that is possible. */
export const CHUNKS_A_TURN = 256

/** Counts the chunks of one body: whether it may continue after one of that many bytes. */
export function limitChunks(chunksMax = CHUNKS_MAX): (bytes: number) => boolean {
  let [chunks, received] = [0, 0]
  return (bytes) => {
    chunks++
    received += bytes
    return chunks <= chunksMax + received / BYTES_A_CHUNK
  }
}
