import type { CommandGroup } from '../program/declaration.ts'
import { json } from './flags.ts'

export const config: CommandGroup = {
  name: 'config',
  summary: 'explain the settings',
  commands: [
    {
      name: 'check',
      summary:
        'print every setting in force and where it came from, secrets masked; report invalid and misspelled ones',
      flags: { json },
      run: async (line) => (await import('../config.ts')).check(line),
    },
  ],
}
