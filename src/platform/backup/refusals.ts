// Why a file is not restored, in one line each, for both formats.
import { type FileHandle, open } from 'node:fs/promises'
import { codeOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'

/** Opens a backup for reading. @throws StartupError when it cannot be opened. */
export const openToRead = (path: string): Promise<FileHandle> =>
  open(path).catch((cause: unknown) => {
    throw unreadableBackup(path, cause)
  })

const UNREADABLE: Record<string, string> = {
  EISDIR: 'it is a folder, and a backup is a file',
  EACCES: 'this account may not read it',
}

export function unreadableBackup(path: string, cause: unknown): StartupError {
  const code = codeOf(cause) ?? ''
  const reason = UNREADABLE[code] ?? code
  return new StartupError(code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${reason}`, {
    cause,
  })
}

export const notABackup = (path: string) => new StartupError(`${path} is not a backup of Anteroom`)

export const alteredBackup = (path: string, options?: ErrorOptions) =>
  new StartupError(`${path} was altered or truncated after it was written`, options)

export const unknownFormat = (version: unknown) =>
  new StartupError(`the backup has format version ${version}, and this program supports versions 1 and 2`)

/** The message shows no name, because the creator of the file could choose it. */
export const damagedBackup = (options?: ErrorOptions) =>
  new StartupError('the backup is damaged or was not written by Anteroom: nothing was restored', options)
