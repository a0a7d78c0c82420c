import { expect, it } from 'vitest'
import { deleteOldMessages } from './message-retention.ts'

it('old messages are deleted until none is left, however many became old at once', async () => {
  const inDatabase = { old: 2_345 }
  const systemDatabase = {
    async rows({ name }: { name: string }, [, , atMost = 0]: [string?, string?, number?] = []) {
      if (name === 'check_messages_organizations') return [['an organization']]
      const deleted = Math.min(inDatabase.old, atMost)
      inDatabase.old -= deleted
      return Array.from({ length: deleted }, () => ['1'])
    },
  }
  const now = () => new Date('2026-03-09T12:00:00Z')
  expect(await deleteOldMessages({ systemDatabase, now, config: { CHECK_MESSAGE_DAYS: 30 } } as never)).toBe(2_345)
  expect(inDatabase.old).toBe(0)
})
