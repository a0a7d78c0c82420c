/**
 * The reason why a command cannot start, written for its user: one clear line, printed without a stack, exit code 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
