import type { CommandDeclaration } from '../program/declaration.ts'
import { wholeNumber } from '../program/values.ts'

export const serve: CommandDeclaration = {
  name: 'serve',
  summary: 'start the service: API on PORT and CORE_PORT, embedded PostgreSQL, sandbox clearinghouse',
  flags: {
    workers: {
      value: 'number',
      summary: 'the number of processes that answer together (default 1)',
      check: wholeNumber(1, 64),
    },
  },
  examples: ['anteroom serve', 'PORT=8080 anteroom serve', 'anteroom serve --workers 4'],
  run: async (line) => (await import('../serve.ts')).serve(line),
}
