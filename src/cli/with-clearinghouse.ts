import { pino } from 'pino'
import { usesSandbox } from '../clearinghouses/index.ts'
import { readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { assembleDeps, openMigratedDatabase, openSandbox } from '../service.ts'

/** Runs a command that asks payers, like a server: without a clearinghouse in the settings, on a sandbox of its own. */
export async function withClearinghouse<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig()
  const database = await openMigratedDatabase(config, pino({ level: 'silent' }), 'command')
  try {
    const sandbox = usesSandbox(config) ? await openSandbox({ port: 0, roster: config.SANDBOX_ROSTER }) : undefined
    try {
      return await work(await assembleDeps(config, database.value, sandbox?.url))
    } finally {
      await sandbox?.close()
    }
  } finally {
    await database.close()
  }
}
