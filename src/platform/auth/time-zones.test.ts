import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import { createOrganization } from './clients.ts'

const service = testService()

const create = (timeZone: string) =>
  createOrganization(service.database, randomUUID, { name: randomUUID(), timeZone }).then(
    () => 'created',
    (error: Error) => error.message,
  )

it('an organization has a time zone that both this program and the database know by an IANA name', async () => {
  expect(await create('America/New_York')).toBe('created')
  for (const refused of ['Mars/Olympus', '+05:30', '-08:00', '']) expect(await create(refused)).toMatch(/IANA name/)
})

it('a time zone that only this program knows is refused: no day of its visits could be computed', async () => {
  const database = {
    ...service.database,
    // As a server with time zones of another year.
    row: () => Promise.reject(Object.assign(new Error('time zone not recognized'), { code: '22023' })),
  }
  await expect(createOrganization(database, randomUUID, { name: 'x', timeZone: 'Europe/Kyiv' })).rejects.toThrow(
    'the database does not know this time zone',
  )
})
