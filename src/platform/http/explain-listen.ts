import { codeOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'

/** Why a port cannot be opened, in one line that names the setting to change. */
export function explainListen(error: unknown, settings: { host: string; port: string }, port: number): Error {
  const code = codeOf(error)
  if (code === 'EADDRINUSE')
    return new StartupError(`port ${port} is in use: set ${settings.port} to another port`, { cause: error })
  if (code === 'EACCES')
    return new StartupError(`port ${port} cannot be opened by this user: set ${settings.port} to another port`, {
      cause: error,
    })
  if (code === 'EAI_AGAIN')
    return new StartupError(
      `${settings.host} cannot be looked up, because no name server answers: set it to an address`,
      {
        cause: error,
      },
    )
  // The last one: of IPv6 on a machine without.
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAFNOSUPPORT')
    return new StartupError(`${settings.host} is not an address of this machine`, { cause: error })
  return error as Error
}
