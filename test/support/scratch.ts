// Where tests keep databases while they run.
import { statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const IN_MEMORY = '/dev/shm'
/** Several times what a whole run keeps at a time. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * A file system in memory where the machine has plenty of it, else the folder for temporary files. To copy a cluster or a database on a disk
 * takes several times the work (decisions/0067-what-a-run-of-the-tests-costs.md). The path is short, because sockets are kept in it.
 */
export const scratchFolder = hasRoomInMemory() ? IN_MEMORY : '/tmp'

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return Math.min(bavail * bsize, freemem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) >= ROOM_BYTES
  } catch {
    return false
  }
}
