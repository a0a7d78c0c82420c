import type { CommandDeclaration } from '../program/declaration.ts'

export const migrate: CommandDeclaration = {
  name: 'migrate',
  summary: 'migrate the database to this release, creating it if there is none',
  examples: ['anteroom migrate'],
  run: async () => (await import('../migrate.ts')).runMigrations(),
}
