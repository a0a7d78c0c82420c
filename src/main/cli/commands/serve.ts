import type { CommandDeclaration } from '../declaration.ts'

export const serve: CommandDeclaration = {
  name: 'serve',
  summary: 'start the service: API on PORT and CORE_PORT, embedded PostgreSQL, sandbox clearinghouse',
  examples: ['anteroom serve', 'PORT=8080 anteroom serve'],
  run: async () => (await import('../serve.ts')).serve(),
}
