import { CONNECTOR_KINDS } from '../../../clearinghouses/connector-kind-names.ts'
import type { CommandGroup, FlagDeclaration } from '../program/declaration.ts'
import { readNpi } from '../program/values.ts'
import { connectorWord, json, organizationWord } from './flags.ts'

const words = [organizationWord, connectorWord]
const settings: FlagDeclaration = {
  value: 'file.json|-',
  summary: 'its settings, from a file or from standard input',
  isRequired: true,
  isFile: true,
}

export const connector: CommandGroup = {
  name: 'connector',
  summary: "manage and test an organization's own connectors to clearinghouses",
  commands: [
    {
      name: 'create',
      summary: 'store a connector, encrypted',
      words,
      flags: {
        kind: {
          value: CONNECTOR_KINDS.join('|'),
          choices: CONNECTOR_KINDS,
          summary: 'the kind of clearinghouse',
          isRequired: true,
        },
        settings,
        default: { summary: 'use it for every payer without a route' },
        json,
      },
      examples: ["anteroom connector create 'Harbor Clinic' example --kind core --settings core.json --default"],
      run: async (line) => (await import('../connector.ts')).create(line),
    },
    {
      name: 'update',
      summary: 'replace the settings of a connector',
      words,
      flags: { settings, json },
      examples: ["anteroom connector update 'Harbor Clinic' example --settings -"],
      run: async (line) => (await import('../connector.ts')).update(line),
    },
    {
      name: 'list',
      summary: 'list the connectors of an organization',
      words: [organizationWord],
      flags: { json },
      run: async (line) => (await import('../connector.ts')).list(line),
    },
    {
      name: 'show',
      summary: 'show the settings of a connector, without its secrets',
      words,
      flags: { json },
      run: async (line) => (await import('../connector.ts')).show(line),
    },
    {
      name: 'remove',
      summary: 'permanently remove a connector',
      words,
      flags: { json },
      run: async (line) => (await import('../connector.ts')).remove(line),
    },
    {
      name: 'test',
      summary:
        'send one inquiry about an invented patient and explain the answer; without an organization through the connector of the settings',
      words: words.map((word) => ({ ...word, kind: 'optional' as const })),
      flags: {
        payer: { value: 'id', summary: 'the payer to ask' },
        npi: { value: 'NPI', summary: 'the NPI of the requesting provider', check: readNpi },
        json,
      },
      examples: [
        "anteroom connector test 'Harbor Clinic' example --payer 60054",
        'anteroom connector test --payer 60054',
      ],
      run: async (line) => (await import('../connector.ts')).test(line),
    },
  ],
}
