import type { CommandGroup, FlagDeclaration, WordDeclaration } from '../program/declaration.ts'
import { json, organization } from './flags.ts'

const scopes: Readonly<Record<string, FlagDeclaration>> = {
  'read-only': { summary: 'grant no scope that writes' },
  scopes: {
    value: 'scopes|all',
    summary: 'patients, patients:read, patients:write, *:read … or admin (comma-separated)',
  },
}
const id: WordDeclaration = { name: 'id', what: 'a client id' }

export const client: CommandGroup = {
  name: 'client',
  summary: 'create, list, limit, rotate or revoke API clients',
  commands: [
    {
      name: 'create',
      summary: 'create a client and print its secret once',
      words: [{ name: 'name', what: 'a name' }],
      flags: { organization: { ...organization, isRequired: true }, ...scopes, json },
      examples: [
        "anteroom client create 'front desk' --organization 'Harbor Clinic'",
        "anteroom client create reports --organization 'Harbor Clinic' --scopes patients,appointments --read-only",
      ],
      run: async (line) => (await import('../client.ts')).create(line),
    },
    {
      name: 'list',
      summary: 'list all clients',
      flags: { json },
      run: async (line) => (await import('../client.ts')).list(line),
    },
    {
      name: 'update',
      summary: 'change the scopes of a client',
      words: [id],
      flags: { ...scopes, json },
      examples: ['anteroom client update 0198c0de-0000-7000-8000-000000000001 --scopes patients:read'],
      run: async (line) => (await import('../client.ts')).update(line),
    },
    {
      name: 'rotate',
      summary:
        'create a new secret for a client; the previous one stays valid for 24 hours, or until the next rotation',
      words: [id],
      flags: { json },
      run: async (line) => (await import('../client.ts')).rotate(line),
    },
    {
      name: 'revoke',
      summary: 'permanently revoke a client, within ten seconds on every server',
      words: [id],
      flags: { json },
      run: async (line) => (await import('../client.ts')).revoke(line),
    },
  ],
}
