// A process for embedded.test.ts: opens the embedded database of a folder, prints one JSON line for each
// message and one when it is open, and exits at the end of its standard input or on SIGTERM.
//
//     node embedded-process.mjs <server|command> <data folder> [binaries]
import { once } from 'node:events'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { StartupError } from '../../src/platform/startup-error.ts'

const [role, dataDir = '', binaries] = process.argv.slice(2)
process.once('unhandledRejection', (error) => {
  print({ failure: String(error) })
  process.exit(1)
})
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const embedded = await openEmbedded({
    role: role === 'server' ? 'server' : 'command',
    dataDir,
    log: (message, fields, level = 'info') => print({ log: `${level}: ${message}`, ...fields }),
    ...(binaries ? { binaries } : {}),
  })
  print({ connection: embedded.connection })
  await Promise.race([once(process.stdin.resume(), 'end'), once(process, 'SIGTERM')])
  await embedded.stop()
  process.exit(0)
} catch (error) {
  print({ failure: error instanceof StartupError ? error.message : `not a StartupError: ${error}` })
  process.exit(1)
}
