// Parts of numbers are found in an index (migrations/0110_parts_of_numbers.sql), by the conditions that the filters send.
import { describe, expect, it } from 'vitest'
import { patientBody } from '../../../test/support/bodies.ts'
import { testService } from '../../../test/support/service.ts'
import { readConditions } from '../../records/conditions.ts'
import { patientList } from './patient-list.ts'

const service = testService()

describe('a search of patients for a part of a number', () => {
  it.each(['patient.mrn', 'patient.primaryTelecom.value'])('finds its rows by %s in an index', async (path) => {
    const caller = await service.newCaller()
    const values: unknown[] = []
    const filter = { path, operator: 'contains', value: '5550142' } as const
    const [condition] = await readConditions(service.deps, caller.organizationId, [filter], patientList.paths, values)
    const plan = await service.database.transaction(async (transaction) => {
      // In a nearly empty table every other plan is cheaper.
      await transaction.rows('set local enable_seqscan = off')
      return transaction.rows(`explain select id from patient where ${condition?.sql}`, values)
    })
    expect(plan.flat().join('\n')).toMatch(/Index Scan on patient_numbers.*Index Cond: [^\n]*~~/s)
  })

  it('finds parts in the middle and the end, without regard to case, and nothing of another organization', async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()]
    const make = (mrn: string, by = caller) =>
      by.call('POST', '/patients/v1/with_mrn?skip_duplicate_check=true', { ...patientBody(), mrn })
    for (const mrn of ['Ab00123x', 'zz99001']) expect((await make(mrn)).status).toBe(200)
    await make('AB00123X', other)
    const found = async (value: string) => {
      const filters = encodeURIComponent(`patient.mrn|contains|${value}`)
      const reply = await caller.call('GET', `/lists/v1/patient?filters=${filters}`)
      return (reply.body.items as { patient: { mrn: string } }[]).map(({ patient }) => patient.mrn)
    }
    expect(await found('0123X')).toEqual(['Ab00123x'])
    expect(await found('B001')).toEqual(['Ab00123x'])
    expect((await found('00')).sort()).toEqual(['Ab00123x', 'zz99001'])
    expect(await found('%')).toEqual([])
    const search = (by: typeof caller, limit: number) =>
      by.call(
        'GET',
        `/anteroom/v1/lists/patients?limit=${limit}&sort_field=patient.id&filters=patient.mrn%7Ccontains%7C0`,
      )
    const [first] = [(await search(caller, 1)).body]
    expect(first.items.map(({ patient }: { patient: { mrn: string } }) => patient.mrn)).toEqual(['Ab00123x'])
    expect(Object.keys(first).sort()).toEqual(['items', 'next_page_token'])
    const next = await caller.call(
      'GET',
      `/anteroom/v1/lists/patients?limit=1&sort_field=patient.id&filters=patient.mrn%7Ccontains%7C0&page_token=${first.next_page_token}`,
    )
    expect(next.body.items.map(({ patient }: { patient: { mrn: string } }) => patient.mrn)).toEqual(['zz99001'])
    expect((await search(other, 9)).body.items).toHaveLength(1)
  })
})
