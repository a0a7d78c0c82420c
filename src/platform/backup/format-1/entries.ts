// The content of a backup of format 1, as one stream of bytes: each entry is a head in JSON and its data in blocks, the
// last of which is empty; every number is four bytes, big-endian. The last entry is the manifest of all others.
import { createHash } from 'node:crypto'
import type { Entry, EntryHead } from '../entries.ts'
import { damagedBackup } from '../refusals.ts'

/** The facts that the manifest states about an entry. */
interface Proof {
  head: EntryHead
  bytes: number
  sha256: string
}

/** A manifest has a line per table and image, and is split into blocks; a head is far smaller than this. */
const MAX_HEAD_BYTES = 1024 * 1024

/**
 * The entries without the manifest, which is compared with all of them once the last was read.
 * @throws StartupError when they are not what was written.
 */
export async function* readEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const reader = openReader(bytes)
  const proofs: Proof[] = []
  for (;;) {
    const head = parseHead(await reader.take(await lengthFrom(reader, MAX_HEAD_BYTES)))
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
    if (!isRead) throw new Error('an entry must be read to the end')
    proofs.push(proof.done())
  }
  const manifest = []
  for await (const block of blocksFrom(reader)) manifest.push(block)
  if (Buffer.concat(manifest).toString() !== JSON.stringify(proofs) || !(await reader.isAtEnd())) throw damagedBackup()
}

/** `checkEntries` validates its content. */
function parseHead(text: Buffer): EntryHead | { type: 'manifest' } {
  try {
    return Object(JSON.parse(text.toString()))
  } catch {
    throw damagedBackup()
  }
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
      while (waiting.length < count) if (!(await more())) throw damagedBackup()
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
  if (count > most) throw damagedBackup()
  return count
}
