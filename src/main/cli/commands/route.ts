import type { CommandGroup, FlagDeclaration, WordDeclaration } from '../program/declaration.ts'
import { json, organizationWord } from './flags.ts'

const payer: WordDeclaration = { name: 'payer id', what: 'a payer id, or --default', kind: 'optional' }
const byDefault: FlagDeclaration = { summary: 'instead of a payer id: every payer without a route' }

export const route: CommandGroup = {
  name: 'route',
  summary: 'choose the connector for each payer',
  commands: [
    {
      name: 'set',
      summary: 'route a payer, or with --default all others, to a connector',
      words: [organizationWord, payer, { name: 'connector', what: 'the name of a connector', kind: 'optional' }],
      flags: {
        default: byDefault,
        as: { value: 'payer id', summary: 'the payer id that the connector uses' },
        json,
      },
      examples: [
        "anteroom route set 'Harbor Clinic' 87726 portal --as UHC01",
        "anteroom route set 'Harbor Clinic' --default example",
      ],
      run: async (line) => (await import('../route.ts')).set(line),
    },
    {
      name: 'list',
      summary: 'list the routes of an organization',
      words: [organizationWord],
      flags: { json },
      run: async (line) => (await import('../route.ts')).list(line),
    },
    {
      name: 'remove',
      summary: 'remove the route of a payer, or with --default that of all others',
      words: [organizationWord, payer],
      flags: { default: byDefault, json },
      run: async (line) => (await import('../route.ts')).remove(line),
    },
  ],
}
