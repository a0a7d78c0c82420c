import { expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { testService } from '../../../test/support/service.ts'
import { mergeIndexEntries } from './merge-index-entries.ts'

const service = testService()

it('finds a new patient by parts of a name, an MRN and a telephone number, before and after its entries are merged', async () => {
  const { systemDatabase } = service.deps
  await mergeIndexEntries(systemDatabase)
  const caller = await service.newCaller()
  const body = patientBody({
    name: nameBody('Quintessa', 'Zora'),
    primary_telecom: { value: '5557290146', use: 'HOME' },
  })
  const { body: patient } = await caller.call('POST', '/patients/v1/with_mrn', { ...body, mrn: 'ZQ-7745-X' })
  const found = async (path: string, value: string) => {
    const filters = encodeURIComponent(`${path}|contains|${value}`)
    const { body: page } = await caller.call('GET', `/lists/v1/patient?filters=${filters}`)
    return page.items.map((item: { patient: { id: string } }) => item.patient.id)
  }
  const parts = { 'patient.name.family': 'tess', 'patient.mrn': '7745', 'patient.primaryTelecom.value': '72901' }
  const expectFound = async () => {
    for (const [path, value] of Object.entries(parts)) expect(await found(path, value), path).toEqual([patient.id])
  }
  await expectFound()
  expect(await mergeIndexEntries(systemDatabase), 'pages that waited').toBeGreaterThan(0)
  expect(await mergeIndexEntries(systemDatabase)).toBe(0)
  await expectFound()
})

it('limits the pending list that a search reads to 64 kB, whatever the setting of the server', async () => {
  const lists = await service.database.rows(
    `select c.relname from pg_class c join pg_am a on a.oid = c.relam and a.amname = 'gin'
    where c.relname like 'patient%' and not (c.reloptions @> array['fastupdate=on', 'gin_pending_list_limit=64'])`,
  )
  expect(lists).toEqual([])
})
