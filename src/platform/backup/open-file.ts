import { type FileHandle, open } from 'node:fs/promises'
import { StartupError } from '../startup-error.ts'

/** Opens a backup file for reading. @throws StartupError when there is none, or it cannot be read. */
export const openFile = (path: string): Promise<FileHandle> =>
  open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new StartupError(cause.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read`, { cause })
  })
