import type { CommandDeclaration } from '../program/declaration.ts'

export const worker: CommandDeclaration = {
  name: 'worker',
  summary: 'process queued checks of a shared database, WORKER_CONCURRENCY at a time',
  examples: ['WORKER_CONCURRENCY=32 anteroom worker'],
  run: async () => (await import('../worker.ts')).worker(),
}
