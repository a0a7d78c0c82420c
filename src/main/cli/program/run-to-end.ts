import { WireError } from '../../../contract/errors.ts'
import { explainLoss } from '../../../platform/database/connections/no-connection.ts'
import { reasonOf } from '../../../platform/error-code.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import { declarations } from '../commands/index.ts'
import { UsageError } from './command-line.ts'
import { escapeControls, printDiagnostic } from './output.ts'
import { runProgram } from './program.ts'

/** Runs the command line after `anteroom`, reports a failure on standard error and sets the exit code of the process. */
export async function runToEnd(args: readonly string[]): Promise<void> {
  await runProgram(args, declarations).catch(reportFailure)
}

/** One line for what a user can act on, and the stack for a fault of the program. */
export function reportFailure(thrown: unknown): void {
  const error = explainUnavailable(explainLoss(thrown)) as Error
  const isExpected = error instanceof StartupError || error instanceof UsageError
  if (isOutOfFiles(error)) printDiagnostic(`anteroom: ${TOO_MANY_FILES}`)
  else printDiagnostic(`anteroom: ${isExpected ? escapeControls(error.message) : (error.stack ?? error.message)}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}

/** The storage of images says 503 to the callers of a service, and to a command why. */
function explainUnavailable(error: unknown): unknown {
  if (!(error instanceof WireError) || error.status !== UNAVAILABLE) return error
  const { message, cause } = error
  return new StartupError(cause === undefined ? message : `${message}: ${reasonOf(cause)}`, { cause: error })
}

const UNAVAILABLE = 503

/** Also of the program's own modules, which are loaded when they are needed. */
const isOutOfFiles = ({ code = '' }: NodeJS.ErrnoException) => code === 'EMFILE' || code === 'ENFILE'
const TOO_MANY_FILES =
  'too many open files: allow this process more (ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of a container); a server needs 1,024, and one for each connection beyond 500'
