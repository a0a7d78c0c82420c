// From settings to dependencies, and closing them again: shared by `serve`, the worker and the commands that ask payers.
import type { FastifyBaseLogger } from 'fastify'
import { usesSandbox } from '../clearinghouses/uses-sandbox.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { Sandbox } from '../tools/sandbox/sandbox.ts'
import { type DatabaseUse, type Meanwhile, type Opened, openMigratedDatabase } from './open-database.ts'

/**
 * The dependencies of a server, a worker or a command that asks payers: the database of these settings, a sandbox when
 * no other clearinghouse is configured, and everything built on them.
 * @throws StartupError; what was opened until then is closed again.
 */
export async function openService(
  config: Config,
  log: FastifyBaseLogger,
  use: DatabaseUse,
): Promise<Opened<{ deps: Deps; sandbox: Sandbox | undefined }>> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) {
      await closeOne().catch((error: Error) => log.warn({ type: error.name }, 'a component did not close'))
    }
  }
  try {
    const meanwhile: Meanwhile = (doing) => Promise.all([use.meanwhile?.(doing), load()])
    const database = await openMigratedDatabase(config, log, { ...use, meanwhile })
    closers.push(database.close)
    const [{ assembleDeps }, { openSandbox }] = await load()
    const sandbox = usesSandbox(config) ? await openSandbox({ port: 0, roster: config.SANDBOX_ROSTER }) : undefined
    if (sandbox) closers.push(sandbox.close)
    const deps = await assembleDeps(config, database.value, sandbox?.url, log)
    closers.push(deps.tracing.close, () => deps.audit.close())
    return { value: { deps, sandbox }, close }
  } catch (error) {
    await close()
    throw error
  }
}

const load = () => Promise.all([import('./assemble-deps.ts'), import('./open-sandbox.ts')])
