// Why a folder of this installation cannot be written, in words for its operator: for which account, and what to do.
import { userInfo } from 'node:os'
import { resolve } from 'node:path'

const REASONS: Record<string, string> = {
  EROFS: 'its disk is mounted read-only: mount it for writing',
  ENOSPC: 'its disk is full: free some space',
  EDQUOT: 'the disk quota of its account is exhausted: free some space',
  ENOTDIR: 'a part of its path is a file, not a folder: choose another one',
  EEXIST: 'it is a file, not a folder: choose another one',
}

export function whyUnwritable(folder: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') {
    const account = osUser()
    return `the account ${account} may not write there: give it the folder (as root: install -d -m 700 -o ${account} ${resolve(folder)}), or choose another one`
  }
  return REASONS[code ?? ''] ?? code ?? message
}

/** The operating system account of this process, or its user id when the account has no name. */
export function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
