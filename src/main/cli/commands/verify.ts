import type { CommandDeclaration } from '../program/declaration.ts'
import { DAYS_RANGE, readDays } from '../program/values.ts'
import { json, organization } from './flags.ts'

export const verify: CommandDeclaration = {
  name: 'verify',
  summary: 'verify the coverages of upcoming visits now, and print the results',
  flags: {
    days: {
      value: 'number',
      summary: `how many days ahead, ${DAYS_RANGE}; defaults to the setting of the organization`,
      check: readDays,
    },
    organization: { ...organization, summary: 'the organization; defaults to all whose visits are verified' },
    'dry-run': { summary: 'list the inquiries that would be sent, without sending or changing anything' },
    json,
  },
  examples: ["anteroom verify --organization 'Harbor Clinic' --days 2 --dry-run"],
  run: async (line) => (await import('../verify.ts')).verify(line),
}
