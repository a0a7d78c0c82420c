/** Why a command cannot start, written for the person who typed it: one clear line, printed alone, exit code 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
