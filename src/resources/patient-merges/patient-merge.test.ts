import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()

/** A caller with `count` patients, their MRNs and ids. */
async function withPatients(count: number) {
  const caller = await service.newCaller()
  const patients: { id: string; mrn: string }[] = []
  for (let made = 0; made < count; made++) {
    const { body } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
    patients.push(body)
  }
  const merge = (alternative: string | undefined, primary: string | undefined) =>
    caller.call('POST', '/patient-merge/v1', {
      alternative_patient_mrn: alternative,
      primary_patient_mrn: primary,
    })
  const status = async (mrnOrId: string | undefined) =>
    (await caller.call('GET', `/patient-merge/v1/status/${mrnOrId}`)).body
  return { ...caller, merge, status, patients, mrns: patients.map(({ mrn }) => mrn) }
}

const activeMerges = (caller: Caller) =>
  service.database.rows(
    `select body ->> 'alternative_patient_mrn', body ->> 'primary_patient_mrn' from patient_merge
    where organization_id = $1 and not deactivated`,
    [caller.organizationId],
  )

describe('POST /patient-merge/v1', () => {
  it('answers 200 with the stored merge at version 1', async () => {
    const { merge, mrns, organizationId } = await withPatients(2)
    const { status, body } = await merge(mrns[0], mrns[1])
    expect(status).toBe(200)
    expect(body).toEqual({
      ...firstVersionOf({ organizationId }),
      alternative_patient_mrn: mrns[0],
      primary_patient_mrn: mrns[1],
    })
  })

  it('leaves the patients unchanged, including their timestamps', async () => {
    const { call, merge, patients, mrns } = await withPatients(2)
    await merge(mrns[0], mrns[1])
    for (const patient of patients) expect((await call('GET', `/patients/v1/${patient.id}`)).body).toEqual(patient)
  })

  it('lets several patients be merged into one primary', async () => {
    const { merge, mrns, status } = await withPatients(3)
    expect((await merge(mrns[0], mrns[2])).status).toBe(200)
    expect((await merge(mrns[1], mrns[2])).status).toBe(200)
    expect(await status(mrns[2])).toEqual({ merge_status: 'primary', alternative_mrns: mrns.slice(0, 2).sort() })
  })

  it('answers 400 to the same MRN on both sides, and names the fields', async () => {
    const { merge, mrns } = await withPatients(1)
    const { status, body } = await merge(mrns[0], mrns[0])
    expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
    expect(body.content.message).toBe('alternative_patient_mrn and primary_patient_mrn must differ')
  })

  it('answers 400, not 404, to an unknown MRN, and never repeats it', async () => {
    const { merge, mrns } = await withPatients(1)
    const unknownPrimary = await merge(mrns[0], 'CANARY')
    expect([unknownPrimary.status, unknownPrimary.body.errorName]).toEqual([400, 'BadRequestError'])
    expect(unknownPrimary.body.content.message).toContain('primary_patient_mrn')
    const unknownAlternative = await merge('CANARY', mrns[0])
    expect(unknownAlternative.status).toBe(400)
    expect(unknownAlternative.body.content.message).toContain('alternative_patient_mrn')
    expect(unknownPrimary.text + unknownAlternative.text).not.toContain('CANARY')
  })

  it("answers 400 to another organization's MRN", async () => {
    const [own, other] = [await withPatients(1), await withPatients(2)]
    // Generated MRNs of two organizations may be equal, so this one is set.
    await other.call('POST', '/patients/v1/with_mrn', { ...patientBody({ name: nameBody('Z') }), mrn: 'THEIRS' })
    expect((await own.merge(own.mrns[0], 'THEIRS')).status).toBe(400)
  })

  it('answers 400 to an alternative that is already merged, into the same primary or another', async () => {
    const { merge, mrns } = await withPatients(3)
    await merge(mrns[0], mrns[1])
    for (const primary of [mrns[1], mrns[2]]) {
      const { status, body } = await merge(mrns[0], primary)
      expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
      expect(body.content).toEqual({ message: 'alternative_patient_mrn is already merged into a primary patient' })
    }
  })

  it('answers 400 to a chain from either end', async () => {
    const { merge, mrns } = await withPatients(3)
    await merge(mrns[0], mrns[1])
    const [onAlternative, ofPrimary] = [await merge(mrns[2], mrns[0]), await merge(mrns[1], mrns[2])]
    expect([onAlternative.status, ofPrimary.status]).toEqual([400, 400])
    expect(onAlternative.body.content.message).toBe('primary_patient_mrn is itself merged into another patient')
    expect(ofPrimary.body.content.message).toBe('alternative_patient_mrn is the primary of another merge')
  })

  it('merges one alternative once for 20 concurrent calls', async () => {
    const caller = await withPatients(6)
    const [alternative, ...primaries] = caller.mrns
    // Every connection is opened first, so that the calls are concurrent.
    await Promise.all(Array.from({ length: 20 }, () => caller.status(alternative)))
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => caller.merge(alternative, primaries[n % primaries.length])),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(19)
    expect(await activeMerges(caller)).toHaveLength(1)
  })

  it('creates no chain and no cycle for concurrent merges of the same patients', async () => {
    const caller = await withPatients(5)
    const pairs = caller.mrns.flatMap((one) =>
      caller.mrns.filter((other) => other !== one).map((other) => [one, other] as const),
    )
    const replies = await Promise.all(pairs.map(([alternative, primary]) => caller.merge(alternative, primary)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 400]))
    const merges = await activeMerges(caller)
    const alternatives = merges.map(([alternative]) => alternative)
    expect(new Set(alternatives).size).toBe(alternatives.length)
    expect(merges.filter(([, primary]) => alternatives.includes(primary ?? ''))).toEqual([])
    expect(merges.length).toBe(replies.filter(({ status }) => status === 200).length)
  })
})

describe('GET /patient-merge/v1/status/:mrn_or_id', () => {
  it('returns none, alternative and primary by MRN and by id', async () => {
    const { merge, mrns, patients, status } = await withPatients(3)
    await merge(mrns[0], mrns[1])
    const expected = [
      { merge_status: 'alternative', primary_mrn: mrns[1] },
      { merge_status: 'primary', alternative_mrns: [mrns[0]] },
      { merge_status: 'none' },
    ]
    for (const [index, answer] of expected.entries()) {
      expect(await status(mrns[index])).toEqual(answer)
      expect(await status(patients[index]?.id)).toEqual(answer)
      expect(await status(patients[index]?.id.toUpperCase())).toEqual(answer)
    }
  })

  it('answers 404 for an unknown patient, by MRN and by id', async () => {
    const { status } = await withPatients(0)
    for (const nobody of ['2601010001', randomUUID()]) {
      expect(await status(nobody)).toMatchObject({ errorName: 'NotFoundError' })
    }
  })
})

describe('GET /patient-merge/v1/all/:mrn', () => {
  it('lists every active merge with the MRN on either side', async () => {
    const { call, merge, mrns } = await withPatients(4)
    const { body: first } = await merge(mrns[0], mrns[2])
    const { body: second } = await merge(mrns[1], mrns[2])
    expect((await call('GET', `/patient-merge/v1/all/${mrns[2]}`)).body).toEqual([first, second])
    expect((await call('GET', `/patient-merge/v1/all/${mrns[1]}`)).body).toEqual([second])
    expect((await call('GET', `/patient-merge/v1/all/${mrns[3]}`)).body).toEqual([])
  })

  it('finds an MRN whose letters the path has decomposed, as the patient and the status of the merge are found', async () => {
    const { call, merge, mrns, status } = await withPatients(1)
    const mrn = 'ZÚÑIGA-1'.normalize('NFC')
    const { body: patient } = await call('POST', '/patients/v1/with_mrn', { ...patientBody(), mrn })
    const { body: merged } = await merge(mrn, mrns[0])
    const decomposed = encodeURIComponent(mrn.normalize('NFD'))
    expect((await call('GET', `/patients/v1/mrn/${decomposed}`)).body).toEqual(patient)
    expect(await status(decomposed)).toEqual({ merge_status: 'alternative', primary_mrn: mrns[0] })
    const reply = await call('GET', `/patient-merge/v1/all/${decomposed}`)
    expect([reply.status, reply.body]).toEqual([200, [merged]])
  })

  it('leaves out merges that were undone', async () => {
    const { call, merge, mrns } = await withPatients(2)
    const { body } = await merge(mrns[0], mrns[1])
    await call('DELETE', `/patient-merge/v1/${body.id}/2`)
    expect((await call('GET', `/patient-merge/v1/all/${mrns[0]}`)).body).toEqual([])
  })

  it('answers 404 for an unknown MRN', async () => {
    const { call } = await withPatients(0)
    const { status, body } = await call('GET', '/patient-merge/v1/all/2601010001')
    expect([status, body.errorName]).toEqual([404, 'NotFoundError'])
  })
})

describe('DELETE /patient-merge/v1/:id/:version', () => {
  it('takes the next version and undoes the merge: both patients are unmerged again', async () => {
    const { call, merge, mrns, status } = await withPatients(2)
    const { body: made } = await merge(mrns[0], mrns[1])
    expect((await call('DELETE', `/patient-merge/v1/${made.id}/1`)).status).toBe(409)
    const reply = await call('DELETE', `/patient-merge/v1/${made.id}/2`)
    expect([reply.status, reply.text]).toEqual([200, ''])
    for (const mrn of mrns) expect(await status(mrn)).toEqual({ merge_status: 'none' })
  })

  it('leaves the other merges of the primary', async () => {
    const { call, merge, mrns, status } = await withPatients(3)
    const { body: first } = await merge(mrns[0], mrns[2])
    await merge(mrns[1], mrns[2])
    await call('DELETE', `/patient-merge/v1/${first.id}/2`)
    expect(await status(mrns[2])).toEqual({ merge_status: 'primary', alternative_mrns: [mrns[1]] })
  })

  it('permits the same pair again, under a new id, and the reverse pair', async () => {
    const { call, merge, mrns } = await withPatients(2)
    const { body: first } = await merge(mrns[0], mrns[1])
    await call('DELETE', `/patient-merge/v1/${first.id}/2`)
    const { status, body: second } = await merge(mrns[0], mrns[1])
    expect([status, second.version]).toEqual([200, 1])
    expect(second.id).not.toBe(first.id)
    await call('DELETE', `/patient-merge/v1/${second.id}/2`)
    expect((await merge(mrns[1], mrns[0])).status).toBe(200)
  })
})

describe('GET /patient-merge/v1/updates/scan', () => {
  it('returns merges and undone merges at their latest version, up to maxResults', async () => {
    const { call, merge, mrns } = await withPatients(3)
    const { body: first } = await merge(mrns[0], mrns[2])
    const { body: second } = await merge(mrns[1], mrns[2])
    const scan = async (query = '') =>
      (await call('GET', `/patient-merge/v1/updates/scan?since=2020-01-01T00:00:00Z${query}`)).body
    expect(await scan()).toEqual([first, second])
    expect(await scan('&maxResults=1')).toEqual([first])
    await call('DELETE', `/patient-merge/v1/${first.id}/2`)
    expect(await scan()).toMatchObject([{ id: second.id }, { id: first.id, version: 2, deactivated: true }])
  })
})

describe('POST /patient-merge/v1/search', () => {
  it('pages through the active merges that have one of the MRNs on either side', async () => {
    const { call, merge, mrns } = await withPatients(6)
    const { body: first } = await merge(mrns[0], mrns[4])
    const { body: second } = await merge(mrns[1], mrns[4])
    const { body: third } = await merge(mrns[2], mrns[5])
    const search = async (request: object) => (await call('POST', '/patient-merge/v1/search', request)).body
    expect(await search({ mrns: [mrns[4], mrns[2]] })).toEqual({ items: [first, second, third], total: 3 })
    expect(await search({ mrns: [mrns[1], 'nobody'] })).toEqual({ items: [second], total: 1 })
    expect(await search({ mrns: [mrns[3]] })).toEqual({ items: [], total: 0 })
    expect(await search({ mrns: [] })).toEqual({ items: [], total: 0 })

    const page = await search({ mrns: [mrns[4], mrns[5]], limit: 2 })
    expect([page.items, page.total]).toEqual([[first, second], 3])
    const next = await search({ mrns: [mrns[4], mrns[5]], limit: 2, page_token: page.next_page_token })
    expect([next.items, next.total]).toEqual([[third], 3])
  })

  it('leaves out merges that were undone', async () => {
    const { call, merge, mrns } = await withPatients(2)
    const { body } = await merge(mrns[0], mrns[1])
    await call('DELETE', `/patient-merge/v1/${body.id}/2`)
    expect((await call('POST', '/patient-merge/v1/search', { mrns })).body).toEqual({ items: [], total: 0 })
  })

  it('answers a limit above 1000 with a page of 1000, and 400 to a token of another search', async () => {
    const { call, merge, mrns } = await withPatients(3)
    await merge(mrns[0], mrns[2])
    await merge(mrns[1], mrns[2])
    expect((await call('POST', '/patient-merge/v1/search', { mrns, limit: 5000 })).status).toBe(200)
    const { body: page } = await call('POST', '/patient-merge/v1/search', { mrns, limit: 1 })
    const other = { mrns: mrns.slice(1), limit: 1, page_token: page.next_page_token }
    const { status, body } = await call('POST', '/patient-merge/v1/search', other)
    expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
  })
})
