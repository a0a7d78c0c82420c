import { overloaded, type WireError } from '../contract/errors.ts'
import { QueueFull, WaitedTooLong } from './fair-share.ts'

/** What a caller is told when it got no place of a fair share: InternalError (503). Any other error is returned as it is. */
export const asOverload = (error: unknown): WireError | unknown =>
  error instanceof QueueFull || error instanceof WaitedTooLong ? overloaded() : error
