import type { CommandGroup, FlagDeclaration } from '../program/declaration.ts'
import { json, organization } from './flags.ts'

const replace: FlagDeclaration = { summary: 'also remove payers that the list does not contain' }

export const payers: CommandGroup = {
  name: 'payers',
  summary: 'fill and search the payer directory',
  commands: [
    {
      name: 'import',
      summary: 'fill the directory from a CSV file',
      words: [{ name: 'csv|-', what: 'a CSV file or -', isFile: true }],
      flags: { replace, json },
      examples: ['anteroom payers import payers.csv'],
      run: async (line) => (await import('../payers.ts')).importList(line),
    },
    {
      name: 'list',
      summary: 'list the directory',
      flags: { json },
      run: async (line) => (await import('../payers.ts')).list(line),
    },
    {
      name: 'search',
      summary: 'find payers by name or id, tolerating misspellings',
      words: [{ name: 'text', what: 'a text to search for', kind: 'several' }],
      flags: { json },
      examples: ['anteroom payers search blue cros'],
      run: async (line) => (await import('../payers.ts')).search(line),
    },
    {
      name: 'sync',
      summary: 'fill the directory from a clearinghouse that lists its payers',
      flags: {
        organization: { ...organization, isRequired: true },
        connector: { value: 'name', summary: 'the connector to use instead of the default' },
        replace,
        json,
      },
      examples: ["anteroom payers sync --organization 'Harbor Clinic' --connector stedi"],
      run: async (line) => (await import('../payers.ts')).sync(line),
    },
  ],
}
