import type { CommandGroup, WordDeclaration } from '../program/declaration.ts'
import { readDate } from '../program/values.ts'
import { json } from './flags.ts'

const file: WordDeclaration = { name: 'file|-', what: 'a file or -', isFile: true }

export const x12: CommandGroup = {
  name: 'x12',
  summary: 'read and write X12 270/271',
  commands: [
    {
      name: 'decode',
      summary: 'read any 271 file; needs no database',
      words: [file],
      flags: {
        'date-of-service': {
          value: 'YYYY-MM-DD',
          summary: 'the day for which the status is evaluated',
          check: readDate,
        },
        json,
      },
      examples: ['anteroom x12 decode answer.271', 'anteroom x12 decode - --json'],
      run: async (line) => (await import('../x12-decode.ts')).decode(line),
    },
    {
      name: 'encode',
      summary: 'write a 270 from an eligibility request in JSON',
      words: [file],
      examples: ['anteroom x12 encode request.json'],
      run: async (line) => (await import('../x12-encode.ts')).encode(line),
    },
  ],
}
