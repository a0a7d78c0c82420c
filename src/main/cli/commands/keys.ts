import type { CommandGroup } from '../declaration.ts'
import { json } from './flags.ts'

export const keys: CommandGroup = {
  name: 'keys',
  summary: 'change the keys of the service, without a restart',
  commands: [
    {
      name: 'rotate',
      summary: 'change the key that signs access tokens',
      flags: { data: { summary: 'change the key that encrypts stored data instead' }, json },
      examples: ['anteroom keys rotate', 'anteroom keys rotate --data'],
      run: async (line) => (await import('../keys.ts')).rotate(line),
    },
    {
      name: 'list',
      summary: 'list the keys that sign access tokens',
      flags: { json },
      run: async (line) => (await import('../keys.ts')).list(line),
    },
    {
      name: 'retire',
      summary: 'end a key that got into the wrong hands; the tokens that it signed end with it',
      words: [{ name: 'kid', what: 'the kid of a key' }],
      flags: { json },
      run: async (line) => (await import('../keys.ts')).retire(line),
    },
  ],
}
