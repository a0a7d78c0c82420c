import type { CommandGroup, FlagDeclaration } from '../program/declaration.ts'
import { readHash, readInstant, readPastInstant, readPatientId, wholeNumber } from '../program/values.ts'
import { json } from './flags.ts'

const organization: FlagDeclaration = {
  value: 'id or name',
  summary: 'the organization of the trail; defaults to the trail of the service itself',
}

export const audit: CommandGroup = {
  name: 'audit',
  summary: 'show, verify and prune the audit trail',
  commands: [
    {
      name: 'list',
      summary: 'show who did what to which record, newest first',
      flags: {
        organization,
        patient: { value: 'id', summary: 'only events about this patient', check: readPatientId },
        from: { value: 'instant', summary: 'not before this day or instant', check: readInstant },
        to: { value: 'instant', summary: 'before this day or instant', check: readInstant },
        limit: {
          value: 'number',
          summary: 'the number of events, 1 to 99999 (default 100)',
          check: wholeNumber(1, 99_999),
        },
        json,
      },
      examples: ["anteroom audit list --organization 'Harbor Clinic' --from 2026-01-01 --limit 500"],
      run: async (line) => (await import('../audit.ts')).list(line),
    },
    {
      name: 'verify',
      summary: 'verify that nothing in the trail was changed or removed; exit code 1 if something was',
      flags: {
        organization: { ...organization, summary: 'the organization whose trail is verified; defaults to all' },
        expect: {
          value: 'hash',
          summary: 'a head printed earlier, which the trail must still contain',
          check: readHash,
        },
        json,
      },
      examples: ["anteroom audit verify --organization 'Harbor Clinic'"],
      run: async (line) => (await import('../audit.ts')).verify(line),
    },
    {
      name: 'prune',
      alias: 'forget',
      summary: 'permanently remove events before a date; keep six years (45 CFR 164.316(b)(2))',
      flags: {
        before: {
          value: 'day',
          summary: 'the day or instant before which events are removed',
          isRequired: true,
          check: readPastInstant,
        },
        organization,
        json,
      },
      examples: ["anteroom audit prune --organization 'Harbor Clinic' --before 2020-01-01"],
      run: async (line) => (await import('../audit.ts')).prune(line),
    },
  ],
}
