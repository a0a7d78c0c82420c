// Where tests keep databases while they run.
import { execFile } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const IN_MEMORY = '/dev/shm'
/** Several times what a whole run keeps at a time. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * A file system in memory where the machine has plenty of it, else the folder for temporary files. To copy a cluster or a database on a disk
 * takes several times the work (decisions/0067-what-a-run-of-the-tests-costs.md). The path is short, because sockets are kept in it.
 */
export const scratchFolder = hasRoomInMemory() ? IN_MEMORY : '/tmp'

/** With owners and modes; `to` must not exist. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

const REMOVALS = 10

/** With what is in it, if it is there. Node's own takes five times the work for the thousand files of a cluster. */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await promisify(execFile)('rm', ['-rf', '--', folder])
      return
    } catch (error) {
      // A process that ends may have written a file meanwhile.
      if (attempt === REMOVALS) throw error
      await delay(100 * attempt)
    }
  }
}

function hasRoomInMemory(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
    const options = mounts.findLast(([, place]) => place === IN_MEMORY)?.[3]?.split(',') ?? ['noexec']
    // PostgreSQL's programs are copied beside a database where its account cannot reach ours.
    if (options.includes('noexec')) return false
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return Math.min(bavail * bsize, freemem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) >= ROOM_BYTES
  } catch {
    return false
  }
}
