import { type CommandLine, requireWord, UsageError } from './command-line.ts'
import { readInput } from './read-input.ts'

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
