import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coverageBody, imageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()

/** A caller with a patient and one of the patient's coverages. */
async function newCard() {
  const caller = await service.newCaller()
  const { body: patient } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
  const { body: coverage } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id))
  return { caller, patient: patient.id as string, coverage: coverage.id as string }
}

const create = (caller: Caller, overrides: Record<string, unknown> = {}) =>
  caller.call('POST', '/images/v1', imageBody(overrides))

const occupied = {
  errorName: 'VersionConflictError',
  content: { message: 'this coverage already has an image of this side' },
}

describe('POST /images/v1', () => {
  it('returns 200 with the image at version 1 and a signed URL', async () => {
    const { caller, patient, coverage } = await newCard()
    const { status, body } = await create(caller, {
      coverage: { id: coverage.toUpperCase(), side: 'FRONT' },
      patient: { id: patient.toUpperCase(), notes: 'New card' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...firstVersionOf(caller),
      ...imageBody(),
      coverage: { id: coverage, side: 'FRONT' },
      patient: { id: patient, notes: 'New card' },
      signed_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4000\/anteroom\/v1\/images\/[0-9a-f-]{36}\/content\?/),
    })
  })

  it('accepts any file type, and an image without patient and coverage', async () => {
    const { caller } = await newCard()
    const { status, body } = await create(caller, { file_type: 'Führerschein', patient: null, coverage: null })
    expect([status, body.file_type, body.patient, body.coverage]).toEqual([200, 'Führerschein', undefined, undefined])
  })

  it('returns 409 without latest_version when the coverage has an active image of that side', async () => {
    const { caller, coverage } = await newCard()
    const front = { coverage: { id: coverage, side: 'FRONT' } }
    const { body: first } = await create(caller, front)
    const second = await create(caller, { coverage: { id: coverage.toUpperCase(), side: 'FRONT' } })
    expect([second.status, second.body]).toEqual([409, occupied])
    expect((await create(caller, { coverage: { id: coverage, side: 'BACK' } })).status).toBe(200)

    await caller.call('DELETE', `/images/v1/${first.id}/1`)
    expect((await create(caller, front)).status).toBe(200)
  })

  it('gives the side to one of many concurrent images', async () => {
    const { caller, coverage } = await newCard()
    const sent = Array.from({ length: 10 }, () => create(caller, { coverage: { id: coverage, side: 'BACK' } }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(409)])
  })

  it.each(['coverage', 'patient'])(
    'returns 404 for the id of a %s that does not exist or belongs to another organization',
    async (what) => {
      const [own, foreign] = [await newCard(), await newCard()]
      for (const id of [randomUUID(), foreign[what as 'coverage' | 'patient']]) {
        const { status, body } = await create(own.caller, { [what]: { id, side: 'FRONT' } })
        expect([status, body.errorName, body.content.message.toLowerCase()]).toEqual([
          404,
          'NotFoundError',
          `${what} not found`,
        ])
      }
      expect((await create(own.caller, { patient: { id: 'no id' } })).status).toBe(404)
    },
  )
})

describe('PUT /images/v1/:id/:version', () => {
  it('takes the version that the caller read', async () => {
    const { caller } = await newCard()
    const { body: image } = await create(caller)
    const changed = imageBody({ status: 'FAILED', display_name: 'Front' })
    expect((await caller.call('PUT', `/images/v1/${image.id}/2`, changed)).status).toBe(409)
    const { status, body } = await caller.call('PUT', `/images/v1/${image.id}/1`, changed)
    expect([status, body]).toMatchObject([200, { ...changed, version: 2, signed_url: expect.any(String) }])
  })

  it('returns 409 without latest_version when it moves to an occupied side, and changes neither image', async () => {
    const { caller, coverage } = await newCard()
    const { body: front } = await create(caller, { coverage: { id: coverage, side: 'FRONT' } })
    const { body: back } = await create(caller, { coverage: { id: coverage, side: 'BACK' } })
    const moved = imageBody({ status: 'UPLOADED', coverage: { id: coverage, side: 'FRONT' } })
    const reply = await caller.call('PUT', `/images/v1/${back.id}/1`, moved)
    expect([reply.status, reply.body]).toEqual([409, occupied])
    for (const { id } of [front, back]) {
      expect((await caller.call('GET', `/images/v1/${id}`)).body.version).toBe(1)
    }
    expect((await caller.call('PUT', `/images/v1/${front.id}/1`, moved)).status).toBe(200)
  })

  it('keeps a deactivated image deactivated', async () => {
    const { caller, coverage } = await newCard()
    const side = { coverage: { id: coverage, side: 'FRONT' } }
    const { body: image } = await create(caller, side)
    await caller.call('DELETE', `/images/v1/${image.id}/1`)
    await create(caller, side)
    const { status, body } = await caller.call('PUT', `/images/v1/${image.id}/2`, imageBody(side))
    expect([status, body.deactivated, body.version]).toEqual([200, true, 3])
  })

  it('returns 404 for a coverage that does not exist', async () => {
    const { caller } = await newCard()
    const { body: image } = await create(caller)
    const body = imageBody({ coverage: { id: randomUUID(), side: 'FRONT' } })
    expect((await caller.call('PUT', `/images/v1/${image.id}/1`, body)).status).toBe(404)
  })
})

describe('GET /images/v1', () => {
  it('lists the latest change first and excludes deactivated images', async () => {
    const { caller } = await newCard()
    const made = []
    for (const name of ['a', 'b', 'c']) made.push((await create(caller, { display_name: name })).body)
    await caller.call('PUT', `/images/v1/${made[0].id}/1`, imageBody({ display_name: 'a' }))
    await caller.call('DELETE', `/images/v1/${made[1].id}/1`)
    const { status, body } = await caller.call('GET', '/images/v1')
    expect([status, body.map((image: { display_name: string }) => image.display_name)]).toEqual([200, ['a', 'c']])
    expect(body[0]).toMatchObject({ id: made[0].id, version: 2, signed_url: expect.stringContaining(made[0].id) })
  })

  it('returns the complete array, for any number of images', async () => {
    const { caller } = await newCard()
    await Promise.all(Array.from({ length: 120 }, () => create(caller)))
    expect((await caller.call('GET', '/images/v1')).body).toHaveLength(120)
  })

  it('applies every filter, alone and combined', async () => {
    const { caller, patient, coverage } = await newCard()
    const about = { patient: { id: patient, notes: 'Back of the 50% CARD_' } }
    const { body: back } = await create(caller, { ...about, coverage: { id: coverage, side: 'BACK' } })
    const { body: other } = await create(caller, { file_type: 'application/pdf', patient: { id: patient } })
    await create(caller)
    const found = async (query: string) =>
      (await caller.call('GET', `/images/v1?${query}`)).body.map(({ id }: { id: string }) => id).sort()
    expect(await found(`patient_id=${patient}`)).toEqual([back.id, other.id].sort())
    expect(await found(`patient_id=${patient.toUpperCase()}&file_type=image/png`)).toEqual([back.id])
    expect(await found(`coverage_id=${coverage}`)).toEqual([back.id])
    expect(await found('file_type=application/pdf')).toEqual([other.id])
    expect(await found('file_type=application')).toEqual([])
    expect(await found('file_type=IMAGE/PNG')).toEqual([])
    expect(await found('patient_notes=the+50%25+card_')).toEqual([back.id])
    expect(await found('patient_notes=%25')).toEqual([back.id])
    expect(await found('patient_notes=front')).toEqual([])
    expect(await found(`patient_id=${patient}&coverage_id=${randomUUID()}`)).toEqual([])
    expect(await found("patient_id='%20or%201=1--")).toEqual([])
  })

  it.each([
    ['fileName', 'file_name'],
    ['displayName', 'display_name'],
    ['fileType', 'file_type'],
    ['status', 'status'],
    ['updatedAt', 'updated_at'],
  ])('sorts by %s, descending by default', async (field, key) => {
    const { caller } = await newCard()
    for (const [name, status] of Object.entries({ b: 'UPLOADED', a: 'FAILED', c: 'PENDING' })) {
      await create(caller, { file_name: name, display_name: name, file_type: name, status })
    }
    const listed = async (query: string): Promise<string[]> =>
      (await caller.call('GET', `/images/v1?${query}`)).body.map((image: Record<string, string>) => image[key])
    const ascending = await listed(`sort_field=${field}&sort_direction=asc`)
    expect(ascending).toHaveLength(3)
    expect(ascending).toEqual([...ascending].sort())
    expect(await listed(`sort_field=${field}`)).toEqual([...ascending].reverse())
  })

  it.each(['fileName', 'displayName', 'fileType'])(
    'sorts by %s as people expect, ignoring case and marks',
    async (field) => {
      const { caller } = await newCard()
      for (const name of ['Zúñiga', 'front', 'Äpfel', 'BACK', 'zebra', 'ähre'])
        await create(caller, { file_name: name, display_name: name, file_type: name })
      const { body } = await caller.call('GET', `/images/v1?sort_field=${field}&sort_direction=asc`)
      const names = body.map(({ file_name }: { file_name: string }) => file_name)
      expect(names).toEqual(['ähre', 'Äpfel', 'BACK', 'front', 'zebra', 'Zúñiga'])
    },
  )

  it.each(['sort_field=file_name', 'sort_field=id', 'sort_direction=DESC'])('answers 400 to %s', async (query) => {
    const { caller } = await newCard()
    expect((await caller.call('GET', `/images/v1?${query}`)).status).toBe(400)
  })
})
