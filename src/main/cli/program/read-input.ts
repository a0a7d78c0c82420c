import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { StartupError } from '../../../platform/startup-error.ts'

/**
 * The text of a file, or of standard input for `-`. Bytes that are not UTF-8 are read as Latin-1, which old systems
 * send.
 */
export async function readInput(path: string): Promise<string> {
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
