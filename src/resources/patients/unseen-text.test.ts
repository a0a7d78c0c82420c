// Text that earlier releases stored with characters that nobody sees, before the service removed them: migrations/0125.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { testService } from '../../../test/support/service.ts'
import { packageFile } from '../../platform/package-root.ts'

const service = testService()

async function migrate(): Promise<void> {
  await service.database.rows(await readFile(packageFile('migrations', '0125_unseen_characters.sql'), 'utf8'))
}

/** Puts this into every place where a text has `~`, as an earlier release stored it. */
async function hide(unseen: string, organizationId: string): Promise<void> {
  for (const table of ['patient', 'coverage', 'tag', 'patient_merge', 'metadata_schema']) {
    const sql = `update ${table} set body = replace(body::text, '~', $2)::jsonb where organization_id = $1`
    await service.database.rows(sql, [organizationId, unseen])
  }
}

const named = (mrn: string, family: string) => ({ ...patientBody({ name: nameBody(family) }), mrn })

it.each(['\u200b', '\u00ad', '\u007f', '\u{e0041}\u{e0042}', '\u202e', '\ufeff', '\u009f'])(
  'an MRN, a tag, a name and a member id with %j are found as they look, in the same versions',
  async (unseen) => {
    const { call, organizationId } = await service.newCaller()
    const { body: schema } = await call('POST', '/metadata-schemas/v1', {
      name: 'x',
      fields: [{ key: 'k', type: 'STRING' }],
    })
    const custom_metadata = [{ metadata_schema_id: schema.id, key_value_pairs: { k: 'kept~kept' } }]
    const { body: patient } = await call('POST', '/patients/v1/with_mrn', {
      ...named('A~1', 'Ri~vera'),
      custom_metadata,
    })
    await call('POST', '/patients/v1/with_mrn', named('B~2', 'Stone'))
    await call('POST', '/patient-merge/v1', { alternative_patient_mrn: 'B~2', primary_patient_mrn: 'A~1' })
    const { body: tag } = await call('POST', '/tags/v1', { value: 'V~IP' })
    const plain = coverageBody(patient.id)
    const coverage = { ...plain, insurance_plan: { ...plain.insurance_plan, member_id: 'W~1' } }
    expect((await call('POST', '/coverages/v1', coverage)).status).toBe(200)
    await hide(unseen, organizationId)
    const found = async (filter: string) =>
      (await call('GET', `/lists/v1/patient?filters=${encodeURIComponent(filter)}`)).body.total
    expect(await found('patient.mrn|eq|A1'), 'before').toBe(0)

    await migrate()
    expect(await found('patient.mrn|eq|A1')).toBe(1)
    expect(await found('patient.name.family|eq|Rivera')).toBe(1)
    expect((await call('GET', `/coverages/v1?patient_id=${patient.id}`)).text).toContain('"member_id": "W1"')
    const { body: now } = await call('GET', `/patients/v1/${patient.id}`)
    expect(now).toMatchObject({ mrn: 'A1', version: 1 })
    expect(now.custom_metadata[0].key_value_pairs.k).toBe(`kept${unseen}kept`)
    expect((await call('POST', '/tags/v1', { value: 'VIP' })).body.id).toBe(tag.id)
    expect((await call('GET', '/patient-merge/v1/all/B2')).body).toHaveLength(1)
  },
)

it('an MRN stays where another patient has it without the character, and what names it still does', async () => {
  const { call, organizationId } = await service.newCaller()
  const { body: old } = await call('POST', '/patients/v1/with_mrn', named('C~3', 'Old'))
  await call('POST', '/patients/v1/with_mrn', named('P-3', 'Primary'))
  await call('POST', '/patient-merge/v1', { alternative_patient_mrn: 'C~3', primary_patient_mrn: 'P-3' })
  await hide('\u200b', organizationId)
  const { body: twin } = await call('POST', '/patients/v1/with_mrn', named('C3', 'Twin'))
  await migrate()
  const status = async (id: string) => (await call('GET', `/patient-merge/v1/status/${id}`)).body.merge_status
  expect([await status(old.id), await status(twin.id)]).toEqual(['alternative', 'none'])
})
