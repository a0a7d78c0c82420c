// How PostgreSQL plans statements that find records by a few keys. decisions/0155-plans-for-few-keys.md
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { testService } from '../../../test/support/service.ts'
import { auditedRecords } from '../../main/resources.ts'
import { findPatients, patientsByClue } from '../../platform/audit/patients.ts'
import { readMergeStatus } from '../patient-merges/merge-status.ts'

const service = testService()

/** Of a small table all plans cost the same. */
const manyPatients = `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
    select $1::uuid, gen_random_uuid(), 1, false, '2026-01-01Z', $1::uuid, '2026-01-01Z',
      jsonb_build_object('mrn', 'M' || n, 'name', jsonb_build_object('family', 'F', 'given', array['G']))
    from generate_series(1, 5000) n`

const plansOfConnection = {
  name: 'plans_of_connection',
  text: `select coalesce(json_object_agg(name, custom_plans), '{}') from pg_prepared_statements where $1::uuid is not null and generic_plans > 0`,
}
/** PostgreSQL makes five plans for their values before it compares. */
const FIRST_PLANS = 5
const TIMES = 15

async function manyOfThem() {
  const caller = await service.newCaller()
  const { body } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))
  await service.database.rows(manyPatients, [caller.organizationId])
  await service.database.rows('analyze patient')
  return { caller, patient: body, actor: { organizationId: caller.organizationId, userId: randomUUID() } }
}

it('reads a patient by MRN with a plan that is made once, not for each call', async () => {
  const { caller, patient } = await manyOfThem()
  for (let call = 0; call < 2 * TIMES; call++) {
    expect((await caller.call('GET', `/patients/v1/mrn/${patient.mrn}`)).body.id).toBe(patient.id)
  }
  // Two connections take turns.
  for (let connection = 0; connection < 2; connection++) {
    const [plans] = (await service.deps.database.rowByKey(plansOfConnection, [caller.organizationId])) ?? []
    expect(JSON.parse(plans ?? '{}').patient_read_by_mrn).toBe(FIRST_PLANS)
  }
})

it('finds the patients of events and the merges of an MRN with plans that are made once', async () => {
  const { patient, actor } = await manyOfThem()
  const byClue = patientsByClue(auditedRecords)
  await service.deps.database.transaction(async (database) => {
    for (let time = 0; time < TIMES; time++) {
      const event = { at: '2026-01-01T00:00:00.000Z', operation: 'notes.get' }
      const noted = [{ event, clues: { mrns: [patient.mrn], recordIds: [randomUUID()] } }]
      await findPatients(database, byClue, actor.organizationId, noted)
      expect(event).toMatchObject({ patient_ids: [patient.id] })
      expect(await readMergeStatus({ database }, actor, patient.mrn)).toEqual({ merge_status: 'none' })
    }
    const [plans] = (await database.row(plansOfConnection, [actor.organizationId])) ?? []
    expect(JSON.parse(plans ?? '{}')).toMatchObject({
      audit_patients_by_clue: FIRST_PLANS,
      patient_merge_status_by_mrn: FIRST_PLANS,
    })
  })
})
