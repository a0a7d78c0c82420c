// How PostgreSQL plans the statements of a page. decisions/0143-what-a-page-costs.md
import { expect, it } from 'vitest'
import { appointmentBody, patientBody } from '../../../test/support/bodies.ts'
import { testService } from '../../../test/support/service.ts'
import type { Database, TextRow } from '../../platform/database/database.ts'
import { createPageCache } from '../../records/page-cache.ts'

// A page that is kept is not asked for again.
const service = testService(() => ({ pageCache: createPageCache(0) }))

/** Of a small table all plans cost the same. */
const manyPatients = `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
    select $1::uuid, gen_random_uuid(), 1, false, '2026-01-01Z', $1::uuid, '2026-01-01Z',
      jsonb_build_object('mrn', 'M' || n, 'name', jsonb_build_object('family', 'F', 'given', array['G']))
    from generate_series(1, 2000) n`

it('plans the statement for the items of a page a few times, and not for each page, however few items there are', async () => {
  const caller = await service.newCaller()
  const { body } = await caller.call('POST', '/patients/v1', patientBody())
  await caller.call('POST', '/appointments/v1', appointmentBody(body.id))
  await service.database.rows(manyPatients, [caller.organizationId])
  await service.database.rows('analyze patient')
  const visits = `/appointments/v1/visits?filters=${encodeURIComponent('appointment.startTimestamp|gt|2020-01-01')}&`
  const lists = {
    patient_list_items: '/lists/v1/patient?',
    appointment_list_items: '/lists/v1/appointment?',
    board_items: '/anteroom/v1/lists/board?',
    found_patients: '/anteroom/v1/lists/patients?',
    visit_parts: visits,
  }
  const plansOfConnection = `select name, generic_plans, custom_plans from pg_prepared_statements
    where $1::uuid is not null and name = $2`
  for (const [statement, url] of Object.entries(lists)) {
    // On a busy machine the pages of one round may be spread over connections, or a connection and its plans end meanwhile.
    let plans: TextRow[] = []
    for (let round = 0; round < 10 && !plans.some(isForAll); round++) {
      for (let page = 0; page < 30; page++) expect((await caller.call('GET', `${url}limit=1`)).status).toBe(200)
      const asked = [caller.organizationId, statement]
      plans = (await onEveryConnection(10, (one) => one.rows(plansOfConnection, asked))).flat()
    }
    expect(plans.some(isForAll), statement).toBe(true)
    // PostgreSQL makes five plans for their values before it compares.
    for (const [, , forValues] of plans) expect(Number(forValues), statement).toBeLessThanOrEqual(5)
  }
})

/** Of a name, the number of executions with one plan for all values, and with plans for their values. */
const isForAll = ([, forAll]: TextRow) => Number(forAll) > 0

/** Asks as many connections at once as there may be, which are those that the pages used. */
async function onEveryConnection<Found>(
  count: number,
  ask: (connection: Database) => Promise<Found>,
): Promise<Found[]> {
  let open = 0
  let letGo = () => {}
  const areAllOpen = new Promise<void>((resolve) => (letGo = resolve))
  const askOne = () =>
    service.deps.database.transaction(async (connection) => {
      const found = await ask(connection)
      open += 1
      if (open === count) letGo()
      await areAllOpen
      return found
    })
  return Promise.all(Array.from({ length: count }, askOne))
}
