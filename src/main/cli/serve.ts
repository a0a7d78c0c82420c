import { readConfig } from '../../config.ts'
import { createLogger, type RunningServer, startServer } from '../server.ts'
import { print } from './output.ts'
import { logDestination } from './terminal-log.ts'
import { untilStopped } from './until-stopped.ts'

export async function serve(): Promise<void> {
  const config = readConfig()
  const logger = createLogger(config, await logDestination(config))
  welcome(await untilStopped((stopping) => startServer(config, logger, stopping), { config, logger }))
}

/** In one piece: whoever waits for the first line, a program for example, has the others with it. */
function welcome(server: RunningServer): void {
  const lines = [`Anteroom answers on ${server.url}${server.coreUrl ? ` and ${server.coreUrl}` : ''}`]
  if (server.sandbox) lines.push(`Sandbox clearinghouse on ${server.sandbox.url}`)
  if (server.firstClient) lines.push(...firstClientLines(server.url, server.firstClient))
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
    // Typed in, it is seen neither in the shell's history nor in the list of processes.
    'Obtain an access token (it waits for the secret):',
    `  read -rs S; printf %s "$S" | curl -s ${url}/api/auth/v2/token -d client_id=${client_id} --data-urlencode client_secret@-`,
    '',
  ]
}
