import { execFileSync } from 'node:child_process'
import { closeSync, openSync, read, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** libuv's default. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4)

/** Keeps every thread of this process's pool busy, whatever the speed of the machine, until the function that it returns is called. */
export async function holdThreads(): Promise<() => void> {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-threads-'))
  const path = join(folder, 'fifo')
  execFileSync('mkfifo', [path])
  const fifo = openSync(path, 'r+')
  await rm(folder, { recursive: true })
  let held = THREADS
  // Each waits for a byte.
  for (let thread = 0; thread < THREADS; thread++)
    read(fifo, Buffer.alloc(1), 0, 1, null, () => {
      held--
      if (held === 0) closeSync(fifo)
    })
  return () => void writeSync(fifo, Buffer.alloc(THREADS))
}
