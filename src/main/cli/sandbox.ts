import closeWithGrace from 'close-with-grace'
import { openSandbox } from '../open-sandbox.ts'
import type { CommandLine } from './program/command-line.ts'
import { print } from './program/output.ts'
import { readPort } from './program/values.ts'

const DEFAULT_PORT = 4100

export async function sandbox(line: CommandLine): Promise<void> {
  const { port: text, roster } = line.flags
  const port = typeof text === 'string' ? readPort(text, 'port') : DEFAULT_PORT
  const running = await openSandbox({ port, ...(typeof roster === 'string' && { roster }) })
  closeWithGrace({ logger: false }, () => running.close())
  print(`Sandbox clearinghouse on ${running.url}`)
}
