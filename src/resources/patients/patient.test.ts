import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, dataKey, testService } from '../../../test/support/service.ts'
import { unbound } from '../../../test/support/unbound-values.ts'
import { ENCRYPTED_PREFIX } from '../../platform/crypto/encryption.ts'

const service = testService()
const SSN = '078-05-1120'
const someone = (overrides: Record<string, unknown> = {}) => patientBody({ name: nameBody(randomUUID()), ...overrides })

async function create({ call }: Caller, overrides: Record<string, unknown> = {}) {
  const reply = await call('POST', '/patients/v1', someone(overrides))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

describe('GET /patients/v1/mrn/:mrn', () => {
  it('finds the patient, deactivated ones too', async () => {
    const caller = await service.newCaller()
    const patient = await create(caller)
    await caller.call('DELETE', `/patients/v1/${patient.id}/2`)
    const { body } = await caller.call('GET', `/patients/v1/mrn/${patient.mrn}`)
    expect(body).toMatchObject({ id: patient.id, deactivated: true, version: 2 })
  })

  it('returns 404 for an unknown MRN', async () => {
    const { call } = await service.newCaller()
    for (const mrn of ['nobody', '%00', 'a%2Fb', 'x'.repeat(400)]) {
      expectEnvelope(await call('GET', `/patients/v1/mrn/${mrn}`), 404)
    }
  })
})

describe('PUT /patients/v1/:id/:version', () => {
  it('keeps the MRN regardless of the body', async () => {
    const caller = await service.newCaller()
    const patient = await create(caller)
    const { body } = await caller.call('PUT', `/patients/v1/${patient.id}/2`, {
      ...patient,
      mrn: 'OTHER',
      email: 'a@b.c',
    })
    expect(body).toEqual({ ...patient, email: 'a@b.c', version: 2, updated_at: body.updated_at })
    const { body: found } = await caller.call('GET', `/patients/v1/mrn/${patient.mrn}`)
    expect(found).toEqual(body)
  })

  it('replaces the record: fields that are not sent are removed', async () => {
    const caller = await service.newCaller()
    const patient = await create(caller, { email: 'a@b.c', race: 'WHITE', orcon: true })
    const { body } = await caller.call('PUT', `/patients/v1/${patient.id}/2`, someone())
    expect(body).not.toHaveProperty('email')
    expect(body).not.toHaveProperty('race')
    expect(body.orcon).toBe(false)
  })

  it('keeps a deactivated patient deactivated; PATCH reactivates it', async () => {
    const caller = await service.newCaller()
    const patient = await create(caller)
    await caller.call('DELETE', `/patients/v1/${patient.id}/2`)
    const { body: changed } = await caller.call('PUT', `/patients/v1/${patient.id}/3`, someone())
    expect(changed).toMatchObject({ version: 3, deactivated: true })
    // Some HTTP clients name a content type on calls without content.
    const reactivated = await caller.call('PATCH', `/patients/v1/${patient.id}/4`, '', { 'content-type': 'text/plain' })
    expect([reactivated.status, reactivated.text]).toEqual([200, ''])
    const { body } = await caller.call('GET', `/patients/v1/${patient.id}`)
    expect(body).toEqual({ ...changed, deactivated: false, version: 4, updated_at: body.updated_at })
  })

  it('is not refused because other patients have the same name', async () => {
    const caller = await service.newCaller()
    const [one, other] = [await create(caller), await create(caller)]
    const same = patientBody({ name: one.name })
    expect((await caller.call('PUT', `/patients/v1/${other.id}/2`, same)).status).toBe(200)
  })
})

describe('consent to electronic communication', () => {
  const both = (text?: boolean, email?: boolean) => ({
    ...(text !== undefined && { text_communication_consent: text }),
    ...(email !== undefined && { email_communication_consent: email }),
  })

  it.each([
    [both(true, false), true],
    [both(false, true), true],
    [both(false, false), false],
    [both(true), true],
    [both(), false],
  ])(
    'given as %o means opt-in %s, regardless of the opt-in that was sent',
    async (electronic_communication_consent, optIn) => {
      const caller = await service.newCaller()
      for (const sent of [undefined, true, false]) {
        const body = await create(caller, { electronic_communication_consent, electronic_communication_opt_in: sent })
        expect(body).toMatchObject({ electronic_communication_consent, electronic_communication_opt_in: optIn })
      }
    },
  )

  it.each([true, false])('given as opt-in %s alone sets text and e-mail', async (optIn) => {
    const body = await create(await service.newCaller(), { electronic_communication_opt_in: optIn })
    expect(body.electronic_communication_consent).toEqual(both(optIn, optIn))
    expect(body.electronic_communication_opt_in).toBe(optIn)
  })

  it('not given stays not given, and an update follows the same rule', async () => {
    const caller = await service.newCaller()
    const patient = await create(caller)
    expect(patient).not.toHaveProperty('electronic_communication_opt_in')
    expect(patient).not.toHaveProperty('electronic_communication_consent')
    const sent = someone({ electronic_communication_opt_in: true })
    const { body } = await caller.call('PUT', `/patients/v1/${patient.id}/2`, sent)
    expect(body.electronic_communication_consent).toEqual(both(true, true))
  })
})

describe('clinical trials', () => {
  const payer = (...trials: string[]) => ({ id: randomUUID(), clinical_trial_info: trials.map((id) => ({ id })) })

  it('may occur once under each non-insurance payer', async () => {
    const associations = [payer('A', 'B'), payer('A'), { id: 'none' }]
    const body = await create(await service.newCaller(), { non_insurance_payer_associations: associations })
    expect(body.non_insurance_payer_associations).toEqual(associations)
  })

  it('is refused with 400 when it occurs twice under one payer', async () => {
    const { call } = await service.newCaller()
    const associations = [payer('A'), payer('A', 'B', 'A')]
    const reply = await call('POST', '/patients/v1', someone({ non_insurance_payer_associations: associations }))
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain('non_insurance_payer_associations[1]')
  })
})

describe('the filing order', () => {
  it('accepts existing coverages in the given order, and returns 404 for one that does not exist', async () => {
    const caller = await service.newCaller()
    const patient = await create(caller)
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      ids.unshift((await caller.call('POST', '/coverages/v1', coverageBody(patient.id))).body.id)
    }
    const sent = { ...patient, filing_order: { coverages: ids.map((id) => id.toUpperCase()) } }
    const { body } = await caller.call('PUT', `/patients/v1/${patient.id}/2`, sent)
    expect(body.filing_order).toEqual({ coverages: ids })

    const unknown = { ...patient, filing_order: { coverages: [ids[0], randomUUID()] } }
    const reply = await caller.call('PUT', `/patients/v1/${patient.id}/3`, unknown)
    expectEnvelope(reply, 404)
    expect(reply.body).toEqual({ errorName: 'NotFoundError', content: { message: 'Coverage not found' } })
    expect((await caller.call('POST', '/patients/v1', someone({ filing_order: unknown.filing_order }))).status).toBe(
      404,
    )
  })

  it("does not accept another organization's coverage", async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    const patient = await create(owner)
    const { body: coverage } = await owner.call('POST', '/coverages/v1', coverageBody(patient.id))
    const reply = await stranger.call('POST', '/patients/v1', someone({ filing_order: { coverages: [coverage.id] } }))
    expectEnvelope(reply, 404)
  })
})

describe('a social security number', () => {
  /** Everything that the database stores about patients, as text. */
  const storedText = async () =>
    JSON.stringify(
      await service.database.rows('select body::text from patient union all select body::text from patient_history'),
    )

  it('is encrypted at rest in head and history, and readable over the interface', async () => {
    const caller = await service.newCaller()
    const patient = await create(caller, { social_security_number: SSN })
    expect(patient.social_security_number).toBe(SSN)
    const { body: changed } = await caller.call('PUT', `/patients/v1/${patient.id}/2`, {
      ...patient,
      social_security_number: '123456789',
    })
    expect(changed.social_security_number).toBe('123456789')
    await caller.call('DELETE', `/patients/v1/${patient.id}/3`)
    const text = await storedText()
    expect(text).not.toContain(SSN)
    expect(text).not.toContain('123456789')
    expect(text).toContain(`${ENCRYPTED_PREFIX}${service.deps.vault.keyId}:`)

    const { body: history } = await caller.call('GET', `/patients/v1/${patient.id}/history`)
    const numbers = history.map((each: { social_security_number: string }) => each.social_security_number)
    expect(numbers).toEqual([SSN, '123456789', '123456789'])
    for (const url of [`/patients/v1/${patient.id}`, `/patients/v1/mrn/${patient.mrn}`]) {
      expect((await caller.call('GET', url)).body.social_security_number).toBe('123456789')
    }
    const { body: scanned } = await caller.call('GET', '/patients/v1/updates/scan?since=2020-01-01T00:00:00Z')
    expect(scanned[0].social_security_number).toBe('123456789')
  })

  it.each([
    '',
    '"quoted" \\ \n 💩',
    'encrypted:',
    'encrypted:00000000:AAAA',
    'sealed:00000000:AAAA',
    unbound(dataKey, '1'),
  ])('is returned unchanged: %j', async (number) => {
    const caller = await service.newCaller()
    const { id } = await create(caller, { social_security_number: number })
    const { body } = await caller.call('GET', `/patients/v1/${id}`)
    expect(body.social_security_number).toBe(number)
  })

  /** The stored ciphertext of a patient's field. */
  const storedNumber = async (id: string) =>
    (await service.database.row(`select body ->> 'social_security_number' from patient where id = $1`, [id]))?.[0] ?? ''
  const setStored = (id: string, ciphertext: string) =>
    service.database.rows(
      `update patient set body = jsonb_set(body, '{social_security_number}', to_jsonb($2::text)) where id = $1`,
      [id, ciphertext],
    )

  it('is never decrypted in another field: a ciphertext there is returned as plain text', async () => {
    const caller = await service.newCaller()
    const { id: victim } = await create(caller, { social_security_number: SSN })
    const fields = [{ key: 'social_security_number', type: 'STRING' }]
    const { body: schema } = await caller.call('POST', '/metadata-schemas/v1', { name: 'Intake', fields })
    const copied = [
      await storedNumber(victim),
      unbound(dataKey, SSN),
      service.deps.vault.encrypt(SSN, { table: 'signing_key', column: 'private_key', id: 'kid' }),
      `${ENCRYPTED_PREFIX}nothing`,
    ]
    for (const text of copied) {
      const custom_metadata = [{ metadata_schema_id: schema.id, key_value_pairs: { social_security_number: text } }]
      for (const own of [{}, { social_security_number: text }, { social_security_number: '1' }]) {
        const sent = { language: `{"social_security_number": "${text}"}`, custom_metadata, ...own }
        const { id } = await create(caller, sent)
        const { body: read } = await caller.call('GET', `/patients/v1/${id}`)
        const { body: history } = await caller.call('GET', `/patients/v1/${id}/history`)
        const { body: listed } = await caller.call('GET', '/patients/v1')
        const inList = listed.find((each: { id: string }) => each.id === id)
        for (const shown of [read, history[0], inList]) expect(shown).toMatchObject(sent)
        expect('social_security_number' in read).toBe('social_security_number' in own)
      }
    }
  })

  it('of another patient that was copied into a record in the database is not shown; the rest of the record is', async () => {
    const caller = await service.newCaller()
    const { id: victim } = await create(caller, { social_security_number: SSN })
    const { id, mrn } = await create(caller, { social_security_number: '1' })
    await setStored(id, await storedNumber(victim))
    const { status, body } = await caller.call('GET', `/patients/v1/${id}`)
    expect([status, body.mrn, body.social_security_number]).toEqual([200, mrn, undefined])
  })

  it('of an earlier release, not yet bound to its patient, can still be read', async () => {
    const caller = await service.newCaller()
    const { id } = await create(caller, { social_security_number: '1' })
    await setStored(id, unbound(dataKey, SSN))
    expect((await caller.call('GET', `/patients/v1/${id}`)).body.social_security_number).toBe(SSN)
  })

  it('can be read under the patient id in upper case', async () => {
    const caller = await service.newCaller()
    const made = await create(caller, { social_security_number: '1' })
    const changed = { ...made, social_security_number: SSN }
    const { status } = await caller.call('PUT', `/patients/v1/${made.id.toUpperCase()}/2`, changed)
    const { body } = await caller.call('GET', `/patients/v1/${made.id}`)
    expect([status, body.social_security_number]).toEqual([200, SSN])
  })
})

it('GET /patients/v1/updates/scan accepts maxResults from 1 to 1000', async () => {
  const caller = await service.newCaller()
  const made = [await create(caller), await create(caller), await create(caller)]
  const scan = (maxResults: string) =>
    caller.call('GET', `/patients/v1/updates/scan?since=2020-01-01T00:00:00Z&maxResults=${maxResults}`)
  expect((await scan('2')).body).toEqual(made.slice(0, 2))
  expect((await scan('5000')).body).toEqual(made)
  for (const wrong of ['0', '-1', '1.5', 'x', '']) expectEnvelope(await scan(wrong), 400)
})
