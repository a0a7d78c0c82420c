// Access control: no access without a valid token, and with one only to the client's own organization.
import { beforeAll, describe, expect, it } from 'vitest'
import type { endpoint as declared, Endpoint } from '../../src/platform/http/endpoint.ts'
import {
  endpoints,
  expectEnvelope,
  kindOf,
  latestOf,
  operate,
  pathVersion,
  urlOf,
  validBody,
} from '../support/operations.ts'
import { type Caller, send, testService } from '../support/service.ts'
import { badTokens, withoutToken } from '../support/tokens.ts'

const service = testService()
const guarded = endpoints.filter(({ access }) => access !== 'public')

describe('every operation that is not public', () => {
  let refused: [what: string, authorization: string | undefined, challenge: string][]
  beforeAll(async () => {
    const listed = (all: Record<string, string | undefined>, challenge: string) =>
      Object.entries(all).map(([what, authorization]) => [what, authorization, challenge] as (typeof refused)[number])
    // Source: RFC 6750 3.1: an error code describes the fault of a token that was sent.
    refused = [...listed(withoutToken, 'Bearer'), ...listed(await badTokens(service), 'Bearer error="invalid_token"')]
  })

  it.each(guarded)('$operation returns 401 for everything but a valid token', async (endpoint) => {
    for (const [what, authorization, challenge] of refused) {
      const reply = await send(service.app, {
        method: endpoint.method,
        url: urlOf(endpoint),
        headers: { ...(authorization !== undefined && { authorization }) },
        ...(endpoint.body && { payload: {} }),
      })
      expect(reply.status, what).toBe(401)
      expectEnvelope(reply, 401)
      expect(reply.body.errorName).toBe('UnauthorizedError')
      expect(reply.headers['www-authenticate'], what).toBe(challenge)
    }
  })

  it('returns 401 before it checks anything else in a request', async () => {
    const url = '/notes/v1/no-uuid/abc?limit=x'
    expectEnvelope(await send(service.app, { method: 'PUT', url, payload: 'not json' }), 401)
  })
})

it('accepts a token in any case of its scheme', async () => {
  const { call, token } = await service.newCaller()
  const reply = await call('GET', '/coverages/v1', undefined, { authorization: `bEARER ${token}` })
  expect(reply.status).toBe(200)
})

describe("another organization's records", () => {
  it.each(guarded.filter(({ path }) => /:(?!version)/.test(path)))(
    '$operation returns 404, and changes nothing',
    async (endpoint) => {
      const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
      const { params, before, reread } = await ownedRecord(endpoint, owner)
      const body = await validBody(endpoint, stranger)
      const reply = await operate(stranger, endpoint, { params, body })
      // An operation that declares no 404 shows nothing of a record that does not exist.
      const showsNothing = reply.status === 200 && !endpoint.errors.includes('NotFoundError')
      if (!showsNothing) expectEnvelope(reply, 404)
      expect(reply.text).not.toContain(owner.organizationId)
      expect(await reread()).toEqual(before)
    },
  )

  it.each(guarded.filter(({ path, method }) => method === 'GET' && !path.includes(':')))(
    '$operation does not list them',
    async (endpoint) => {
      const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
      const { params } = await ownedRecord(endpoint, owner)
      const queries = ['', ...ownedFilters(endpoint, params)]
      for (const query of queries) {
        const { text, status } = await operate(stranger, endpoint, { query })
        expect(status).toBe(200)
        expect(text).not.toContain(owner.organizationId)
        if (params.id !== undefined) expect(text).not.toContain(params.id)
      }
    },
  )
})

/** A record of the owner, its state and history, and the parameters that address it. */
async function ownedRecord(endpoint: Endpoint, owner: Caller) {
  const kind = kindOf(endpoint)
  if (!kind) return { params: {} as Record<string, unknown>, before: [], reread: async () => [] }
  const { body: record } = await operate(owner, kind.endpoint('create'), { body: await kind.make(owner) })
  const write = endpoint.operation.split('.')[1] as 'update' | 'deactivate' | 'reactivate'
  const params: Record<string, unknown> = { ...record, version: pathVersion(kind, write, 1) }
  const reread = async () => {
    const latest = await latestOf(owner, kind, record.id)
    const rows = await service.database.rows(
      `select version, body::text, deactivated from ${kind.name}_history where id = $1`,
      [record.id],
    )
    return [latest, rows]
  }
  return { params, before: await reread(), reread }
}

/** Queries that pass the owner's record in every possible parameter. */
function ownedFilters(endpoint: Endpoint, params: Record<string, unknown>): string[] {
  const names = Object.keys((endpoint.query as ReturnType<typeof declared>['query'])?.properties ?? {})
  return names
    .filter((name) => name.endsWith('_id') || name === 'mrn')
    .map((name) => `${name}=${params[name] ?? params[name.replace(/_id$/, '')] ?? params.id}`)
}
