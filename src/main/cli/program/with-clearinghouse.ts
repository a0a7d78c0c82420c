import { readConfig } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { openService } from '../../service.ts'
import { commandLog } from './output.ts'

/**
 * Runs a command that asks payers, like a server does: without a clearinghouse in the settings, with a sandbox of its
 * own.
 */
export async function withClearinghouse<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const service = await openService(readConfig(), commandLog(), { role: 'command', data: 'existing' })
  try {
    return await work(service.value.deps)
  } finally {
    await service.close()
  }
}
