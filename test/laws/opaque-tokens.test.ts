// Page tokens occur in URLs, and so in the logs of proxies: they must not reveal the content of a page.
import { expect, it } from 'vitest'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { appointmentBody, coverageBody, eligibilityRequestBody, nameBody, patientBody } from '../support/bodies.ts'
import { endpoints, urlOf } from '../support/operations.ts'
import { type Caller, deadClearinghouses, testService } from '../support/service.ts'

const service = testService(() => ({ clearinghouses: deadClearinghouses }))

/** Three records of every type that has a list. */
async function fill({ call }: Caller): Promise<void> {
  for (const family of ['Anderwood', 'Brightwater', 'Cloverfield']) {
    const { body: patient } = await call('POST', '/patients/v1', patientBody({ name: nameBody(family) }))
    await call('POST', '/coverages/v1', coverageBody(patient.id))
    await call('POST', '/appointments/v1', appointmentBody(patient.id))
    await call('POST', '/tags/v1', { value: `tag of ${family}` })
    await call('POST', '/metadata-schemas/v1', { name: `schema of ${family}`, fields: [{ key: 'a', type: 'STRING' }] })
    const provider = { name: nameBody(family), types: ['REFERRING'] }
    expect((await call('POST', '/organization-external-providers/v1', provider)).status).toBe(200)
    await call('POST', '/eligibility-checks/v1', eligibilityRequestBody())
  }
}

/** Every text of four letters or more in an answer: names, dates, ids. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 4 ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const paged = endpoints.filter(
  ({ method, query }: Endpoint) => method === 'GET' && 'page_token' in (query?.properties ?? {}),
)
const SORTS: Record<string, string[]> = {
  'lists.getPatientList': ['patient.name.family', 'patient.birthDate', 'patient.mrn'],
  'appointments.getVisits': ['patient.name.family', 'patient.birthDate'],
}

it('no page token reveals anything of its page for any sort, and each is valid for its own list only', async () => {
  const caller = await service.newCaller()
  await fill(caller)
  const tokens: { url: string; token: string }[] = []
  for (const endpoint of paged) {
    for (const sort of ['', ...(SORTS[endpoint.operation] ?? [])]) {
      const url = urlOf(endpoint, {})
      const size = 'page_size' in (endpoint.query?.properties ?? {}) ? 'page_size' : 'limit'
      const sorted = sort === '' ? '' : `&sort_field=${sort}&sort_direction=asc`
      const first = `${url}${url.includes('?') ? '&' : '?'}${size}=1${sorted}`
      const { status, body } = await caller.call('GET', first)
      if (status !== 200 || body.next_page_token === undefined) continue
      const token: string = body.next_page_token
      tokens.push({ url: first, token })
      const readable = [token, Buffer.from(token, 'base64url').toString('latin1')]
      for (const part of token.split('.')) readable.push(Buffer.from(part, 'base64url').toString('latin1'))
      const shown = textsIn(body.items).filter((text) => readable.some((each) => each.includes(text)))
      expect(shown, first).toEqual([])
      expect(token.length, first).toBeLessThan(400)
      expect((await caller.call('GET', `${first}&page_token=${token}`)).status, first).toBe(200)
    }
  }
  const lists = new Set(tokens.map(({ url }) => url.split('?')[0]))
  expect(lists.size, [...lists].join()).toBeGreaterThanOrEqual(8)
  for (const { url } of tokens) {
    const other = tokens.find((each) => each.url !== url)
    expect((await caller.call('GET', `${url}&page_token=${other?.token}`)).status, url).toBe(400)
  }
  const stranger = await service.newCaller()
  await fill(stranger)
  for (const { url, token } of tokens.filter((each) => !each.url.includes('payer'))) {
    expect((await stranger.call('GET', `${url}&page_token=${token}`)).status, url).toBe(400)
  }
})
