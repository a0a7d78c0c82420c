import { describe, expect, it } from 'vitest'
import { patientBody } from '../../../test/support/bodies.ts'
import { mostRead } from '../../../test/support/most-read.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../test/support/operations.ts'
import { newPerson, openPage, signIn } from '../../../test/support/people.ts'
import { refuseWrites } from '../../../test/support/refuse-writes.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
const declared = endpoints.find(({ operation }) => operation === 'audit.getMulti')!

async function read({ call }: Caller, query = '') {
  const reply = await call('GET', `/anteroom/v1/audit${query}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(declared, reply)
  return reply.body
}

const operationsOf = ({ items }: { items: { operation: string }[] }) => items.map(({ operation }) => operation)

describe('GET /anteroom/v1/audit', () => {
  it('shows who did what, newest first, and with patient_id the events that changed or showed this patient', async () => {
    const caller = await service.newCaller()
    const family = (name: string) => patientBody({ name: { family: name, given: ['A'], use: 'USUAL' } })
    const { body: one } = await caller.call('POST', '/patients/v1', family('One'))
    const { body: two } = await caller.call('POST', '/patients/v1', family('Two'))
    await caller.call('GET', `/patients/v1/${one.id}`)
    await caller.call('PUT', `/patients/v1/${one.id}/2`, family('Three'))
    await caller.call('GET', '/lists/v1/patient')
    expect(operationsOf(await read(caller))).toEqual([
      'lists.getPatientList',
      'patients.update',
      'patients.get',
      'patients.create',
      'patients.create',
    ])
    const ofTwo = await read(caller, `?patient_id=${two.id.toUpperCase()}`)
    expect(operationsOf(ofTwo)).toEqual(['lists.getPatientList', 'patients.create'])
    expect(ofTwo.items[1]).toMatchObject({ record_type: 'patient', record_ids: [two.id], version: 1 })
    // Reading a patient's trail is an access to the patient's data, so it is audited as well.
    expect(operationsOf(await read(caller, `?patient_id=${two.id}`))[0]).toBe('audit.getMulti')
    expect(await read(caller, '?patient_id=nobody')).toEqual({ items: [] })
  })

  it('finds what one person did, one operation, and every operation of a group', async () => {
    const caller = await service.newCaller()
    const other = await service.newCaller({ beside: caller })
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
    await other.call('GET', `/patients/v1/${patient.id}`)
    await other.call('GET', '/tags/v1')
    const [{ user_id }] = (await read(caller, '?operation=tags')).items
    expect(user_id).not.toBe(patient.updating_user_id)
    expect(operationsOf(await read(caller, `?user_id=${user_id.toUpperCase()}`))).toEqual([
      'tags.getAll',
      'patients.get',
    ])
    expect(operationsOf(await read(caller, '?operation=patients'))).toEqual(['patients.get', 'patients.create'])
    expect(operationsOf(await read(caller, '?operation=patients.create'))).toEqual(['patients.create'])
    expect(operationsOf(await read(caller, `?operation=patients&user_id=${user_id}`))).toEqual(['patients.get'])
    for (const nothing of ['operation=patient', 'operation=%25', 'user_id=nobody', `user_id=${patient.id}`])
      expect(operationsOf(await read(caller, `?${nothing}`))).toEqual([])
  })

  it('leaves out, with patients_only, the events that showed and changed no patient', async () => {
    const caller = await service.newCaller()
    await caller.call('GET', '/tags/v1')
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
    await caller.call('GET', '/patients/v1/00000000-0000-4000-8000-000000000000')
    await caller.call('GET', `/patients/v1/${patient.id}`)
    expect(operationsOf(await read(caller, '?patients_only=true'))).toEqual(['patients.get', 'patients.create'])
    expect(operationsOf(await read(caller, '?patients_only=false'))).toContain('tags.getAll')
  })

  it('pages without repeating or missing an event', async () => {
    const caller = await service.newCaller()
    for (let index = 0; index < 7; index++) await caller.call('POST', '/notes/v1', { value: `note ${index}` })
    const to = new Date(Date.now() + 1000).toISOString()
    const writes: string[] = []
    let token: string | undefined
    do {
      const next = token === undefined ? '' : `&page_token=${token}`
      const page = await read(caller, `?limit=3&to=${to}${next}`)
      writes.push(...page.items.flatMap((item: { record_ids?: string[] }) => item.record_ids ?? []))
      token = page.next_page_token
    } while (token !== undefined)
    expect(new Set(writes).size).toBe(7)
    expect(writes).toHaveLength(7)
    expectEnvelope(await caller.call('GET', '/anteroom/v1/audit?limit=3&page_token=made.up'), 400)
  })

  it('sends a page whose events name many patients in parts, which together are what small pages are', async () => {
    const caller = await service.newCaller()
    const BLOCKS = 60
    await service.database.rows(
      `with ids as (select array_agg(gen_random_uuid()) as ids from generate_series(1, 1000)),
        events as (select n, json_build_array(json_build_object('at', '2026-03-09T12:00:00.000Z', 'operation', 'lists.getPatientList',
          'status', 200, 'patient_ids', ids))::text as events from ids, generate_series(1, ${BLOCKS}) as n),
        head as (insert into audit_head (organization_id, number) values ($1, ${BLOCKS})
          on conflict (organization_id) do update set number = excluded.number)
      insert into audit_block (organization_id, number, first_at, last_at, size, patient_ids, events, previous_hash, hash)
      select $1, n, '2026-03-09T12:00:00Z', '2026-03-09T12:00:00Z', 1, ids, events, '', '' from events, ids`,
      [caller.organizationId],
    )
    const to = '2026-03-10T00:00:00.000Z'
    const { result, bytes } = await mostRead(service.deps.database, () => read(caller, `?limit=1000&to=${to}`))
    expect(bytes).toBeLessThan(1024 * 1024)
    expect(result.items).toHaveLength(BLOCKS)
    expect(result.next_page_token).toBeUndefined()
    const items = []
    let token: string | undefined
    do {
      const page = await read(caller, `?limit=7&to=${to}${token === undefined ? '' : `&page_token=${token}`}`)
      items.push(...page.items)
      token = page.next_page_token
    } while (token !== undefined)
    expect(result.items).toEqual(items)
    // Each part has an event of its own.
    const { items: reads } = await read(caller, `?operation=audit.getMulti&from=${to}`)
    const ofOneCall = reads.filter((event: { request_id: string }) => event.request_id === reads.at(-1).request_id)
    expect(ofOneCall.length).toBeGreaterThan(2)
  })

  it('returns only events of the requested time', async () => {
    const caller = await service.newCaller()
    await caller.call('POST', '/notes/v1', { value: 'before' })
    const [first] = (await read(caller)).items
    expect(operationsOf(await read(caller, `?to=${first.at}`))).toEqual([])
    expect(operationsOf(await read(caller, `?from=${first.at}`))).toContain('notes.create')
    expect(operationsOf(await read(caller, '?from=2999-01-01T00:00:00Z'))).toEqual([])
  })

  it('shows nothing of another organization', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    const { body: patient } = await owner.call('POST', '/patients/v1', patientBody())
    expect(await read(stranger)).toEqual({ items: [] })
    expect(await read(stranger, `?patient_id=${patient.id}`)).toEqual({ items: [] })
  })
})

describe('people in the trail', () => {
  it('are shown by name for every read and every change', async () => {
    const caller = await service.newCaller()
    const ana = await newPerson(service, {
      organizationId: caller.organizationId,
      role: 'front_desk',
      name: 'Ana Reyes',
    })
    const page = await openPage(service, ana)
    const { body: patient } = await page.call('POST', '/patients/v1', patientBody())
    await page.call('GET', `/patients/v1/${patient.id}`)
    const { items } = await read(caller, `?patient_id=${patient.id}`)
    expect(items).toMatchObject([
      { operation: 'patients.get', user_id: ana.id, user_name: 'Ana Reyes' },
      { operation: 'patients.create', user_id: ana.id, user_name: 'Ana Reyes' },
    ])
    expect(items[0].client_id).toBeUndefined()
  })

  it('leave an event of their organization for a sign-in, a failed sign-in and a sign-out, with name and address', async () => {
    const caller = await service.newCaller()
    const ana = await newPerson(service, { organizationId: caller.organizationId })
    await signIn(service, { username: ana.username, password: 'a wrong password' }, {}, '203.0.113.77')
    const page = await openPage(service, ana)
    await page.call('PUT', '/anteroom/v1/session/password', { current_password: 'x', new_password: 'y' })
    await page.call('DELETE', '/anteroom/v1/session')
    const { items } = await read(caller)
    expect(items).toMatchObject([
      { operation: 'session.remove', status: 200, user_name: 'Ana Reyes', record_type: 'session' },
      { operation: 'session.changePassword', status: 400, user_name: 'Ana Reyes' },
      { operation: 'session.create', status: 200, user_name: 'Ana Reyes' },
      { operation: 'session.create', status: 401, user_name: 'Ana Reyes', address: '203.0.113.77' },
    ])
    expect(JSON.stringify(items)).not.toMatch(/wrong password|lantern/)
  })

  it("leave an event of the service, in no organization's trail, for a sign-in with an unknown name", async () => {
    const caller = await service.newCaller()
    await signIn(service, { username: 'nobody.at.all', password: 'x' })
    expect(await read(caller)).toEqual({ items: [] })
  })
})

describe('where the events of one organization cannot be stored', () => {
  it('the trail of another one is read as usual', async () => {
    const [broken, other] = [await service.newCaller(), await service.newCaller()]
    const accept = await refuseWrites(
      service.database,
      'before insert on audit_block',
      `new.organization_id = '${broken.organizationId}'`,
    )
    try {
      for (const caller of [broken, other]) expect((await caller.call('GET', '/tags/v1')).status).toBe(200)
      expect((await broken.call('GET', '/anteroom/v1/audit')).status).toBe(500)
      expect(operationsOf(await read(other))).toEqual(['tags.getAll'])
    } finally {
      await accept()
    }
    expect(operationsOf(await read(broken))).toContain('tags.getAll')
  })

  it('because another session holds its trail, no connection waits for that for long, and they are stored afterwards', async () => {
    const caller = await service.newCaller()
    expect((await caller.call('GET', '/tags/v1')).status).toBe(200)
    await service.deps.audit.flush(caller.organizationId)
    await service.database.transaction(async (transaction) => {
      await transaction.rows('select 1 from audit_head where organization_id = $1 for update', [caller.organizationId])
      await expect(service.deps.audit.flush(caller.organizationId)).rejects.toMatchObject({ code: '55P03' })
      expect((await caller.call('GET', '/anteroom/v1/audit')).status).toBe(503)
    })
    expect(operationsOf(await read(caller))).toContain('tags.getAll')
  })
})
