import type { CommandGroup } from '../program/declaration.ts'
import { readInstant } from '../program/values.ts'
import { json, organizationWord } from './flags.ts'

const idWord = { name: 'id', what: 'the id of a webhook' }
const words = [organizationWord, idWord]

export const webhook: CommandGroup = {
  name: 'webhook',
  summary: 'manage webhooks, and list what was sent to them',
  commands: [
    {
      name: 'create',
      summary: 'create a webhook and print its secret once',
      words: [organizationWord, { name: 'url', what: 'an https address' }],
      flags: {
        events: {
          value: 'types',
          summary: 'the event types, separated by commas: patient.created,visit.*',
          isRequired: true,
        },
        description: { value: 'text', summary: 'the purpose of the webhook' },
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
      summary: 'enable a webhook and continue where it stopped',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).enable(line),
    },
    {
      name: 'disable',
      summary: 'disable a webhook; nothing is sent until it is enabled',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).disable(line),
    },
    {
      name: 'rotate-secret',
      summary: 'create a new secret; the previous one stays valid for 24 hours, or until the next rotation',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).rotateSecret(line),
    },
    {
      name: 'replay',
      summary: 'send all events since an instant again',
      words,
      flags: {
        since: { value: 'instant', summary: 'the instant from which to send', isRequired: true, check: readInstant },
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
      summary: 'send one test event now and print the result',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).test(line),
    },
    {
      name: 'remove',
      summary: 'permanently remove a webhook and its deliveries',
      words,
      flags: { json },
      run: async (line) => (await import('../webhook.ts')).remove(line),
    },
  ],
}
