// How PostgreSQL finds the rows of a page.
import type { Static } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { rowsReadBy } from '../../../test/support/read-rows.ts'
import { sentBy } from '../../../test/support/sent-statements.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { readConditions } from '../../records/conditions.ts'
import { patientList } from './patient-list.ts'
import type { FoundPatient as Found } from './patient-search.ts'

const service = testService()

// By the index of migrations/0110_parts_of_numbers.sql, with the conditions that the filters send.
describe('a search of patients for a part of a number, or for all of it without regard to case', () => {
  it.each([
    ['patient.mrn', 'contains', '~~'],
    ['patient.primaryTelecom.value', 'contains', '~~'],
    ['patient.mrn', 'ieq', '='],
  ] as const)('finds its rows by %s %s in an index', async (path, operator, sign) => {
    const caller = await service.newCaller()
    const values: unknown[] = []
    const filter = { path, operator, value: '5550142' }
    const [condition] = await readConditions(service.deps, caller.organizationId, [filter], patientList.paths, values)
    const plan = await service.database.transaction(async (transaction) => {
      // In a nearly empty table every other plan is cheaper.
      await transaction.rows('set local enable_seqscan = off')
      return transaction.rows(`explain select id from patient where ${condition?.sql}`, values)
    })
    expect(plan.flat().join('\n')).toMatch(
      new RegExp(`Index Scan on patient_numbers.*Index Cond: .*::text ${sign} '`, 's'),
    )
  })

  it('finds parts in the middle and the end, without regard to case, and nothing of another organization', async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()]
    const make = (mrn: string, by = caller) =>
      by.call('POST', '/patients/v1/with_mrn?skip_duplicate_check=true', { ...patientBody(), mrn })
    for (const mrn of ['Ab00123x', 'zz99001']) expect((await make(mrn)).status).toBe(200)
    await make('AB00123X', other)
    const found = async (value: string) => {
      const filters = encodeURIComponent(`patient.mrn|contains|${value}`)
      const reply = await caller.call('GET', `/lists/v1/patient?filters=${filters}`)
      return (reply.body.items as { patient: { mrn: string } }[]).map(({ patient }) => patient.mrn)
    }
    expect(await found('0123X')).toEqual(['Ab00123x'])
    expect(await found('B001')).toEqual(['Ab00123x'])
    expect((await found('00')).sort()).toEqual(['Ab00123x', 'zz99001'])
    expect(await found('%')).toEqual([])
    const search = (by: typeof caller, limit: number) =>
      by.call(
        'GET',
        `/anteroom/v1/lists/patients?limit=${limit}&sort_field=patient.id&filters=patient.mrn%7Ccontains%7C0`,
      )
    const [first] = [(await search(caller, 1)).body]
    expect(first.items.map(({ patient }: { patient: { mrn: string } }) => patient.mrn)).toEqual(['Ab00123x'])
    expect(Object.keys(first).sort()).toEqual(['items', 'next_page_token'])
    const next = await caller.call(
      'GET',
      `/anteroom/v1/lists/patients?limit=1&sort_field=patient.id&filters=patient.mrn%7Ccontains%7C0&page_token=${first.next_page_token}`,
    )
    expect(next.body.items.map(({ patient }: { patient: { mrn: string } }) => patient.mrn)).toEqual(['zz99001'])
    expect((await search(other, 9)).body.items).toHaveLength(1)
  })
})

it('finds patients by the first letters of a family name, a whole name first, without regard to case and accents', async () => {
  const [caller, other] = [await service.newCaller(), await service.newCaller()]
  const make = (family: string, by = caller) =>
    by.call('POST', '/patients/v1', { ...patientBody(), name: { family, given: ['Ana'], use: 'USUAL' } })
  for (const family of ['Nguyen', 'Ng', 'NGO', 'Ñgola', "Ng'ang'a", 'Nez', 'Ong', 'King']) {
    expect((await make(family)).status, family).toBe(200)
  }
  await make('Ngata', other)
  const found = async (text: string, more = '') => {
    const query = new URLSearchParams({ family_begins: text, sort_field: 'patient.name.family' })
    const { status, body } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}${more}`)
    expect(status).toBe(200)
    return body
  }
  const familiesOf = ({ items }: { items: { patient: { name: { family: string } } }[] }) =>
    items.map(({ patient }) => patient.name.family)
  expect(familiesOf(await found('ng'))).toEqual(['Ng', "Ng'ang'a", 'NGO', 'Ñgola', 'Nguyen'])
  expect(familiesOf(await found('ÑGU'))).toEqual(['Nguyen'])
  expect(familiesOf(await found('n%'))).toEqual([])
  const first = await found('ng', '&limit=3')
  expect(familiesOf(await found('ng', `&limit=3&page_token=${first.next_page_token}`))).toEqual(['Ñgola', 'Nguyen'])
})

it('finds patients by the first letters of both names: of each word of the given ones, without regard to case, accents and order', async () => {
  const caller = await service.newCaller()
  for (const given of [['Mary Ann'], ['Jean-Luc', 'Ann'], ['Ána', 'B.'], ['Joanne'], []]) {
    const name = { family: 'García', given, use: 'USUAL' }
    expect((await caller.call('POST', '/patients/v1', { ...patientBody(), name })).status).toBe(200)
  }
  const found = async (given_begins: string, family_begins = 'garc') => {
    const query = new URLSearchParams({ family_begins, given_begins, sort_field: 'patient.name.family' })
    const { status, body } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}`)
    expect(status).toBe(200)
    return body.items.map(({ patient }: { patient: { name: { given: string[] } } }) => patient.name.given[0])
  }
  expect(await found('an')).toEqual(['Mary Ann', 'Jean-Luc', 'Ána'])
  expect(await found('ANA b')).toEqual(['Ána'])
  for (const given of ['lu, an', 'jean-l']) expect(await found(given), given).toEqual(['Jean-Luc'])
  for (const given of ['nn', 'an%', '[']) expect(await found(given), given).toEqual([])
  expect(await found('an', 'gard')).toEqual([])
  expect(await found('An', 'García')).toEqual(['Mary Ann', 'Jean-Luc', 'Ána'])
  const odd = { family: "O'Brien (Sr.)", given: ['C*', 'D+\\'], use: 'USUAL' }
  expect((await caller.call('POST', '/patients/v1', { ...patientBody(), name: odd })).status).toBe(200)
  for (const given of ['c*', 'd+', 'd+\\']) expect(await found(given, "o'brien (s"), given).toEqual(['C*'])
  expect(await found('c', 'o.brien')).toEqual([])
})

it('finds patients by the digits of a telephone number, however it was typed and stored', async () => {
  const caller = await service.newCaller()
  const stored = [
    '6175551006',
    '(617) 555-1006',
    '617.555.1006',
    '+1 617-555-1006',
    '617/5551006',
    '617 555 1007',
    '+33 6 17 55 51 00',
  ]
  for (const value of stored) {
    const { status } = await caller.call('POST', '/patients/v1?skip_duplicate_check=true', {
      ...patientBody(),
      primary_telecom: { value, use: 'MOBILE' },
    })
    expect(status).toBe(200)
  }
  const found = async (telephone: string) => {
    const query = new URLSearchParams({ telephone, sort_field: 'patient.id' })
    const { status, body } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}`)
    expect(status).toBe(200)
    return body.items.map(
      ({ patient }: { patient: { primary_telecom: { value: string } } }) => patient.primary_telecom.value,
    )
  }
  for (const text of stored.slice(0, 5)) expect(await found(text), text).toEqual(stored.slice(0, 5))
  for (const text of ['555-1006', '5551006', '1 617 555 1006']) expect(await found(text), text).toHaveLength(5)
  // While the number is typed.
  for (const text of ['617555', '617-555-1', '(617) 555 10'])
    expect((await found(text)).slice(0, 6), text).toEqual(stored.slice(0, 6))
  expect(await found('06 17 55 51')).toEqual([])
  expect(await found('33 6 17 55 51 00')).toEqual(['+33 6 17 55 51 00'])
  expect(await found('617 555 1008')).toEqual([])
})

it('finds patients by a misspelled name, and nobody where no name resembles the text; the published list has everybody', async () => {
  const caller = await service.newCaller()
  const names = ['Johnson', 'Smith', 'Nguyen', 'Walker', 'Cooper', 'Meyer', 'Day', 'Lewis', 'Żak', 'Muhammad']
  for (const family of names) {
    const name = { family, given: ['Zadie', 'Marie'], use: 'USUAL' }
    await caller.call('POST', '/patients/v1', { ...patientBody(), name })
  }
  const familiesOf = async (path: string, text: string) => {
    const query = new URLSearchParams({ sort_field: `similar_name:${text}` })
    const { body } = await caller.call('GET', `${path}?${query}`)
    return body.items.map(({ patient }: { patient: { name: { family: string } } }) => patient.name.family)
  }
  const search = (text: string) => familiesOf('/anteroom/v1/lists/patients', text)
  const misspelled = ['Jhonson', 'smtih', 'nugyen', 'wlaker', 'kuper', 'mier', 'dey', 'louis', 'zak', 'mohamed']
  for (const [place, text] of misspelled.entries()) expect(await search(text), text).toContain(names[place])
  expect((await search('jonson, zadi'))[0]).toBe('Johnson')
  for (const text of ['xyzzy', 'qwerty', '%', '']) expect(await search(text), text).toEqual([])
  expect(await familiesOf('/lists/v1/patient', 'xyzzy')).toHaveLength(names.length)
})

const PATIENTS = 2000
const FAMILIES = 20
/** A page reads its rows, the records beside them and the rows that match its filter, but not the organization's. */
const ROWS = 1000

/** PostgreSQL analyzes a table by itself within a minute of such an import, which may be in the middle of a test. */
const neverAnalyze = `do $$ declare each regclass; begin
    for each in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false)', each);
    end loop;
  end $$`

const seed = [
  `insert into patient (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
    select $1::uuid, gen_random_uuid(), 1, false, '2026-01-01Z'::timestamptz + n * interval '1 ms', $1::uuid, '2026-01-01Z',
      jsonb_build_object('mrn', 'M' || n, 'primary_telecom', jsonb_build_object('value', '(207) 55' || n % 10 || '-' || 1000 + n), 'name', jsonb_build_object('family', 'Family' || n % ${FAMILIES}, 'given', array['G']))
    from generate_series(1, ${PATIENTS}) n`,
  `insert into appointment (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
    select $1::uuid, gen_random_uuid(), 1, false, updated_at, $1::uuid, updated_at, jsonb_build_object('patient_id', id,
      'status', 'PENDING', 'services', array[]::text[], 'start_timestamp', to_char(updated_at + n * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from patient, generate_series(1, 2) n where organization_id = $1::uuid`,
  `insert into coverage (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
    select $1::uuid, gen_random_uuid(), 1, false, updated_at, $1::uuid, updated_at, jsonb_build_object('patient', id)
    from patient where organization_id = $1::uuid`,
  ...['patient', 'appointment', 'coverage'].map(
    (table) => `insert into record_change (organization_id, record_type, id, at, version)
      select organization_id, '${table}', id, updated_at, 1 from ${table} where organization_id = $1::uuid`,
  ),
]

// decisions/0084-lists-without-statistics.md
describe('a page of an organization whose tables were never analyzed', () => {
  let caller: Caller
  let patientId: string

  beforeAll(async () => {
    caller = await service.newCaller()
    await service.database.rows(neverAnalyze)
    for (const statement of seed) await service.database.rows(statement, [caller.organizationId])
    const { body } = await caller.call('GET', '/patients/v1/get_multi?mrn=M7')
    patientId = body.items[0].id
  })

  const filter = (path: string, operator: string, value: string) =>
    `filters=${encodeURIComponent(`${path}|${operator}|${value}`)}`

  it.each<[what: string, url: () => string, counted?: number]>([
    ['patients by family name', () => `/lists/v1/patient?limit=20&${filter('patient.name.family', 'eq', 'Family7')}`],
    ['patients by MRN', () => `/lists/v1/patient?${filter('patient.mrn', 'eq', 'M7')}`],
    ['all patients', () => '/lists/v1/patient?limit=20'],
    ['all patients by id', () => '/patients/v1/get_multi?limit=20'],
    [
      'patients by the first letters of the family name',
      () => '/anteroom/v1/lists/patients?limit=8&sort_field=patient.name.family&family_begins=FAM',
    ],
    [
      'patients by the first letters of both names',
      () => '/anteroom/v1/lists/patients?limit=8&sort_field=patient.name.family&family_begins=FAM&given_begins=G',
    ],
    ['all appointments', () => '/lists/v1/appointment?limit=100'],
    ["a patient's appointments", () => `/lists/v1/appointment?${filter('patient.id', 'eq', patientId)}`],
    [
      'appointments by family name',
      () => `/lists/v1/appointment?limit=20&${filter('patient.name.family', 'eq', 'Family7')}`,
    ],
    ["a patient's coverages", () => `/coverages/v1/get-multi-paginated?patient_id=${patientId}`],
    ['all coverages', () => '/coverages/v1/get-multi-paginated?limit=20'],
    ['a timeline', () => `/patients/v1/${patientId}/eligibility-timeline?limit=20`],
    [
      'visits of a day',
      () => `/appointments/v1/visits?limit=20&${filter('appointment.startTimestamp', 'eq', '2026-01-02')}`,
      2 * PATIENTS,
    ],
    [
      'visits from a day on',
      () => `/appointments/v1/visits?limit=20&${filter('appointment.startTimestamp', 'gt', '2026-01-01')}`,
      2 * PATIENTS,
    ],
  ])('reads about as many rows as it shows or its filter finds: %s', async (_, url, counted = 0) => {
    let next = ''
    const first = await rowsReadBy(service.deps.database, async () => {
      const { status, body, text } = await caller.call('GET', url())
      expect(status, text).toBe(200)
      next = body.next_page_token ?? ''
    })
    expect(first).toBeLessThan(ROWS + counted)
    if (next === '') return
    const second = await rowsReadBy(service.deps.database, async () => {
      expect((await caller.call('GET', `${url()}&page_token=${next}`)).status).toBe(200)
    })
    expect(second).toBeLessThan(ROWS)
  })

  it('finds and counts some thousand rows in one statement, and its pages continue each other', async () => {
    const url = `/lists/v1/patient?limit=800&${filter('patient.name.family', 'contains', 'Family')}`
    type Page = { items: { patient: { id: string; mrn: string } }[]; total: number; next_page_token?: string }
    const { result: first, names } = await sentBy(service.deps.database, async () => {
      return (await caller.call('GET', url)).body as Page
    })
    expect(first.total).toBe(PATIENTS)
    // The other one reads the items. The audit trail, which is written meanwhile, has its own.
    expect(names.filter((name) => !name.startsWith('audit_'))).toHaveLength(2)
    const pages = [first]
    for (let token = first.next_page_token; token !== undefined; token = pages.at(-1)?.next_page_token)
      pages.push((await caller.call('GET', `${url}&page_token=${token}`)).body)
    expect(pages.map(({ total }) => total)).toEqual([PATIENTS, PATIENTS, PATIENTS])
    const mrns = pages.flatMap(({ items }) => items.map(({ patient }) => patient.mrn))
    expect(mrns).toEqual(Array.from({ length: PATIENTS }, (_, index) => `M${index + 1}`))
  })

  it('reads no patient for a text that no name resembles, once the tables were analyzed', async () => {
    await service.database.rows('analyze patient')
    const read = await rowsReadBy(service.deps.database, async () => {
      const { body } = await caller.call('GET', '/anteroom/v1/lists/patients?limit=8&sort_field=similar_name:xyzzy')
      expect(body).toEqual({ items: [] })
    })
    expect(read).toBe(0)
  })

  it('reads no patient for a first name that nobody has, with one letter of a family name, once the tables were analyzed', async () => {
    await service.database.rows('analyze patient')
    const read = await rowsReadBy(service.deps.database, async () => {
      const query = 'limit=8&sort_field=patient.name.family&family_begins=F&given_begins=Nobody'
      const { body } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}`)
      expect(body).toEqual({ items: [] })
    })
    expect(read).toBeLessThan(PATIENTS / 10)
  })

  it('reads only the patients with the digits of a telephone number, once the tables were analyzed', async () => {
    await service.database.rows('analyze patient')
    const read = await rowsReadBy(service.deps.database, async () => {
      const { body } = await caller.call(
        'GET',
        '/anteroom/v1/lists/patients?sort_field=patient.id&telephone=2075511001',
      )
      expect(body.items).toHaveLength(1)
    })
    expect(read).toBeLessThan(PATIENTS / 10)
  })
})

type FoundPatient = Required<Static<typeof Found>>

describe('a search of patients by a member ID', () => {
  it('finds a card by its whole ID or its last four characters, in any punctuation and case, with the digits of the person or without', async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()]
    const insure = async (family: string, member_id: string, by = caller) => {
      const { body } = await by.call('POST', '/patients/v1', patientBody({ name: nameBody(family) }))
      const plan = { member_id, payer_id: '60054', payer_name: 'Aetna' }
      const { status, text } = await by.call('POST', '/coverages/v1', coverageBody(body.id, { insurance_plan: plan }))
      expect(status, text).toBe(200)
    }
    for (const [family, member] of [
      ['Abel', 'W123456789'],
      ['Medi', '1EG4-TE5-MK73'],
      ['Short', 'mk73'],
      ['Upper', 'xyz 555.12'],
    ] as const)
      await insure(family, member)
    await insure('Elsewhere', 'W123456789', other)
    const found = async (member_id: string) => {
      const query = new URLSearchParams({ member_id, sort_field: 'patient.id' })
      const { status, body, text } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}`)
      expect(status, text).toBe(200)
      return body.items.map(({ patient }: { patient: { name: { family: string } } }) => patient.name.family)
    }
    for (const text of ['W123456789', 'w1234-567 89', '6789', '#6789', 'W12345678901', 'W123456789 02'])
      expect(await found(text), text).toEqual(['Abel'])
    for (const text of ['MK73', '-mk73', 'mk 73']) expect(await found(text), text).toEqual(['Medi', 'Short'])
    expect(await found('1eg4te5mk73')).toEqual(['Medi'])
    expect(await found('xyz55512')).toEqual(['Upper'])
    for (const text of ['W12345678', '1234567', 'mk7301', '%%%%6789%0']) expect(await found(text), text).toEqual([])
    const short = await caller.call('GET', '/anteroom/v1/lists/patients?member_id=789')
    expect(short.status).toBe(400)
  })

  it('tells which coverage has the ID, an active one without an end before others, and finds the record into which its patient was merged', async () => {
    const caller = await service.newCaller()
    const register = async (family: string, ...plans: [member_id: string, end?: string, status?: string][]) => {
      const { body: patient } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(family) }))
      for (const [member_id, end, status = 'ACTIVE'] of plans) {
        const insurance_plan = { member_id, payer_id: '60054', payer_name: 'Aetna', ...(end && { period: { end } }) }
        await caller.call('POST', '/coverages/v1', coverageBody(patient.id, { insurance_plan, status }))
      }
      return patient
    }
    await register('Ended', ['A1 8801', '2023-12-31'])
    await register('Several', ['B28801', undefined, 'CANCELLED'], ['C38801', '2024-01-01'], ['D48801'], ['E58899'])
    const old = await register('Formerly', ['F68801'])
    const now = await register('Today', ['G77777'])
    const found = async () => {
      const query = 'member_id=8801&sort_field=patient.id&hide_alternatives=true'
      const { body, text, status } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}`)
      expect(status, text).toBe(200)
      return body.items.map(({ patient, matched_coverage: { status, insurance_plan: plan } }: FoundPatient) => [
        patient.name.family,
        status,
        plan.member_id,
        plan.payer_name,
        plan.period?.end,
      ])
    }
    const both = [
      ['Ended', 'ACTIVE', 'A1 8801', 'Aetna', '2023-12-31'],
      ['Several', 'ACTIVE', 'D48801', 'Aetna', undefined],
    ]
    expect(await found()).toEqual([...both, ['Formerly', 'ACTIVE', 'F68801', 'Aetna', undefined]])
    const merge = { primary_patient_mrn: now.mrn, alternative_patient_mrn: old.mrn }
    expect((await caller.call('POST', '/patient-merge/v1', merge)).status).toBe(200)
    expect(await found()).toEqual([...both, ['Today', 'ACTIVE', 'F68801', 'Aetna', undefined]])
  })

  it('reads no coverage but those with this end, of many', async () => {
    const caller = await service.newCaller()
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
    const { body: coverage } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id))
    await service.database.rows(
      `insert into coverage (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
      select organization_id, gen_random_uuid(), 1, false, updated_at, updating_user_id, created_at,
        jsonb_set(body, '{insurance_plan,member_id}', to_jsonb('M' || number)) from coverage, generate_series(10000, 12999) number where id = $1`,
      [coverage.id],
    )
    await service.database.rows('analyze coverage')
    const read = await rowsReadBy(service.deps.database, async () => {
      const { body } = await caller.call('GET', '/anteroom/v1/lists/patients?member_id=2345&sort_field=patient.id')
      expect(body.items).toHaveLength(1)
    })
    expect(read).toBeLessThan(20)
  })

  it('whose ends are all alike reads each coverage at most twice, and no patient of them', async () => {
    const ALIKE = 3000
    const caller = await service.newCaller()
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
    const { body: coverage } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id))
    for (const [table, changed] of [
      ['patient', `body || jsonb_build_object('mrn', 'ALIKE' || number)`],
      ['coverage', `body || jsonb_build_object('patient', md5('alike' || number)::uuid)`],
    ]) {
      await service.database.rows(
        `insert into ${table} (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
        select organization_id, md5('alike' || number)::uuid, 1, false, updated_at, updating_user_id, created_at, ${changed}
        from ${table}, generate_series(1, ${ALIKE}) number where id = $1`,
        [table === 'patient' ? patient.id : coverage.id],
      )
      await service.database.rows(`analyze ${table}`)
    }
    const { member_id } = coverage.insurance_plan
    const read = await rowsReadBy(service.deps.database, async () => {
      const { body } = await caller.call(
        'GET',
        `/anteroom/v1/lists/patients?member_id=${member_id}&sort_field=patient.id`,
      )
      expect(body.items).toHaveLength(100)
      expect(body.items[0].matched_coverage.insurance_plan.member_id).toBe(member_id)
    })
    expect(read).toBeLessThan(ALIKE * 2.5)
  })
})

it('finds patients by a first name alone, by each of its words, in any script', async () => {
  const caller = await service.newCaller()
  for (const [family, ...given] of [
    ['Abara', 'Ngozi'],
    ['Ngozika', 'Ruth'],
    ['Marsh', 'Mary Ann'],
    ['Ann', 'Mary'],
    ['Müller', 'Jürgen'],
    ['Петров', 'Иван'],
  ] as const) {
    const name = { family, given, use: 'USUAL' }
    expect((await caller.call('POST', '/patients/v1', { ...patientBody(), name })).status).toBe(200)
  }
  const found = async (given_begins: string) => {
    const query = new URLSearchParams({ given_begins, sort_field: 'patient.name.family' })
    const { status, body } = await caller.call('GET', `/anteroom/v1/lists/patients?${query}`)
    expect(status).toBe(200)
    return body.items.map(({ patient }: { patient: { name: { family: string } } }) => patient.name.family)
  }
  for (const text of ['ngozi', 'NGO']) expect(await found(text), text).toEqual(['Abara'])
  expect(await found('mary')).toEqual(['Ann', 'Marsh'])
  expect(await found('mary ann')).toEqual(['Marsh'])
  for (const text of ['Jürgen', 'jurg']) expect(await found(text), text).toEqual(['Müller'])
  expect(await found('иван')).toEqual(['Петров'])
  for (const text of ['%', '_gozi', 'gozi']) expect(await found(text), text).toEqual([])
})
