import cluster from 'node:cluster'
import type { Config } from '../../config.ts'
import { type RunningServer, startServer } from '../server.ts'
import { readServiceSettings } from '../service-settings.ts'
import { announce, startMember, startProcesses, type Welcome } from '../supervisor.ts'
import { warnOfIgnored } from './config.ts'
import type { CommandLine } from './program/command-line.ts'
import { openLog } from './program/open-log.ts'
import { print } from './program/output.ts'
import { untilStopped } from './program/until-stopped.ts'

export async function serve({ flags }: CommandLine): Promise<void> {
  const config = await readServiceSettings()
  const count = Number(flags.workers ?? 1)
  if (cluster.isWorker) return answerWithOthers(config, count)
  const log = await openLog(config)
  const { logger } = log
  warnOfIgnored(logger, config)
  if (count === 1) {
    const server = await untilStopped((stopping) => startServer(config, logger, { stopping }), { config, log })
    // Written in one piece, so that a program that waits for the first line receives the others with it.
    print([addresses({ ...server, sandboxUrl: server.sandbox?.url }), ...firstSecrets(server)].join('\n'))
    return
  }
  // The secrets exist from now on, and are shown at once: the other processes may fail to start, or be killed while they do.
  const onFirst = (first: Welcome) => {
    const secrets = firstSecrets(first)
    if (secrets.length > 0) print(secrets.join('\n'))
  }
  const start = (stopping: AbortSignal) => startProcesses(config, logger, { count, stopping, onFirst })
  print(addresses(await untilStopped(start, { config, log })))
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

function addresses({ url, coreUrl, sandboxUrl }: Omit<Welcome, 'firstClient' | 'firstUser'>): string {
  const lines = [`Anteroom answers on ${url}${coreUrl ? ` and ${coreUrl}` : ''}`]
  lines.push(`Console on ${url}/console`)
  if (sandboxUrl) lines.push(`Sandbox clearinghouse on ${sandboxUrl}`)
  return lines.join('\n')
}

/** What a first start has created, whose secrets are not shown again. */
function firstSecrets({ url, firstClient, firstUser }: Omit<Welcome, 'sandboxUrl'>): string[] {
  const lines = firstClient ? firstClientLines(url, firstClient) : []
  if (firstUser) {
    lines.push('The first user signs in to the console with a password that is not shown again.')
    lines.push(`  username         ${firstUser.username}`, `  password         ${firstUser.password}`, '')
  }
  return lines
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
