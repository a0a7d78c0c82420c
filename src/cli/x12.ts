import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { StartupError } from '../startup-error.ts'
import { type CommandLine, requireWord, UsageError } from './command-line.ts'

export async function x12(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'decode':
      return (await import('./x12-decode.ts')).decode(line, await readInput(requireWord(line, 1, 'a file or -')))
    case 'encode':
      return (await import('./x12-encode.ts')).encode(await readInput(requireWord(line, 1, 'a file or -')))
    default:
      throw new UsageError('x12 takes decode or encode')
  }
}

/** The file's text; bytes that are not UTF-8 are read as Latin-1, which is what old systems send. */
async function readInput(path: string): Promise<string> {
  if (path === '-') return text(process.stdin)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read`, {
      cause: error,
    })
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
