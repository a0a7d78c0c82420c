import type { CommandGroup } from '../program/declaration.ts'
import { DAYS_RANGE, readDays, readNpi, readOrigins } from '../program/values.ts'
import { json } from './flags.ts'

export const organization: CommandGroup = {
  name: 'organization',
  summary: 'create, change or list organizations',
  commands: [
    {
      name: 'create',
      summary: 'create an organization',
      words: [{ name: 'name', what: 'a name' }],
      flags: { 'time-zone': { value: 'IANA name', summary: 'the time zone of its visits (default: UTC)' }, json },
      examples: ["anteroom organization create 'Harbor Clinic' --time-zone America/New_York"],
      run: async (line) => (await import('../organization.ts')).create(line),
    },
    {
      name: 'update',
      summary: 'change the given settings of an organization, and print all of its settings',
      words: [{ name: 'id or name', what: 'an organization' }],
      flags: {
        'allowed-origins': {
          value: 'origins',
          summary:
            'pages that may call the service with its tokens, such as https://desk.example.com, separated by commas; an empty value allows none',
          mayBeEmpty: true,
          check: readOrigins,
        },
        'auto-update': {
          value: 'on|off',
          choices: ['on', 'off'],
          summary: 'whether eligibility checks write benefits into coverages',
        },
        npi: { value: 'NPI', summary: 'the NPI to use when the doctor of a visit has none', check: readNpi },
        verify: {
          value: 'on|off',
          choices: ['on', 'off'],
          summary: 'whether visits are verified, --verify-days ahead',
        },
        'verify-days': { value: 'number', summary: `how many days ahead, ${DAYS_RANGE}`, check: readDays },
        'visit-services': {
          value: 'service=codes;…',
          summary:
            'service type codes for each service of an appointment, such as "Treatment=PT,98"; an empty value removes them',
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
