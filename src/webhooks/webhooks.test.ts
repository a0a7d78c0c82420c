// Webhooks as a receiver sees them, over HTTP and on a real database.
import { spawnSync } from 'node:child_process'
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { appointmentBody, coverageBody, patientBody } from '../../test/support/bodies.ts'
import type { Caller } from '../../test/support/service.ts'
import { type Received, until, webhookReceiver } from '../../test/support/webhook-receiver.ts'

const { service, receiver, dispatch, newWebhook } = webhookReceiver()
const typesOf = (all: Received[]) => all.map(({ message }) => message.type)

/** Makes waiting deliveries due now. */
const hurry = (caller: Caller) =>
  service.database.rows(
    `with w as (update webhook set retry_at = '-infinity' where organization_id = $1)
      update webhook_delivery set due_at = now() where organization_id = $1 and status = 'PENDING'`,
    [caller.organizationId],
  )

describe('a delivery', () => {
  it('is signed by Standard Webhooks, as its own library and Python verify', async () => {
    const caller = await service.newCaller()
    const { secret } = await newWebhook(caller)
    dispatch()
    await caller.call('POST', '/patients/v1', patientBody())
    await until(() => receiver.received.length === 1)
    const [{ headers, text, message }] = receiver.received as [Received]
    expect(new Verifier(secret).verify(text, headers as Record<string, string>)).toEqual(message)
    expect(() => new Verifier(secret).verify(`${text} `, headers as Record<string, string>)).toThrow()
    const python = `import base64,hashlib,hmac,json,sys
d=json.load(sys.stdin)
key=base64.b64decode(d['secret'].removeprefix('whsec_'))
signed=(d['id']+'.'+d['timestamp']+'.'+d['text']).encode()
print('v1,'+base64.b64encode(hmac.new(key,signed,hashlib.sha256).digest()).decode())`
    const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
    const { stdout, error } = spawnSync('python3', ['-c', python], {
      input: JSON.stringify({ secret, id, timestamp, text }),
    })
    expect(error).toBeUndefined()
    expect(String(stdout).trim()).toBe(headers['webhook-signature'])
  })

  it('contains ids only, and a link to the record', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller)
    dispatch()
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
    await until(() => receiver.received.length === 1)
    const [{ message, headers }] = receiver.received as [Received]
    expect(message).toEqual({
      id: headers['webhook-id'],
      number: 1,
      type: 'patient.created',
      timestamp: patient.updated_at,
      data: {
        organization_id: caller.organizationId,
        record_type: 'patient',
        id: patient.id,
        version: 1,
        link: `/patients/v1/${patient.id}`,
      },
    })
    expect((await caller.call('GET', message.data.link)).body.id).toBe(patient.id)
  })

  it('contains the version of the record that the event is about when the webhook includes records, and this is audited', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller, { includes_record: true, event_types: ['patient.*'] })
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody({ language: 'en' }))
    await caller.call('PUT', `/patients/v1/${patient.id}/2`, patientBody({ language: 'fr' }))
    dispatch()
    await until(() => receiver.received.length === 2)
    expect(receiver.received.map(({ message }) => [message.data.record.version, message.data.record.language])).toEqual(
      [
        [1, 'en'],
        [2, 'fr'],
      ],
    )
    const { body: trail } = await caller.call('GET', `/anteroom/v1/audit?patient_id=${patient.id}`)
    const disclosures = trail.items.filter(
      (event: { operation: string }) => event.operation === 'system.webhooks.deliver',
    )
    expect(disclosures).toHaveLength(2)
  })
})

describe('events', () => {
  it('include every version, with its type and the changed paths, but no values', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller)
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
    const { body: coverage } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id))
    const changed = {
      ...coverageBody(patient.id),
      insurance_plan: { ...coverage.insurance_plan, group_number: 'G-77' },
    }
    await caller.call('PUT', `/coverages/v1/${coverage.id}/2`, changed)
    await caller.call('DELETE', `/patients/v1/${patient.id}/2`)
    await caller.call('PATCH', `/patients/v1/${patient.id}/3`)
    dispatch()
    await until(() => receiver.received.length === 5)
    expect(typesOf(receiver.received).sort()).toEqual([
      'coverage.created',
      'coverage.updated',
      'patient.created',
      'patient.deactivated',
      'patient.reactivated',
    ])
    const update = receiver.received.find(({ message }) => message.type === 'coverage.updated')
    expect(update?.message.data.changed).toEqual(['insurance_plan.group_number'])
    expect(update?.text).not.toContain('G-77')
  })

  it('include a visit that becomes READY or NOT_READY, with the reason', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller, { event_types: ['visit.*'] })
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
    const { body: visit } = await caller.call('POST', '/appointments/v1', appointmentBody(patient.id))
    const put = (version: number, more: object) =>
      caller.call('PUT', `/appointments/v1/${visit.id}/${version}`, { ...appointmentBody(patient.id), ...more })
    expect(
      (await put(2, { status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE', work_queue: 'NEW_PATIENT' })).status,
    ).toBe(200)
    expect(
      (
        await put(3, {
          status: 'NOT_READY',
          not_ready_reason: 'NO_COVERAGE',
          work_queue: 'NEW_PATIENT',
          notes: 'called',
        })
      ).status,
    ).toBe(200)
    expect((await put(4, { status: 'READY', ready_source: 'MANUAL' })).status).toBe(200)
    dispatch()
    await until(() => receiver.received.length === 2)
    expect(
      receiver.received.map(({ message }) => [message.type, message.data.version, message.data.not_ready_reason]),
    ).toEqual([
      ['visit.not_ready', 2, 'NO_COVERAGE'],
      ['visit.ready', 4, undefined],
    ])
  })

  it('include a finished check, and its batch once', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller, { event_types: ['eligibility_check.*', 'eligibility_batch.*'] })
    dispatch()
    const ids = [await caller.newCheckId(), await caller.newCheckId()]
    const batch = crypto.randomUUID()
    await service.database.rows(
      `insert into eligibility_batch (organization_id, id, submitted_at, user_id, size) values ($1, $2, now(), $2, 2)`,
      [caller.organizationId, batch],
    )
    const finish = `update eligibility_check set status = 'COMPLETED', completed_at = now() where organization_id = $1 and id = $2`
    for (const [index, id] of ids.entries()) {
      await service.database.rows(
        'update eligibility_check set batch_id = $3, batch_index = $4 where organization_id = $1 and id = $2',
        [caller.organizationId, id, batch, index],
      )
    }
    for (const id of ids) await service.database.rows(finish, [caller.organizationId, id])
    await until(() => receiver.received.length === 3)
    expect(typesOf(receiver.received).sort()).toEqual([
      'eligibility_batch.finished',
      'eligibility_check.finished',
      'eligibility_check.finished',
    ])
  })

  it('of transactions that commit late are not skipped', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller, { event_types: ['note.*'] })
    dispatch()
    let commit = () => {}
    const holding = new Promise<void>((resolve) => {
      commit = resolve
    })
    // A writer of another type that takes its stamp first and commits last.
    const late = service.deps.database.transaction(async (database) => {
      await database.rows(
        `insert into event_pending (organization_id, type, record_type, record_id) values ($1, 'note.created', 'note', $1)`,
        [caller.organizationId],
      )
      await holding
    })
    for (let index = 0; index < 3; index++) await caller.call('POST', '/notes/v1', { value: `n${index}` })
    await until(() => receiver.received.length === 3)
    commit()
    await late
    await until(() => receiver.received.length === 4)
  })
})

describe('a receiver that fails', () => {
  it('is sent everything once it answers again, in the order of each record, with the same ids', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller, { event_types: ['note.*'] })
    const tried: string[] = []
    receiver.answer = ({ headers }) => {
      tried.push(String(headers['webhook-id']))
      return 503
    }
    dispatch()
    const notes = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, index) => (await caller.call('POST', '/notes/v1', { value: `n${index}` })).body,
      ),
    )
    for (const version of [2, 3, 4]) {
      await Promise.all(
        notes.map(({ id }) => caller.call('PUT', `/notes/v1/${id}/${version - 1}`, { value: `v${version}` })),
      )
    }
    await until(() => tried.length > 0)
    receiver.answer = () => 200
    await hurry(caller)
    await until(() => receiver.received.length === 32)
    for (const { id } of notes) {
      const versions = receiver.received
        .filter(({ message }) => message.data.id === id)
        .map(({ message }) => message.data.version)
      expect(versions).toEqual([1, 2, 3, 4])
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(32)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toContain(tried[0])
  })

  it('has no failures and keeps no delivery waiting once it answers again', async () => {
    const caller = await service.newCaller()
    const { id } = await newWebhook(caller, { event_types: ['note.*'] })
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } })
    for (const value of ['one', 'two']) await caller.call('POST', '/notes/v1', { value })
    dispatch()
    const path = `/anteroom/v1/webhooks/${id}`
    await until(async () => (await caller.call('GET', path)).body.next_attempt_at)
    receiver.answer = () => 204
    await caller.call('POST', `${path}/deliveries/1/replay`)
    await until(() => receiver.received.length === 2)
    await until(async () => (await caller.call('GET', path)).body.failing_since === undefined)
    const standing = await service.database.row('select failures from webhook where id = $1', [id])
    expect(standing).toEqual(['0'])
  })

  it('for one record delays later events of that record only', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller, { event_types: ['note.*'] })
    const { body: bad } = await caller.call('POST', '/notes/v1', { value: 'bad' })
    await caller.call('PUT', `/notes/v1/${bad.id}/1`, { value: 'worse' })
    await caller.call('POST', '/notes/v1', { value: 'good' })
    receiver.answer = ({ message }) => (message.data.id === bad.id ? 400 : 200)
    dispatch()
    await until(() => receiver.received.length === 1)
    await caller.call('POST', '/notes/v1', { value: 'later' })
    await until(() => receiver.received.length === 2)
    expect(receiver.received.map(({ message }) => message.data.id)).not.toContain(bad.id)
  })

  it('for days is disabled, its organization is notified, and it continues without a gap when it is enabled again', async () => {
    const caller = await service.newCaller()
    const other = await newWebhook(caller, { event_types: ['webhook.disabled'] })
    const { id } = await newWebhook(caller, { event_types: ['note.*'] })
    receiver.answer = ({ message }) => (message.type.startsWith('note') ? 500 : 200)
    await caller.call('POST', '/notes/v1', { value: 'one' })
    dispatch()
    const state = async () => (await caller.call('GET', `/anteroom/v1/webhooks/${id}`)).body
    await until(async () => (await state()).failing_since)
    const { failing_since, next_attempt_at } = await state()
    expect(Date.parse(next_attempt_at)).toBeGreaterThan(Date.parse(failing_since))
    await service.database.rows(`update webhook set failing_since = now() - interval '6 days' where id = $1`, [id])
    await hurry(caller)
    await until(() => receiver.received.length === 1)
    expect(receiver.received[0]?.message).toMatchObject({
      type: 'webhook.disabled',
      data: { id, reason: expect.stringContaining('5 days') },
    })
    expect(other.id).not.toBe(id)
    const { body: disabled } = await caller.call('GET', `/anteroom/v1/webhooks/${id}`)
    expect(disabled).toMatchObject({
      enabled: false,
      disabled_reason: expect.any(String),
      disabled_at: expect.any(String),
    })
    expect(disabled).not.toHaveProperty('next_attempt_at')
    await caller.call('POST', '/notes/v1', { value: 'meanwhile' })
    receiver.answer = () => 200
    await caller.call('PUT', `/anteroom/v1/webhooks/${id}`, {
      url: receiver.url,
      event_types: ['note.*'],
      enabled: true,
    })
    await hurry(caller)
    await until(() => receiver.received.length === 3)
    expect(typesOf(receiver.received).slice(1)).toEqual(['note.created', 'note.created'])
  })

  it('that answers 410 is not called again', async () => {
    const caller = await service.newCaller()
    const { id } = await newWebhook(caller, { event_types: ['note.*'] })
    let calls = 0
    receiver.answer = () => {
      calls++
      return 410
    }
    await caller.call('POST', '/notes/v1', { value: 'one' })
    dispatch()
    await until(async () => (await caller.call('GET', `/anteroom/v1/webhooks/${id}`)).body.enabled === false)
    // The deliveries of another webhook come after it in the same look.
    await caller.call('POST', '/notes/v1', { value: 'two' })
    const beside = await service.newCaller()
    await newWebhook(beside, { event_types: ['note.*'] })
    receiver.answer = ({ message }) => {
      if (message.data.organization_id === caller.organizationId) calls++
      return 204
    }
    await beside.call('POST', '/notes/v1', { value: 'three' })
    await until(() => receiver.received.length === 1)
    expect(calls).toBe(1)
  })

  it('that redirects is not followed', async () => {
    const caller = await service.newCaller()
    const { id } = await newWebhook(caller, { event_types: ['note.*'] })
    receiver.answer = ({ headers }) =>
      headers['x-followed'] ? 200 : { status: 302, headers: { location: `${receiver.url}?again` } }
    await caller.call('POST', '/notes/v1', { value: 'one' })
    dispatch()
    const first = async () => (await caller.call('GET', `/anteroom/v1/webhooks/${id}/deliveries`)).body.items[0]
    await until(async () => (await first())?.response_status === 302)
    expect(receiver.received).toEqual([])
  })
})

describe('deliveries', () => {
  it('are listed with their results, and can be sent again singly or from an instant on', async () => {
    const caller = await service.newCaller()
    const { id } = await newWebhook(caller, { event_types: ['note.*'] })
    dispatch()
    const since = new Date().toISOString()
    for (const value of ['a', 'b', 'c']) await caller.call('POST', '/notes/v1', { value })
    await until(() => receiver.received.length === 3)
    const path = `/anteroom/v1/webhooks/${id}/deliveries`
    await until(async () => {
      const reply = await caller.call('GET', `${path}?status=DELIVERED`)
      expect(reply.status, reply.text).toBe(200)
      return reply.body.total === 3
    })
    const { body: page } = await caller.call('GET', `${path}?limit=2`)
    expect(page).toMatchObject({ total: 3, items: [{ status: 'DELIVERED', attempts: 1, response_status: 204 }, {}] })
    const { body: rest } = await caller.call(
      'GET',
      `${path}?limit=2&page_token=${encodeURIComponent(page.next_page_token)}`,
    )
    expect([...page.items, ...rest.items].map(({ number }) => number)).toEqual([3, 2, 1])

    expect((await caller.call('POST', `${path}/2/replay`)).body).toMatchObject({ number: 2, status: 'PENDING' })
    await until(() => receiver.received.length === 4)
    expect(receiver.received[3]?.headers['webhook-id']).toBe(
      receiver.received.find(({ message }) => message.number === 2)?.headers['webhook-id'],
    )

    expect((await caller.call('POST', `/anteroom/v1/webhooks/${id}/replay`, { since })).body).toEqual({ deliveries: 3 })
    await until(() => receiver.received.length === 7)
  })

  it('that are sent again do not wait for the next attempt at a receiver that failed', async () => {
    const caller = await service.newCaller()
    const { id } = await newWebhook(caller, { event_types: ['note.*'] })
    const path = `/anteroom/v1/webhooks/${id}`
    const nextAttempt = async () => (await caller.call('GET', path)).body.next_attempt_at
    const since = new Date().toISOString()
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } })
    await caller.call('POST', '/notes/v1', { value: 'one' })
    dispatch()
    await until(nextAttempt)

    for (const number of ['7', '-1', '1.5', 'one', '9'.repeat(30)]) {
      expect((await caller.call('POST', `${path}/deliveries/${number}/replay`)).status, number).toBe(404)
    }
    expect(await nextAttempt()).toBeDefined()
    await caller.call('POST', `${path}/deliveries/1/replay`)
    await until(async () => (await caller.call('GET', `${path}/deliveries`)).body.items[0].attempts === 1)
    await until(nextAttempt)

    receiver.answer = () => 204
    await caller.call('POST', `${path}/replay`, { since })
    await until(() => receiver.received.length === 1)
  })

  it('are sent once by two concurrent processes', async () => {
    const caller = await service.newCaller()
    await newWebhook(caller, { event_types: ['note.*'] })
    dispatch()
    dispatch()
    dispatch()
    for (let index = 0; index < 40; index++) await caller.call('POST', '/notes/v1', { value: `n${index}` })
    await until(() => receiver.received.length >= 40)
    await receiver.stopDispatchers()
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(40)
    expect(receiver.received).toHaveLength(40)
  })
})

describe('a secret', () => {
  it('is shown once when it is created, and is encrypted at rest', async () => {
    const caller = await service.newCaller()
    const { id, secret } = await newWebhook(caller)
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32)
    const shown = [
      await caller.call('GET', `/anteroom/v1/webhooks/${id}`),
      await caller.call('GET', '/anteroom/v1/webhooks'),
    ]
    for (const { text } of shown) expect(text).not.toContain('whsec_')
    const [row] = await service.database.rows('select secret from webhook where id = $1', [id])
    expect(row?.[0]).toMatch(/^encrypted:/)
  })

  it('is rotated without a gap: for a day both secrets sign', async () => {
    const caller = await service.newCaller()
    const { id, secret } = await newWebhook(caller, { event_types: ['note.*'] })
    const { body: rotated } = await caller.call('POST', `/anteroom/v1/webhooks/${id}/rotate-secret`)
    expect(rotated.secret).not.toBe(secret)
    const inList = async () => (await caller.call('GET', `/anteroom/v1/webhooks/${id}`)).body.previous_secret_expires_at
    expect(await inList()).toBe(rotated.previous_secret_expires_at)
    dispatch()
    await caller.call('POST', '/notes/v1', { value: 'x' })
    await until(() => receiver.received.length === 1)
    const [{ text, headers }] = receiver.received as [Received]
    for (const each of [secret, rotated.secret]) new Verifier(each).verify(text, headers as Record<string, string>)
    await service.database.rows(
      `update webhook set previous_secret_expires_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    expect(await inList()).toBeUndefined()
    await caller.call('POST', '/notes/v1', { value: 'y' })
    await until(() => receiver.received.length === 2)
    const latest = receiver.received[1] as Received
    expect(() => new Verifier(secret).verify(latest.text, latest.headers as Record<string, string>)).toThrow()
    new Verifier(rotated.secret).verify(latest.text, latest.headers as Record<string, string>)
  })
})

it('a webhook of another organization does not exist', async () => {
  const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
  const { id } = await newWebhook(owner)
  const path = `/anteroom/v1/webhooks/${id}`
  const replies = await Promise.all([
    stranger.call('GET', path),
    stranger.call('PUT', path, { url: receiver.url, event_types: ['*'] }),
    stranger.call('DELETE', path),
    stranger.call('POST', `${path}/rotate-secret`),
    stranger.call('POST', `${path}/test`),
    stranger.call('GET', `${path}/deliveries`),
    stranger.call('POST', `${path}/replay`, { since: '2020-01-01T00:00:00Z' }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404])
  expect((await owner.call('GET', path)).status).toBe(200)
})

it.each([
  ['no address', 'nowhere'],
  ['another scheme', 'ftp://example.com/'],
  ['a password', 'https://a:b@example.com/'],
  ['the address of cloud metadata', 'https://169.254.169.254/latest'],
  ['a private address', 'https://10.1.2.3/'],
  ['a private address written as a number', 'https://167838211/'],
  ['a private address within IPv6', 'https://[::ffff:10.1.2.3]/'],
  ['a local address of IPv6', 'https://[fd00::1]/'],
])('a webhook to %s is refused, and the message does not repeat it', async (_, bad) => {
  const caller = await service.newCaller()
  const reply = await caller.call('POST', '/anteroom/v1/webhooks', { url: bad, event_types: ['*'] })
  expect([reply.status, reply.body.errorName]).toEqual([400, 'BadRequestError'])
  expect(reply.text).not.toContain(bad)
})

it('a webhook for an unknown type is refused', async () => {
  const caller = await service.newCaller()
  const reply = await caller.call('POST', '/anteroom/v1/webhooks', {
    url: receiver.url,
    event_types: ['patient.exploded'],
  })
  expect(reply.status).toBe(400)
})

it('a test returns its result', async () => {
  const caller = await service.newCaller()
  const { id } = await newWebhook(caller)
  const reply = await caller.call('POST', `/anteroom/v1/webhooks/${id}/test`)
  expect(reply.body).toEqual({ delivered: true, response_status: 204, duration_ms: expect.any(Number) })
  expect(receiver.received[0]?.message.type).toBe('webhook.test')
})
