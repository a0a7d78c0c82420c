import type { CommandDeclaration } from '../program/declaration.ts'

export const distribute: CommandDeclaration = {
  name: 'distribute',
  summary: 'distribute a migrated database over the servers of Citus, by organization (docs/citus.md)',
  examples: ['anteroom migrate && anteroom distribute'],
  run: async () => (await import('../distribute.ts')).runDistribution(),
}
