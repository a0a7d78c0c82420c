import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { explainListen } from '../platform/http/explain-listen.ts'

/**
 * Opens the ports of these settings for a moment. A start opens them last, and a first one has created a database and a client by then, whose
 * secret is never shown.
 * @throws StartupError
 */
export async function requireFreePorts(config: Config): Promise<void> {
  for (const [host, port] of [
    ['HOST', 'PORT'],
    ['HOST', 'CORE_PORT'],
    ['METRICS_HOST', 'METRICS_PORT'],
  ] as const) {
    if (config[port] !== undefined) await open({ host, port }, config[host], config[port])
  }
}

async function open(settings: { host: string; port: string }, host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw explainListen(error, settings, port)
  }
  server.close()
  await once(server, 'close')
}
