import cluster from 'node:cluster'
import { type Config, readConfig } from '../../config.ts'
import { type RunningServer, startServer } from '../server.ts'
import { announce, startMember, startProcesses, type Welcome } from '../supervisor.ts'
import type { CommandLine } from './command-line.ts'
import { openLog } from './open-log.ts'
import { print } from './output.ts'
import { untilStopped } from './until-stopped.ts'

export async function serve({ flags }: CommandLine): Promise<void> {
  const config = readConfig()
  const count = Number(flags.workers ?? 1)
  if (cluster.isWorker) return answerWithOthers(config, count)
  const log = await openLog(config)
  const { logger } = log
  if (count === 1) {
    const server = await untilStopped((stopping) => startServer(config, logger, { stopping }), { config, log })
    welcome({ ...server, sandboxUrl: server.sandbox?.url })
    return
  }
  welcome(await untilStopped((stopping) => startProcesses(config, logger, { count, stopping }), { config, log }))
}

/** One of several processes: its log lines contain its process id. */
async function answerWithOthers(config: Config, count: number): Promise<void> {
  const log = await openLog(config)
  const logger = log.logger.child({ process: process.pid })
  try {
    announce(await untilStopped((stopping) => startMember(config, logger, { count, stopping }), { config, log }))
  } catch (error) {
    // The channel to the supervisor would otherwise keep this process alive.
    cluster.worker?.disconnect()
    throw error
  }
}

/** Written in one piece, so that a program that waits for the first line receives the others with it. */
function welcome({ url, coreUrl, sandboxUrl, firstClient, firstUser }: Welcome): void {
  const lines = [`Anteroom answers on ${url}${coreUrl ? ` and ${coreUrl}` : ''}`]
  lines.push(`Console on ${url}/console`)
  if (sandboxUrl) lines.push(`Sandbox clearinghouse on ${sandboxUrl}`)
  if (firstClient) lines.push(...firstClientLines(url, firstClient))
  if (firstUser) {
    lines.push('The first user signs in to the console with a password that is not shown again.')
    lines.push(`  username         ${firstUser.username}`, `  password         ${firstUser.password}`, '')
  }
  print(lines.join('\n'))
}

function firstClientLines(url: string, client: NonNullable<RunningServer['firstClient']>): string[] {
  const { client_id, client_secret, organization_id } = client
  return [
    '',
    'This is the first start: the organization "sandbox" has one client. Its secret is not shown again.',
    `  organization_id  ${organization_id}`,
    `  client_id        ${client_id}`,
    `  client_secret    ${client_secret}`,
    // Read from the terminal, so that it appears neither in the shell's history nor in the process list.
    'Obtain an access token (the command waits for you to enter the secret):',
    `  read -rs S; printf %s "$S" | curl -s ${url}/api/auth/v2/token -d client_id=${client_id} --data-urlencode client_secret@-`,
    '',
  ]
}
