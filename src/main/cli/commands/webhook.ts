import type { CommandGroup } from '../declaration.ts'
import { readInstant } from '../values.ts'
import { json, organizationWord } from './flags.ts'

const idWord = { name: 'id', what: 'the id of a webhook' }
const words = [organizationWord, idWord]

export const webhook: CommandGroup = {
  name: 'webhook',
  summary: 'keep the addresses that are told of events, and look at what was sent to them',
  commands: [
    {
      name: 'create',
      summary: 'make a webhook, and print its secret once',
      words: [organizationWord, { name: 'url', what: 'an https address' }],
      flags: {
        events: {
          value: 'types',
          summary: 'the event types, separated by commas: patient.created,visit.*',
          isRequired: true,
        },
        description: { value: 'text', summary: 'what it is for' },
        'include-record': { summary: 'send the record with each event, and not its ids alone' },
        json,
      },
      examples: [
        "anteroom webhook create 'Harbor Clinic' https://example.com/hook --events 'visit.*,coverage.updated'",
      ],
      run: async (line) => (await import('../webhook.ts')).create(line),
    },
    {
      name: 'list',
      summary: 'list the webhooks of an organization',
      words: [organizationWord],
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).list(line),
    },
    {
      name: 'enable',
      summary: 'send again from where it stopped',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).enable(line),
    },
    {
      name: 'disable',
      summary: 'send nothing until it is enabled',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).disable(line),
    },
    {
      name: 'rotate-secret',
      summary: 'make a new secret; the previous one signs for a day more',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).rotateSecret(line),
    },
    {
      name: 'replay',
      summary: 'send again whatever happened since an instant',
      words,
      flags: {
        since: { value: 'instant', summary: 'from when on', isRequired: true, check: readInstant },
        until: { value: 'instant', summary: 'until when', check: readInstant },
        json,
      },
      examples: [
        "anteroom webhook replay 'Harbor Clinic' 0198c0de-0000-7000-8000-000000000001 --since 2026-01-31T08:00:00Z",
      ],
      run: async (line) => (await import('../webhook.ts')).replay(line),
    },
    {
      name: 'test',
      summary: 'send one event now, and say what came of it',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).test(line),
    },
    {
      name: 'remove',
      summary: 'remove a webhook and its deliveries for good',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).remove(line),
    },
  ],
}
