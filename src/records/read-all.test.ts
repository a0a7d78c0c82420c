import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { patientBody } from '../../test/support/bodies.ts'
import { type Caller, testService } from '../../test/support/service.ts'
import { revokeClient } from '../platform/auth/clients.ts'

const service = testService()
const COUNT = 1234

let address: Promise<string> | undefined
function listening(): Promise<string> {
  address ??= service.app.listen({ port: 0, host: '127.0.0.1' })
  return address
}

/** An organization with `COUNT` patients and coverages, copied from one of each. */
async function manyRecords(): Promise<Caller> {
  const caller = await service.newCaller()
  const patient = await caller.call('POST', '/patients/v1', patientBody())
  expect(patient.status, patient.text).toBe(200)
  await service.database.rows(
    `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
     select organization_id, gen_random_uuid(), 1, false, updated_at, updating_user_id, created_at,
       body || jsonb_build_object('mrn', 'M' || n, 'note', repeat('x', 3000))
     from patient, generate_series(2, ${COUNT}) as n where organization_id = $1`,
    [caller.organizationId],
  )
  return caller
}

describe('a list without pages', () => {
  it('shows every record once, byte for byte as its pages do, and lists the patients of each part in an audit event', async () => {
    const caller = await manyRecords()
    const all = await caller.call('GET', '/patients/v1')
    const pages: string[] = []
    for (let token = ''; ; ) {
      const page = await caller.call('GET', `/patients/v1/get_multi?limit=1000${token && `&page_token=${token}`}`)
      pages.push(page.text.slice('{"items":['.length, page.text.lastIndexOf('],')))
      if (!page.body.next_page_token) break
      token = encodeURIComponent(page.body.next_page_token)
    }
    expect(all.text).toBe(`[${pages.join(',')}]`)
    expect(all.body).toHaveLength(COUNT)

    await service.deps.audit.flush(caller.organizationId)
    const rows = await service.database.rows('select events from audit_block where organization_id = $1', [
      caller.organizationId,
    ])
    const events = rows
      .flatMap(([text]) => JSON.parse(text ?? '[]'))
      .filter(({ operation }) => operation === 'patients.search')
    const named = events.map(({ patient_ids = [] }) => patient_ids.length)
    expect(Math.max(...named)).toBeLessThanOrEqual(1000)
    expect(new Set(events.flatMap(({ patient_ids = [] }) => patient_ids)).size).toBe(COUNT)
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(1)
  })

  it('breaks the connection when the database fails midway, and audits the patients shown until then', async () => {
    const caller = await manyRecords()
    const url = await listening()
    const { rows } = service.deps.database
    let chunks = 0
    service.deps.database.rows = async (statement, values) => {
      const isChunk = typeof statement !== 'string' && statement.text.includes('array_position')
      if (isChunk && ++chunks === 3) throw new Error('the database is gone')
      return rows(statement, values)
    }
    try {
      const answer = await fetch(`${url}/patients/v1`, { headers: { authorization: `Bearer ${caller.token}` } })
      expect(answer.status).toBe(200)
      await expect(answer.text()).rejects.toThrow()
    } finally {
      service.deps.database.rows = rows
    }
    await service.deps.audit.flush(caller.organizationId)
    const [shown] = await service.database.rows(
      `select count(distinct id) from audit_block, unnest(patient_ids) as id where organization_id = $1`,
      [caller.organizationId],
    )
    expect(Number(shown?.[0])).toBeGreaterThan(100)
  })

  it('breaks the connection within ten seconds after its client is revoked', async () => {
    const url = await listening()
    const connected = once(service.app.server, 'connection')
    // From the client's first call on: what is known of a client is believed for a while.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const caller = await manyRecords()
    const { rows } = service.deps.database
    let chunks = 0
    let isBroken = false
    service.deps.database.rows = async (statement, values) => {
      const isChunk = typeof statement !== 'string' && statement.text.includes('array_position')
      if (isChunk && ++chunks === 3) {
        const [socket] = await connected
        await revokeClient(service.database, { id: caller.credentials.client_id })
        vi.advanceTimersByTime(10_000)
        // Not polled: that would advance the time.
        if (!socket.destroyed) await once(socket, 'close')
        isBroken = true
      }
      return rows(statement, values)
    }
    try {
      const headers = { authorization: `Bearer ${caller.token}` }
      const answer = await fetch(`${url}/patients/v1`, { headers })
      await expect(answer.text()).rejects.toThrow()
    } finally {
      service.deps.database.rows = rows
      vi.useRealTimers()
    }
    await expect.poll(() => isBroken).toBe(true)
  })
})
