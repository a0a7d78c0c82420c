import { explainedReason } from '../../../platform/database/connections/no-connection.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import type { CommandLine } from './command-line.ts'
import { showSecret } from './output.ts'

/**
 * Runs a change that makes a secret. It shows an object with the secret before its commit, so that a command that is interrupted, or whose
 * output nobody reads, stores no secret that nobody has seen. decisions/0185-secrets-are-shown-before-they-count.md
 * @throws StartupError when it cannot be shown, and when the commit fails after that.
 */
export async function reveal<T>(
  line: CommandLine,
  change: (show: (object: object) => Promise<void>) => Promise<T>,
): Promise<void> {
  let isShown = false
  try {
    await change(async (object) => {
      await showSecret(line, object)
      isShown = true
    })
  } catch (error) {
    if (!isShown) throw error
    throw new StartupError(
      `the secret above may not have been stored (${explainedReason(error)}): if it is refused, run the command again`,
      { cause: error },
    )
  }
}
