import { algorithmNames } from '../../../platform/auth/signing-algorithms.ts'
import type { CommandGroup } from '../program/declaration.ts'
import { json } from './flags.ts'

export const keys: CommandGroup = {
  name: 'keys',
  summary: 'rotate the keys of the service, without a restart',
  commands: [
    {
      name: 'rotate',
      summary: 'rotate the key that signs access tokens',
      flags: {
        algorithm: {
          value: algorithmNames.join('|'),
          choices: algorithmNames,
          summary: 'how the new key signs; without it like the key before',
        },
        data: { summary: 'rotate the key that encrypts stored data instead' },
        json,
      },
      examples: ['anteroom keys rotate', 'anteroom keys rotate --algorithm ES256', 'anteroom keys rotate --data'],
      run: async (line) =>
        line.flags.data
          ? (await import('../keys-data.ts')).rotateData(line)
          : (await import('../keys.ts')).rotate(line),
    },
    {
      name: 'list',
      summary: 'list the keys that sign access tokens',
      flags: { json },
      run: async (line) => (await import('../keys.ts')).list(line),
    },
    {
      name: 'retire',
      summary: 'retire a compromised key at once; tokens that it signed stop working',
      words: [{ name: 'kid', what: 'the kid of a key' }],
      flags: { json },
      run: async (line) => (await import('../keys.ts')).retire(line),
    },
  ],
}
