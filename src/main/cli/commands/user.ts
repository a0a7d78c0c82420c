import { ROLES } from '../../../platform/auth/roles.ts'
import type { CommandGroup, WordDeclaration } from '../program/declaration.ts'
import { json, organization } from './flags.ts'

const username: WordDeclaration = { name: 'username', what: 'a username' }

export const user: CommandGroup = {
  name: 'user',
  summary: 'create, list, reset, disable and link users who sign in',
  commands: [
    {
      name: 'create',
      summary: 'create a user and print a one-time password',
      words: [username],
      flags: {
        organization: { ...organization, isRequired: true },
        role: {
          value: 'role',
          summary: 'the role, which determines the permissions',
          isRequired: true,
          choices: ROLES,
        },
        name: { value: 'name', summary: 'the name that the audit trail shows (default: the username)' },
        json,
      },
      examples: ["anteroom user create ana --organization 'Harbor Clinic' --role front_desk --name 'Ana Reyes'"],
      run: async (line) => (await import('../user.ts')).create(line),
    },
    {
      name: 'list',
      summary: 'list the users of an organization',
      flags: { organization: { ...organization, isRequired: true }, json },
      run: async (line) => (await import('../user.ts')).list(line),
    },
    {
      name: 'reset',
      summary:
        'print a new one-time password, or remove the second factor; remove the passkeys and end the sessions of a user',
      words: [username],
      flags: {
        'second-factor': { summary: 'remove a lost second factor; the password stays' },
        json,
      },
      run: async (line) => (await import('../user.ts')).reset(line),
    },
    {
      name: 'link',
      summary: 'link a user with a password to their account at the identity provider (OIDC_ISSUER)',
      words: [username],
      flags: {
        subject: { value: 'subject', summary: 'the `sub` of the user at the provider', isRequired: true },
        json,
      },
      run: async (line) => (await import('../user.ts')).link(line),
    },
    {
      name: 'unlink',
      summary: 'unlink a user from the identity provider, and end their sessions',
      words: [username],
      flags: { json },
      run: async (line) => (await import('../user.ts')).unlink(line),
    },
    {
      name: 'disable',
      summary: 'disable a user, and end their sessions within ten seconds on every server',
      words: [username],
      flags: { json },
      run: async (line) => (await import('../user.ts')).disable(line),
    },
    {
      name: 'enable',
      summary: 'enable a disabled user',
      words: [username],
      flags: { json },
      run: async (line) => (await import('../user.ts')).enable(line),
    },
  ],
}
