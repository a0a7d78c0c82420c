// What PostgreSQL keeps beside its tables for a list in the order of a coverage.
import { beforeAll, expect, it } from 'vitest'
import { coverageBody, patientBody } from '../../../test/support/bodies.ts'
import { sentBy } from '../../../test/support/sent-statements.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
const PATIENTS = 7000
let caller: Caller

/** Bodies of 2 KB, which together are more than a statement may hold in memory. */
beforeAll(async () => {
  caller = await service.newCaller()
  const { body: patient } = await caller.call('POST', '/patients/v1', patientBody({ hipaa_code: 'x'.repeat(1500) }))
  const { body: coverage } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id))
  const visit = { patient_id: patient.id, start_timestamp: '2026-03-10T09:00:00Z', service_duration: 30, services: [] }
  const { body: appointment } = await caller.call('POST', '/appointments/v1', visit)
  const numbered = (kind: string) => `md5('${kind}' || number)::uuid`
  for (const [table, id, changed] of [
    [
      'patient',
      patient.id,
      `body || jsonb_build_object('mrn', 'SORT' || number, 'hipaa_code', repeat(md5(number::text), 40),
        'filing_order', jsonb_build_object('coverages', jsonb_build_array(${numbered('coverage')})))`,
    ],
    [
      'coverage',
      coverage.id,
      `body || jsonb_build_object('patient', ${numbered('patient')}, 'notes', repeat(md5(number::text), 40),
        'insurance_plan', body -> 'insurance_plan' || jsonb_build_object('payer_name', 'Payer ' || number % 7))`,
    ],
    ['appointment', appointment.id, `body || jsonb_build_object('patient_id', ${numbered('patient')})`],
  ]) {
    await service.database.rows(
      `insert into ${table} (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
      select organization_id, ${numbered(`${table}`)}, 1, false, updated_at, updating_user_id, created_at, ${changed}
      from ${table}, generate_series(1, ${PATIENTS}) number where id = $1`,
      [id],
    )
    await service.database.rows(`analyze ${table}`)
  }
})

const from = encodeURIComponent('appointment.startTimestamp|gt|2026-01-01')
const covered = encodeURIComponent('primaryCoverage.status|eq|ACTIVE')

it.each([
  [`/lists/v1/patient?sort_field=primaryCoverage.insurancePlan.payerName&filters=${covered}`],
  [`/lists/v1/appointment?sort_field=primaryCoverage.insurancePlan.payerName&filters=${covered}`],
  [`/appointments/v1/visits?sort_field=primaryCoverage.insurancePlan.payerName&filters=${from}`],
  [`/appointments/v1/visits?sort_field=primaryPayerName&filters=${from}`],
])('GET %s writes no bodies to temporary files', async (url) => {
  const { result, statements } = await sentBy(service.deps.database, () => caller.call('GET', url))
  expect(result.status, result.text).toBe(200)
  expect(result.body.items).toHaveLength(100)
  const written: number[] = []
  for (const { text, values } of statements.filter(({ text }) => text.includes('order by'))) {
    const row = await service.deps.database.row(`explain (analyze, buffers, timing off, format json) ${text}`, values)
    written.push(JSON.parse(row?.[0] ?? '')[0].Plan['Temp Written Blocks'])
  }
  expect(written.length).toBeGreaterThan(0)
  // Of 8 kB: the ids and names of all rows are a tenth of this, their bodies ten times as much.
  expect(Math.max(...written)).toBeLessThan(200)
})
