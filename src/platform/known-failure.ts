// What a log may say of an error. Its message may quote a value that a driver or PostgreSQL refused, so it is only compared with known ones.
import { isTransientDatabaseError } from './database/errors.ts'
import { startAdvice } from './database/start-failure.ts'
import { codeOf } from './error-code.ts'
import { statedReasonOf } from './stated-reason.ts'

const MISSING_MODULE = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']
const OF_DISKS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']

/** A file of the installation that cannot be opened, read or written: its disk, or a program that is being replaced. An error of a connection names no path. */
export function isFileFailure(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (MISSING_MODULE.includes(code)) return true
  return error instanceof Error && 'syscall' in error && ('path' in error || OF_DISKS.includes(code))
}

/** The code of an error, its reason where that is in our own words, and what an operator can do about it, where that is known. */
export function describeFailure(error: unknown): { code?: string; reason?: string; advice?: string } {
  const code = codeOf(error)
  const { message = '', hint = '' } = (error ?? {}) as { message?: string; hint?: string }
  const isOfTheMachine = isFileFailure(error) || isTransientDatabaseError(error ?? {})
  const advice = isOfTheMachine ? startAdvice(`${message} ${hint}`) : ''
  return { ...(code !== undefined && { code }), ...statedReasonOf(error), ...(advice !== '' && { advice }) }
}
