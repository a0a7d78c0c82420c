import closeWithGrace from 'close-with-grace'
import { openSandbox } from '../service.ts'
import { type CommandLine, print, UsageError } from './command-line.ts'

const DEFAULT_PORT = 4100

export async function sandbox(line: CommandLine): Promise<void> {
  const port = Number(line.flags.port ?? DEFAULT_PORT)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port must be a port number')
  const { roster } = line.flags
  const running = await openSandbox({ port, ...(typeof roster === 'string' && { roster }) })
  closeWithGrace({ logger: false }, () => running.close())
  print(`Sandbox clearinghouse on ${running.url}`)
}
