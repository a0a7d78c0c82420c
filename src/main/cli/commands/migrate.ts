import type { CommandDeclaration } from '../declaration.ts'

export const migrate: CommandDeclaration = {
  name: 'migrate',
  summary: 'bring the database to the level of this program, making it where there is none',
  examples: ['anteroom migrate'],
  run: async () => (await import('../migrate.ts')).runMigrations(),
}
