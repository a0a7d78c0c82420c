// A search by the likeness of names, among so many similar ones that it shows a part of them. decisions/0160-likeness-in-less-work.md
import { beforeAll, describe, expect, it } from 'vitest'
import { planOf, rowsReadBy } from '../../../test/support/read-rows.ts'
import { sentBy } from '../../../test/support/sent-statements.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
const PATIENTS = 2000

/** Names of the same few words; one in nine is deactivated, one in seven merged into another. */
const seed = [
  `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
    select $1::uuid, md5('patient' || n)::uuid, 1, n % 9 = 0, '2026-01-01Z', $1::uuid, '2026-01-01Z',
      jsonb_build_object('mrn', 'M' || n, 'name', jsonb_build_object('family', (array['Harrison', 'Harris', 'Garrison', 'Morrison', 'Ng'])[1 + n % 5],
        'given', jsonb_build_array((array['Natalie', 'Nathan', 'Andrea', 'Harriet'])[1 + n % 4], chr(65 + n % 23))))
    from generate_series(1, ${PATIENTS}) n`,
  `insert into patient_merge (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
    select $1::uuid, md5('merge' || n)::uuid, 1, false, '2026-01-01Z', $1::uuid, '2026-01-01Z',
      jsonb_build_object('primary_patient_mrn', 'M1', 'alternative_patient_mrn', 'M' || n)
    from generate_series(7, ${PATIENTS}, 7) n`,
  'analyze patient, patient_merge',
]

/** Without an index and without operators: every name is compared. */
const expected = `select id from patient
  where organization_id = $1::uuid and not deactivated and word_similarity($2, full_name) >= 0.18::real
    and not exists (select from patient_merge merge where merge.organization_id = $1::uuid and merge.body ->> 'alternative_patient_mrn' = mrn)
  order by 1 - similarity(full_name, $2), id limit $3::integer`

describe('a search by the likeness of names', () => {
  let caller: Caller
  beforeAll(async () => {
    caller = await service.newCaller()
    for (const statement of seed) {
      await service.database.rows(statement, statement.includes('$1') ? [caller.organizationId] : [])
    }
  })

  const find = async (text: string, more = '') => {
    const query = `hide_alternatives=true&sort_field=${encodeURIComponent(`similar_name:${text}`)}${more}`
    const { status, body } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}`)
    expect(status).toBe(200)
    return { ids: body.items.map(({ patient }: { patient: { id: string } }) => patient.id), ...body }
  }

  it.each([
    'harrison nata',
    'natalie harrison',
    'harris',
    'andrea',
    'harisson natlie',
    'garison h',
    'nathn',
    'ng',
    'x',
  ])(
    'shows the most similar names first, as if each were compared, on its pages in both directions: %s',
    async (text) => {
      const rows = await service.database.rows(expected, [caller.organizationId, text, 30])
      const ids = rows.map(([id]) => id)
      const first = await find(text, '&limit=8')
      expect(first.ids).toEqual(ids.slice(0, 8))
      if (ids.length < 30) return
      const second = await find(text, `&limit=8&page_token=${first.next_page_token}`)
      expect(second.ids).toEqual(ids.slice(8, 16))
      expect((await find(text, `&limit=8&page_token=${second.prev_page_token}`)).ids).toEqual(ids.slice(0, 8))
      expect((await find(text, '&limit=30')).ids).toEqual(ids)
    },
  )

  it('shows deactivated patients among the others where they are asked for', async () => {
    const everybody = expected.replace('and not deactivated', '')
    const rows = await service.database.rows(everybody, [caller.organizationId, 'natalie harrison', 10])
    const ids = rows.map(([id]) => id)
    expect((await find('natalie harrison', '&limit=10&include_deactivated=true')).ids).toEqual(ids)
    expect((await find('natalie harrison', '&limit=10')).ids).not.toEqual(ids)
  })

  it('reads each of the many similar names once, and once more those that it may show', async () => {
    const read = await rowsReadBy(service.deps.database, () => find('harrison natalie', '&limit=8'))
    expect(read).toBeLessThan(PATIENTS * 1.2)
  })

  it('sorts only names that resemble the text when it scans the index by similarity', async () => {
    const { statements } = await sentBy(service.deps.database, () => find('ng', '&limit=8'))
    const walk = statements.find(({ text }) => text.includes('<->'))
    const plan = await service.deps.database.transaction(async (transaction) => {
      for (const other of ['seqscan', 'bitmapscan', 'sort']) await transaction.rows(`set local enable_${other} = off`)
      return JSON.stringify(await planOf(transaction, walk as NonNullable<typeof walk>))
    })
    expect(plan).toMatch(/"Index Name":"patient_similar_name".*"Index Cond":"[^"]*%>/)
  })
})
