import type { CommandGroup } from '../declaration.ts'
import { readDays, readNpi, readOnOrOff } from '../values.ts'
import { json } from './flags.ts'

export const organization: CommandGroup = {
  name: 'organization',
  summary: 'make, change or list organizations',
  commands: [
    {
      name: 'create',
      summary: 'make an organization',
      words: [{ name: 'name', what: 'a name' }],
      flags: { 'time-zone': { value: 'IANA name', summary: 'where its visits take place' }, json },
      examples: ["anteroom organization create 'Harbor Clinic' --time-zone America/New_York"],
      run: async (line) => (await import('../organization.ts')).create(line),
    },
    {
      name: 'update',
      summary: 'change the settings of an organization that are named, and print all of them',
      words: [{ name: 'id or name', what: 'an organization' }],
      flags: {
        'auto-update': {
          value: 'on|off',
          choices: ['on', 'off'],
          summary: 'whether eligibility checks write benefits into coverages',
          check: readOnOrOff,
        },
        npi: { value: 'NPI', summary: 'the NPI that asks where the doctor of a visit has none', check: readNpi },
        verify: {
          value: 'on|off',
          choices: ['on', 'off'],
          summary: 'whether visits are verified --verify-days ahead',
          check: readOnOrOff,
        },
        'verify-days': { value: 'number', summary: 'how many days ahead, 1 to 30', check: readDays },
        'visit-services': {
          value: 'service=codes;…',
          summary: 'the service type codes of what appointments name, such as "Treatment=PT,98"; nothing empties it',
          mayBeEmpty: true,
        },
        json,
      },
      examples: ["anteroom organization update 'Harbor Clinic' --verify on --verify-days 3 --npi 1999999984"],
      run: async (line) => (await import('../organization.ts')).update(line),
    },
    {
      name: 'list',
      summary: 'list all organizations',
      flags: { json },
      run: async (line) => (await import('../organization.ts')).list(line),
    },
  ],
}
