import { StartupError } from '../platform/startup-error.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../tools/sandbox/sandbox.ts'

/** The sandbox clearinghouse. @throws StartupError with one line for an invalid roster or a port in use. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const line =
      code === 'EADDRINUSE'
        ? `port ${options.port} is in use: choose another with --port`
        : message.replace(/:\s*\n\s*/, ': ').replaceAll(/\s*\n\s*/g, '; ')
    throw new StartupError(line, { cause: error })
  }
}
