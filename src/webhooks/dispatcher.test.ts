// Which webhooks are sent when, and by which process.
import { expect, it } from 'vitest'
import { patientBody } from '../../test/support/bodies.ts'
import { createMeanwhile } from '../../test/support/meanwhile.ts'
import { refuseReads } from '../../test/support/refuse-writes.ts'
import type { Caller } from '../../test/support/service.ts'
import { until, webhookReceiver } from '../../test/support/webhook-receiver.ts'
import { findDue, releaseLease, renewLease, takeLease } from './delivery-store.ts'

const { service, receiver, dispatch, newWebhook } = webhookReceiver()

/** The receiver does not answer deliveries of these organizations until `end`. `waiting` is their number. */
function silenceTowards(isSilent: (organizationId: string) => boolean): { waiting(): number; end(): void } {
  let end = (_: number) => {}
  const held = new Promise<number>((resolve) => (end = resolve))
  let waiting = 0
  receiver.answer = ({ message }) => {
    if (!isSilent(message.data.organization_id)) return 204
    waiting++
    return held
  }
  return { waiting: () => waiting, end: () => end(204) }
}

it('deliveries that are not answered delay none of another organization to the same host', async () => {
  const [slow, other] = [await service.newCaller(), await service.newCaller()]
  await newWebhook(slow, { event_types: ['patient.created'] })
  await newWebhook(other, { event_types: ['patient.created'] })
  const silent = silenceTowards((organizationId) => organizationId === slow.organizationId)
  const create = (caller: Caller) => caller.call('POST', '/patients/v1?skip_duplicate_check=true', patientBody())
  await Promise.all(Array.from({ length: 16 }, () => create(slow)))
  dispatch()
  await until(() => silent.waiting() === 16)
  const { body } = await create(other)
  await until(() => receiver.received.some(({ message }) => message.data.id === body.id))
  expect([silent.waiting(), receiver.abandoned]).toEqual([16, 0])
  silent.end()
})

it('silent receivers of several organizations delay no delivery of another', async () => {
  const callers = await Promise.all([1, 2, 3, 4].map(() => service.newCaller()))
  const other = callers.pop()!
  const silent = silenceTowards((organizationId) => organizationId !== other.organizationId)
  const hooks = [12, 3, 1]
  for (const [index, caller] of callers.entries()) {
    for (let made = 0; made < (hooks[index] ?? 0); made++) await newWebhook(caller, { event_types: ['note.created'] })
  }
  await newWebhook(other, { event_types: ['note.created'] })
  const create = (caller: Caller) => caller.call('POST', '/notes/v1', { value: 'n' })
  await Promise.all(callers.map(create))
  dispatch()
  await until(() => silent.waiting() === 16)
  const { body } = await create(other)
  await until(() => receiver.received.some(({ message }) => message.data.id === body.id))
  expect([silent.waiting(), receiver.abandoned]).toEqual([16, 0])
  silent.end()
})

it('webhooks that wait behind slow receivers of their organizations do not keep those of another from being sent', async () => {
  const waiting = await Promise.all([service.newCaller(), service.newCaller()])
  const other = await service.newCaller()
  const enough = 32
  for (const caller of [...waiting, other]) {
    const count = caller === other ? 1 : 20
    for (let index = 0; index < count; index++) await newWebhook(caller)
    await service.database.rows('update event_log set last_number = last_number + 1 where organization_id = $1', [
      caller.organizationId,
    ])
    const since = caller === other ? '1 minute' : '1 hour'
    await service.database.rows(`update webhook set leased_until = now() - $2::interval where organization_id = $1`, [
      caller.organizationId,
      since,
    ])
  }
  const found = await findDue(service.deps.systemDatabase, enough)
  expect(found.map(({ organizationId }) => organizationId)).toContain(other.organizationId)
  expect(found).toHaveLength(enough)
  for (const { organizationId } of [...waiting, other])
    await service.database.rows('update webhook set enabled = false where organization_id = $1', [organizationId])
})

it('organizations whose events cannot be collected, however many, keep no other from being sent its own', async () => {
  const other = await service.newCaller()
  const { id } = await newWebhook(other, { event_types: ['note.created'] })
  await service.database.rows(
    `insert into organization (id, name, time_zone) select gen_random_uuid(), 'broken ' || n, 'UTC' from generate_series(1, 150) n`,
  )
  const broken = `from organization o where o.name like 'broken %'`
  await service.database.rows(
    `insert into webhook select (jsonb_populate_record(w, jsonb_build_object('organization_id', o.id, 'id', gen_random_uuid()))).*
      from webhook w, organization o where w.id = $1 and o.name like 'broken %'`,
    [id],
  )
  await service.database.rows(`insert into event_log (organization_id) select o.id ${broken}`)
  await service.database.rows(
    `insert into event_pending (organization_id, type, record_type, record_id) select o.id, 'note.created', 'note', o.id ${broken}`,
  )
  // It comes behind the others.
  await service.database.rows('update event_log set last_number = last_number where organization_id = $1', [
    other.organizationId,
  ])
  await service.database.rows(
    `create function refuse() returns trigger language plpgsql as $$ begin
      if exists (select from organization where id = new.organization_id and name like 'broken %') then raise 'refused'; end if;
      return new;
    end $$`,
  )
  await service.database.rows('create trigger refuse before insert on event for each row execute function refuse()')
  dispatch()
  const { body } = await other.call('POST', '/notes/v1', { value: 'n' })
  await until(() => receiver.received.some(({ message }) => message.data.id === body.id))
  await service.database.rows('drop function refuse cascade')
  await service.database.rows(`delete from event_pending where organization_id in (select o.id ${broken})`)
})

it.each(['webhook', 'event_log'])(
  'an organization whose rows of %s cannot be read keeps no other from being sent its own',
  async (table) => {
    const [damaged, other] = [await service.newCaller(), await service.newCaller()]
    for (const caller of [damaged, other]) await newWebhook(caller, { event_types: ['note.created'] })
    const undo = await refuseReads(service.database, table, damaged.organizationId)
    dispatch()
    const { body } = await other.call('POST', '/notes/v1', { value: 'n' })
    await until(() => receiver.received.some(({ message }) => message.data.id === body.id))
    const { body: later } = await damaged.call('POST', '/notes/v1', { value: 'n' })
    await undo()
    await until(() => receiver.received.some(({ message }) => message.data.id === later.id))
  },
)

it("a process that was suspended for longer than its lease neither sends more nor releases another process's lease", async () => {
  const caller = await service.newCaller()
  const { id } = await newWebhook(caller)
  const key = { organizationId: caller.organizationId, id }
  const { database } = service.deps
  const late = (await takeLease(database, key)) ?? ''
  await service.database.rows(`update webhook set leased_until = now() - interval '1 second' where id = $1`, [id])
  expect(await renewLease(database, key, late)).toBeUndefined()
  const theirs = (await takeLease(database, key)) ?? ''
  expect(await renewLease(database, key, late)).toBeUndefined()
  await releaseLease(database, key, { lease: late, restSeconds: 0 })
  expect(await takeLease(database, key)).toBeUndefined()
  expect(await renewLease(database, key, theirs)).toBeDefined()
})

it('a process that lost its lease before it has read what to send sends nothing', async () => {
  const caller = await service.newCaller()
  const { id } = await newWebhook(caller, { event_types: ['note.*'] })
  await caller.call('POST', '/notes/v1', { value: 'n' })
  const key = { organizationId: caller.organizationId, id }
  const meanwhile = createMeanwhile()
  let isTaken = false
  meanwhile.after('webhook_delivery_take', async () => {
    await service.database.rows(`update webhook set leased_until = now() - interval '1 second' where id = $1`, [id])
    isTaken = (await takeLease(service.deps.database, key)) !== undefined
  })
  const dispatcher = dispatch({ ...service.deps, database: meanwhile.within(service.deps.database) })
  await until(() => isTaken)
  await dispatcher.stop()
  expect(receiver.received).toEqual([])
})

it('a webhook is taken over within 20 seconds after its process was killed, which is longer than an attempt takes', async () => {
  const caller = await service.newCaller()
  const { id } = await newWebhook(caller)
  const key = { organizationId: caller.organizationId, id }
  const lease = await takeLease(service.deps.database, key)
  const [before] = (await service.database.row('select clock_timestamp()')) ?? []
  await renewLease(service.deps.database, key, lease ?? '')
  const left = `select leased_until between $2::timestamptz + interval '15 seconds' and clock_timestamp() + interval '20 seconds' from webhook where id = $1`
  expect(await service.database.row(left, [id, before])).toEqual(['t'])
})
