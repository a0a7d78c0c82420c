// A caller with another organization's ids, page tokens and URLs finds nothing and changes nothing. Every operation is
// tried, with attacks that succeed for the owner, because otherwise they would prove nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { type Body, eligibilityRequestBody } from '../support/bodies.ts'
import {
  allDataOf,
  type FullOrganization,
  fillOrganization,
  put,
  type Reference,
  recordsOf,
  references,
} from '../support/full-organization.ts'
import { imageSamples } from '../support/image-samples.ts'
import { endpoints, urlOf, validBody } from '../support/operations.ts'
import { scriptedPayer } from '../support/scripted-payer.ts'
import { type Caller, type Reply, testService } from '../support/service.ts'

const { clearinghouses } = scriptedPayer()
const service = testService(() => ({ clearinghouses }))
const guarded = endpoints.filter(({ access }) => access !== 'public')

let owned: FullOrganization
let stranger: Caller
beforeAll(async () => {
  owned = await fillOrganization(service, await service.newCaller())
  stranger = await service.newCaller()
})

interface Attempt {
  url: string
  body?: Body | undefined
}

/**
 * The attacker knows every id, so a leak is recognized by the canary in the texts and by the owner's organization id.
 */
function expectNothingOf({ owner, canary }: FullOrganization, reply: Reply, { url, body }: Attempt): void {
  const answer = JSON.stringify([reply.text, reply.headers])
  const shown = [canary, owner.organizationId].filter((each) => !url.includes(each) && answer.includes(each))
  if (shown.length === 0 && reply.status < 500) return
  const request = `${url} ${JSON.stringify(body)} answered ${reply.status} ${reply.text.slice(0, 300)}`
  expect([shown, reply.status < 500], request).toEqual([[], true])
}

const isRead = ({ method }: Endpoint) => method === 'GET'
const reads = guarded.filter(isRead)
const send = (caller: Caller, { method }: Endpoint, { url, body }: Attempt) => caller.call(method, url, body)

describe("with another organization's ids", () => {
  let before: Map<string, string>
  beforeAll(async () => {
    before = await allDataOf(service, owned.owner)
  })
  // Once for all operations, because it reads all data. Which of them changed it is found by running one at a time (`-t`).
  afterAll(async () => {
    expect(await allDataOf(service, owned.owner), 'an attack has changed something').toEqual(before)
  })

  const writes = guarded.filter((each) => !isRead(each))
  it.each(writes)('$operation finds nothing and changes nothing', finds)
  // Last, so that they also find nothing that a write above has brought into the attacker's own organization.
  it.each(reads)('$operation finds nothing and changes nothing, also after all writes', finds)

  async function finds(endpoint: Endpoint): Promise<void> {
    for (const attempt of await attemptsOn(endpoint)) {
      const reply = await send(stranger, endpoint, attempt)
      expectNothingOf(owned, reply, attempt)
    }
  }
})

/** Operations whose answers contain nothing of an organization: shared payers, counts, and a redirect. */
const showsNoRecords = new Set([
  'apiClients.getScopes',
  'systemHealth.get',
  'verificationRules.get',
  'appointments.getCounts',
  'eligibilityChecks.payerSearch',
  'eligibility.submitEligibilityCheckAvaility',
])

describe('with the same ids', () => {
  it.each(reads.filter(({ operation }) => !showsNoRecords.has(operation)))(
    '$operation would find something for the owner',
    async (endpoint) => {
      const replies: string[] = []
      let isFound = false
      for (const attempt of await attemptsOn(endpoint)) {
        const { status, text } = await send(owned.owner, endpoint, attempt)
        replies.push(`${status} ${text.slice(0, 100)}`)
        isFound = status === 200 && showsSomething(text)
        if (isFound) break
      }
      expect(isFound, replies.join('\n')).toBe(true)
    },
  )
})

/** The canary, when an answer contains texts; otherwise properties that only records have. */
const showsSomething = (text: string) =>
  text.includes(owned.canary) ||
  text.startsWith('%PDF-') ||
  /"(source|batch_id|patient_ids|record_type|event_id|is_default|connector|begun_at)":/.test(text)

/** These send something, and store nothing but their audit event. */
const writesNothing = new Set(['webhooks.test', 'connectors.test'])

describe("with the owner's own token", () => {
  let spent: FullOrganization
  beforeAll(async () => {
    spent = await fillOrganization(service, await service.newCaller())
  })
  /** Runs before the appointment is removed, because it does nothing for a removed one. */
  const isFirst = ({ operation }: Endpoint) => Number(operation === 'visitVerification.begin')
  const writes = guarded
    .filter(
      ({ method, path, operation }) =>
        method !== 'GET' && /:(?!version|partner)/.test(path) && !writesNothing.has(operation),
    )
    .sort((a, b) => isFirst(b) - isFirst(a))
  it.each(writes)('$operation succeeds: the attacks above are valid requests', async (endpoint) => {
    const body = await bodyOf(endpoint, spent.owner)
    const before = await recordsOf(service, spent.owner)
    for (const url of pathsWith(endpoint, spent.ids, [1, 2, 3, 4, 5, 6])) {
      const { status } = await send(spent.owner, endpoint, { url, body })
      // A versioned write succeeds once: the next one finds another version.
      if (status === 200 && endpoint.path.includes(':version')) break
    }
    expect(await recordsOf(service, spent.owner)).not.toEqual(before)
  })
})

/** Each id in each place of an operation that accepts ids: path, query, body. */
async function attemptsOn(endpoint: Endpoint): Promise<Attempt[]> {
  const body = await bodyOf(endpoint, stranger)
  const inPath = pathsWith(endpoint, owned.ids).map((url) => ({ url, body }))
  const url = urlOf(endpoint, { id: owned.ids.patient, version: 2 })
  const inQuery = queriesWith(endpoint).map((query) => ({ url: withQuery(url, query), body }))
  const inBody = bodiesWith(body, endpoint.operation).map((each) => ({ url, body: each }))
  return [...inPath, ...inQuery, ...inBody]
}

/** For a list of requests: one with a single item. */
async function bodyOf(endpoint: Endpoint, caller: Caller): Promise<Body | undefined> {
  const isList = (endpoint.body as { type?: string } | undefined)?.type === 'array'
  return isList ? ([eligibilityRequestBody()] as unknown as Body) : validBody(endpoint, caller)
}

/** Path parameters that do not name a record. */
const NO_REFERENCE = /^(version|partner|number)$/

function pathsWith(endpoint: Endpoint, ids: FullOrganization['ids'], numbers = [1, 2]): string[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const addressed = names.filter((name) => !NO_REFERENCE.test(name))
  const versions = names.includes('version') ? numbers : [1]
  const choices: Record<string, string>[] =
    addressed.length === 0 ? [{}] : references.map((reference) => withReference(addressed, reference, ids))
  return choices.flatMap((choice) =>
    versions.map((version) => urlOf(endpoint, { partner: 'availity', number: 1, ...choice, version })),
  )
}

/** When two records are addressed, the second is a check of the first. */
function withReference(
  [first = '', second]: string[],
  reference: Reference,
  ids: FullOrganization['ids'],
): Record<string, string> {
  // The record is addressed as `id`, regardless of the parameter's name.
  return { id: ids[reference], [first]: ids[reference], ...(second && { [second]: ids.coverageCheck }) }
}

const FILTERS = [
  'patient.id',
  'patient.mrn',
  'appointment.id',
  'appointment.patientId',
  'coverage.id',
  'id',
  'name',
  'family',
]

function queriesWith(endpoint: Endpoint): Record<string, string>[] {
  const names = Object.keys(endpoint.query?.properties ?? {})
  const texts = [...Object.values(owned.ids), owned.canary]
  const plain = names
    .filter((name) => /(_id|^ids|^mrn|criteria|query|name)$/.test(name))
    .flatMap((name) => texts.map((text) => ({ [name]: text })))
  const filters = names.includes('filters')
    ? FILTERS.flatMap((path) => texts.map((text) => ({ filters: `${path}|eq|${text}` })))
    : []
  return [{}, ...plain, ...filters]
}

function withQuery(url: string, parameters: Record<string, string>): string {
  const [path, query] = url.split('?')
  const all = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), ...parameters })
  return all.size === 0 ? (path ?? '') : `${path}?${all}`
}

/** References to records in bodies, besides those that every valid body has. */
const REFERRING: Record<string, (ids: FullOrganization['ids']) => Body[]> = {
  patients: ({ tag, note, coverage, metadataSchema }) => [
    { tag_ids: [tag] },
    { note_ids: [note] },
    { filing_order: { coverages: [coverage] } },
    { coverages_for_related_causes: { coverages: [coverage] } },
    { custom_metadata: [{ schema_id: metadataSchema, values: [] }] },
  ],
  images: ({ coverage, patient }) => [{ coverage: { id: coverage, side: 'BACK' } }, { patient: { id: patient } }],
  patientMerges: ({ mrn, alternativeMrn }) => [{ mrns: [mrn, alternativeMrn] }],
}

function bodiesWith(body: Body | undefined, operation: string): Body[] {
  if (body === undefined) return []
  const referring = REFERRING[operation.split('.')[0] ?? '']?.(owned.ids) ?? []
  return [...replaced(body), ...referring.map((each) => ({ ...body, ...each }))]
}

const ID_KEY = /(^|_)(id|ids|mrn|mrns|patient|coverage|coverages)$/

/** The body with each of its ids replaced, one at a time, by each of the owner's. */
function replaced(body: Body): Body[] {
  return Object.entries(body).flatMap(([key, value]) => {
    if (typeof value === 'string' && ID_KEY.test(key))
      return references.map((each) => ({ ...body, [key]: owned.ids[each] }))
    if (Array.isArray(value) && ID_KEY.test(key))
      return references.map((each) => ({ ...body, [key]: [owned.ids[each]] }))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    return replaced(value as Body).map((each) => ({ ...body, [key]: each }))
  })
}

describe('a page token', () => {
  const paged = guarded.filter(
    ({ method, query }) =>
      method === 'GET' && 'page_token' in (query?.properties ?? {}) && 'limit' in (query?.properties ?? {}),
  )
  it.each(paged)('of another organization is refused by $operation', async (endpoint) => {
    const tokens: Attempt[] = []
    for (const { url } of await attemptsOn(endpoint)) {
      const first = withQuery(url, { limit: '1' })
      const { body } = await owned.owner.call('GET', first)
      if (body?.next_page_token) tokens.push({ url: withQuery(first, { page_token: body.next_page_token }) })
    }
    expect(tokens.length, endpoint.operation).toBeGreaterThan(0)
    for (const attempt of tokens) {
      expect((await send(owned.owner, endpoint, attempt)).status).toBe(200)
      const reply = await send(stranger, endpoint, attempt)
      expect(reply.status, attempt.url).toBe(400)
      expectNothingOf(owned, reply, attempt)
    }
  })
})

describe('the URL of an image', () => {
  it('altered in any part, or moved to another image or organization, permits neither reading nor writing', async () => {
    const { body: own } = await stranger.call('POST', '/images/v1', {
      file_name: 'own.png',
      display_name: 'Own',
      file_type: 'image/png',
      status: 'PENDING',
    })
    const before = await recordsOf(service, owned.owner)
    const [theirs, mine] = [new URL(owned.signedUrl), new URL(own.signed_url)]
    for (const url of changedAddresses(theirs, mine)) {
      const { statusCode, payload } = await service.app.inject({ method: 'GET', url })
      expect([statusCode, payload.includes(owned.canary)], url).toEqual([403, false])
      expect(await put(service, `http://x${url}`, imageSamples['image/png']), url).toBe(403)
    }
    expect((await service.app.inject({ url: theirs.pathname + theirs.search })).statusCode).toBe(200)
    expect(await recordsOf(service, owned.owner)).toEqual(before)
  })
})

/**
 * The owner's URL with each part of the attacker's, the attacker's with each part of the owner's, and the owner's with
 * each part truncated or removed.
 */
function changedAddresses(theirs: URL, mine: URL): string[] {
  const names = [...theirs.searchParams.keys()]
  const address = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`
  const [their, our] = [theirs, mine].map((url) => Object.fromEntries(url.searchParams)) as [Body, Body] as Record<
    string,
    string
  >[]
  const mixed = names
    .filter((name) => their?.[name] !== our?.[name])
    .flatMap((name) => [
      address(theirs.pathname, { ...their, [name]: our?.[name] ?? '' }),
      address(mine.pathname, { ...our, [name]: their?.[name] ?? '' }),
    ])
  const cut = names.flatMap((name) => [
    address(theirs.pathname, { ...their, [name]: (their?.[name] ?? '').slice(0, -1) }),
    address(theirs.pathname, { ...their, [name]: '' }),
  ])
  return [...mixed, ...cut, address(mine.pathname, their ?? {}), address(theirs.pathname, our ?? {})]
}
