// Every operation that creates an inquiry follows the guide, or names the field that prevents it.

import { beforeAll, describe, expect, it, vi } from 'vitest'
import { coverageCheckBody, eligibilityRequestBody } from '../../../test/support/bodies.ts'
import { newCoverage } from '../../../test/support/coverage-checks.ts'
import { addressAt } from '../../../test/support/interchange-address.ts'
import { scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { checkInterchange } from '../../../test/support/x12-guide/check-interchange.ts'
import { importPayers } from '../../payers/directory.ts'
import { writeInquiry } from '../../x12/inquiry-writer.ts'
import type { Inquiry } from '../../x12/model.ts'
import { startCheckWorker } from './check-worker.ts'

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))

const address = addressAt(new Date('2026-11-22T12:00:00Z'))

/** The 270s that were sent about a member. */
function sentAbout(memberId: string): string[] {
  const isAbout = ({ subscriber }: Inquiry) => subscriber.memberId === memberId
  return payer.inquiries.filter(isAbout).map((inquiry) => writeInquiry(inquiry, address))
}

function expectByTheGuide(texts: string[]): void {
  expect(texts).not.toEqual([])
  for (const text of texts) {
    expect(checkInterchange(text)).toEqual([])
    expect(text).toContain('NM1*PR*2*AETNA*****PI*60054~')
  }
}

beforeAll(async () => {
  const aetna = { display_name: 'Aetna', primary_payer_id: '60054', aliases: [], names: [], transaction_support: {} }
  await importPayers(service.deps.systemDatabase, [aetna as never])
})

const batch = async (caller: Caller, items: unknown[]) => {
  const { status, body } = await caller.call('POST', '/eligibility-checks/v1/batch', items)
  expect(status).toBe(200)
  const log = service.app.log
  const worker = startCheckWorker(service.deps, { concurrency: 4, log })
  try {
    return await vi.waitFor(
      async () => {
        const page = await caller.call('GET', `/eligibility-checks/v1/batch/${body.batch_id}`)
        expect(page.body.items).toHaveLength(items.length)
        return page.body.items
      },
      { timeout: 60_000, interval: 100 },
    )
  } finally {
    await worker.stop()
  }
}

describe('an inquiry', () => {
  it('of a real-time check names the payer of the directory and the clinic, and has Latin letters', async () => {
    const caller = await service.newCaller()
    const subscriber = { member_id: 'RT-1', first_name: 'Иван', last_name: 'Петров', date_of_birth: '1984-02-29' }
    const request = eligibilityRequestBody({ subscriber, provider: { npi: '1999999984' } })
    const { status, body } = await caller.call('POST', '/eligibility-checks/v1', request)
    expect(status).toBe(200)
    expect(body.request.subscriber.last_name).toBe('Петров')
    expect(body.parsed_response).toMatchObject({ eligibility_status: 'ACTIVE' })
    expect(body.parsed_response.benefits.notes).toContain('the inquiry was sent with "PETROV"')
    const texts = sentAbout('RT-1')
    expectByTheGuide(texts)
    const [name] =
      (await service.database.row('select name from organization where id = $1', [caller.organizationId])) ?? []
    expect(texts[0]).toContain(`NM1*1P*2*${name?.toUpperCase().slice(0, 60)}`)
  })

  it('never contains the name of a sandbox payer unless it is sent to the sandbox', async () => {
    const caller = await service.newCaller()
    const subscriber = { member_id: 'RT-2', first_name: 'Jane', last_name: 'Doe', date_of_birth: '1984-02-29' }
    const invented = (await service.deps.payers.sandboxPayers()).at(-1)
    const payer_id = invented?.primary_payer_id ?? ''
    const { status } = await caller.call(
      'POST',
      '/eligibility-checks/v1',
      eligibilityRequestBody({ subscriber, payer_id }),
    )
    expect(status).toBe(200)
    const [text] = sentAbout('RT-2')
    expect(text).toContain(`NM1*PR*2*${payer_id}*****PI*${payer_id}~`)
  })

  it('of a batch follows the guide, and an item that no inquiry can carry gets an error that names its field', async () => {
    const caller = await service.newCaller()
    const subscriber = { member_id: 'BATCH-1', first_name: '明', last_name: '王', date_of_birth: '1984-02-29' }
    const items = await batch(caller, [
      eligibilityRequestBody({ subscriber }),
      eligibilityRequestBody({ subscriber: { ...subscriber, member_id: 'BATCH*2' } }),
      eligibilityRequestBody({ subscriber, encounter: { service_type_codes: ['EF'] } }),
    ])
    expectByTheGuide(sentAbout('BATCH-1'))
    expect(items[0]).not.toHaveProperty('errors')
    const refused = (field: string) => [{ source: 'CANDID', errorDetails: { code: 'INVALID_REQUEST', field } }]
    expect(items[1].errors).toMatchObject(refused('subscriber.member_id'))
    expect(items[2].errors).toMatchObject(refused('encounter.service_type_codes'))
    expect(JSON.stringify(items.map(({ errors }: { errors?: unknown }) => errors))).not.toContain('BATCH*2')
  })

  it('of a coverage follows the guide, or is refused with the field names of the coverage', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    const url = `/coverages/v1/${id}/eligibility`
    expect((await caller.call('POST', url, coverageCheckBody())).status).toBe(200)
    const texts = sentAbout(memberId)
    expect(texts).not.toEqual([])
    for (const text of texts) expect(checkInterchange(text)).toEqual([])
    const { status, body } = await caller.call('POST', url, coverageCheckBody({ npi: '1234567890' }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ errorName: 'BadRequestError' })
    expect(body.content.message).toMatch(/^npi must be a National Provider Identifier/)
  })

  it.each([
    ['payer_id', { payer_id: 'AB~C' }],
    ['provider.npi', { provider: { npi: '12' } }],
    ['encounter.service_type_codes', { encounter: { service_type_codes: ['30', '31'] } }],
  ])('that the guide forbids for its %s is refused before it is stored', async (field, changes) => {
    const caller = await service.newCaller()
    const { status, body } = await caller.call('POST', '/eligibility-checks/v1', eligibilityRequestBody(changes))
    expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
    expect(body.content.message).toContain(`${field} must`)
    const count = `select count(*) from eligibility_check where organization_id = $1`
    expect(await service.database.row(count, [caller.organizationId])).toEqual(['0'])
  })
})
