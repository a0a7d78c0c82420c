import closeWithGrace from 'close-with-grace'
import { readConfig } from '../config.ts'
import { createLogger, type RunningServer, startServer } from '../server.ts'
import { print } from './command-line.ts'

/** Requests in flight get this long to finish, then the process ends anyway. */
const CLOSE_LIMIT_MS = 25_000

export async function serve(): Promise<void> {
  const config = readConfig()
  const logger = createLogger(config)
  // Before the database is opened: a signal during the start must close what is open by then.
  const starting = startServer(config, logger)
  const grace = closeWithGrace({ delay: CLOSE_LIMIT_MS, logger: false }, async ({ err }) => {
    if (err)
      logger.fatal({ type: err.name, at: err.stack?.split('\n').slice(1, 6) }, 'stopping after an error nobody caught')
    await starting.then(
      (server) => server.close(),
      () => {},
    )
  })
  // Its own end of the process would hide that the start failed: exit code 0.
  welcome(
    await starting.catch((error) => {
      grace.uninstall()
      throw error
    }),
  )
}

function welcome(server: RunningServer): void {
  print(`Anteroom answers on ${server.url}${server.coreUrl ? ` and ${server.coreUrl}` : ''}`)
  if (server.sandbox) print(`Sandbox clearinghouse on ${server.sandbox.url}`)
  if (!server.firstClient) return
  const { client_id, client_secret, organization_id } = server.firstClient
  print(
    [
      '',
      'This is the first start: the organization "sandbox" has one client. Its secret is not shown again.',
      `  organization_id  ${organization_id}`,
      `  client_id        ${client_id}`,
      `  client_secret    ${client_secret}`,
      'Obtain an access token:',
      `  curl -s ${server.url}/api/auth/v2/token -d client_id=${client_id} -d client_secret=${client_secret}`,
      '',
    ].join('\n'),
  )
}
