import type { CommandDeclaration } from '../program/declaration.ts'
import { readPort } from '../program/values.ts'

export const sandbox: CommandDeclaration = {
  name: 'sandbox',
  summary: 'run the sandbox clearinghouse alone',
  flags: {
    port: { value: 'port', summary: 'the port (default 4100); 0 takes a free one', check: readPort },
    roster: { value: 'file', summary: 'a roster file to use instead of the built-in one', isFile: true },
  },
  examples: ['anteroom sandbox --port 4200'],
  run: async (line) => (await import('../sandbox.ts')).sandbox(line),
}
