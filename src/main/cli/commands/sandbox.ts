import type { CommandDeclaration } from '../declaration.ts'
import { readPort } from '../values.ts'

export const sandbox: CommandDeclaration = {
  name: 'sandbox',
  summary: 'run the sandbox clearinghouse alone',
  flags: {
    port: { value: 'port', summary: 'the port; 4100 without it, 0 for a free one', check: readPort },
    roster: { value: 'file', summary: 'a roster of your own', isFile: true },
  },
  examples: ['anteroom sandbox --port 4200'],
  run: async (line) => (await import('../sandbox.ts')).sandbox(line),
}
