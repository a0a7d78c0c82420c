// What a backup consists of, as one stream of bytes: each entry is a head in JSON and its data in blocks, the last of which is
// empty; every number is four bytes, big-endian. The last entry is the manifest of all before it.
import { createHash } from 'node:crypto'
import { StartupError } from '../startup-error.ts'

export type EntryHead =
  | { type: 'state'; migrations: Record<string, string>; sequences: Record<string, [value: string, isCalled: boolean]> }
  | { type: 'keys' }
  | { type: 'table'; name: string; columns: string[] }
  | { type: 'image'; key: string; content_type: string }
  | { type: 'manifest' }

export interface Entry {
  head: EntryHead
  /** Read it to its end before the next entry. */
  data: AsyncIterable<Buffer>
}

/** What the manifest says of an entry. */
interface Proof {
  head: EntryHead
  bytes: number
  sha256: string
}

const BLOCK_BYTES = 64 * 1024
/** A manifest has a line for every table and every image, and comes in blocks; a head is far smaller than this. */
const MAX_HEAD_BYTES = 1024 * 1024

/** Entries as bytes, with the manifest behind them. */
export async function* writeEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  const proofs: Proof[] = []
  for await (const { head, data } of entries) {
    yield* headBytes(head)
    const proof = newProof(head)
    for await (const piece of data) {
      proof.add(piece)
      yield* blocksOf(piece)
    }
    yield length(0)
    proofs.push(proof.done())
  }
  const manifest = Buffer.from(JSON.stringify(proofs))
  yield* headBytes({ type: 'manifest' })
  yield* blocksOf(manifest)
  yield length(0)
}

/**
 * The entries again, without the manifest, against which each was compared once the last was read.
 * @throws StartupError when they are not what was written.
 */
export async function* readEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const reader = openReader(bytes)
  const proofs: Proof[] = []
  for (;;) {
    const head = JSON.parse((await reader.take(await lengthFrom(reader, MAX_HEAD_BYTES))).toString()) as EntryHead
    if (head.type === 'manifest') break
    const proof = newProof(head)
    let isRead = false
    const data = async function* () {
      for await (const block of blocksFrom(reader)) {
        proof.add(block)
        yield block
      }
      isRead = true
    }
    yield { head, data: data() }
    if (!isRead) throw new Error('an entry must be read to its end')
    proofs.push(proof.done())
  }
  const manifest = []
  for await (const block of blocksFrom(reader)) manifest.push(block)
  if (Buffer.concat(manifest).toString() !== JSON.stringify(proofs) || !(await reader.isAtEnd())) throw damaged()
}

function newProof(head: EntryHead) {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    add(piece: Buffer) {
      hash.update(piece)
      bytes += piece.length
    },
    done: (): Proof => ({ head, bytes, sha256: hash.digest('hex') }),
  }
}

type Reader = ReturnType<typeof openReader>

function openReader(bytes: AsyncIterable<Buffer>) {
  const pieces = bytes[Symbol.asyncIterator]()
  let waiting: Buffer = Buffer.alloc(0)
  async function more(): Promise<boolean> {
    const { done, value } = await pieces.next()
    if (!done) waiting = waiting.length === 0 ? value : Buffer.concat([waiting, value])
    return !done
  }
  return {
    async take(count: number): Promise<Buffer> {
      while (waiting.length < count) if (!(await more())) throw damaged()
      const taken = waiting.subarray(0, count)
      waiting = waiting.subarray(count)
      return taken
    },
    isAtEnd: async () => waiting.length === 0 && !(await more()),
  }
}

async function* blocksFrom(reader: Reader): AsyncGenerator<Buffer> {
  for (;;) {
    const count = await lengthFrom(reader, MAX_HEAD_BYTES)
    if (count === 0) return
    yield await reader.take(count)
  }
}

async function lengthFrom(reader: Reader, most: number): Promise<number> {
  const count = (await reader.take(4)).readUInt32BE()
  if (count > most) throw damaged()
  return count
}

function* blocksOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const block = bytes.subarray(from, from + BLOCK_BYTES)
    yield length(block.length)
    yield block
  }
}

function* headBytes(head: EntryHead): Generator<Buffer> {
  const text = Buffer.from(JSON.stringify(head))
  yield length(text.length)
  yield text
}

function length(count: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(count)
  return bytes
}

const damaged = () => new StartupError('the backup does not agree with its own manifest')
