import type { CommandDeclaration } from '../program/declaration.ts'

export const openapi: CommandDeclaration = {
  name: 'openapi',
  summary: 'print the OpenAPI description of the interface',
  examples: ['anteroom openapi > openapi.json'],
  run: async () => (await import('../openapi.ts')).openapi(),
}
