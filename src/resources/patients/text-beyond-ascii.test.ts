// Names in any script behave like names in ASCII: decisions/0023-text-beyond-ascii.md.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()

const create = async ({ call }: Caller, family: string, given = 'X', overrides: object = {}) =>
  call('POST', '/patients/v1', patientBody({ name: nameBody(family, given), ...overrides }))

async function withFamilies(...families: string[]) {
  const caller = await service.newCaller()
  for (const family of families) expect((await create(caller, family)).status).toBe(200)
  const list = async (parameters: Record<string, string>) => {
    const reply = await caller.call('GET', `/lists/v1/patient?${new URLSearchParams(parameters)}`)
    expect(reply.status, reply.text).toBe(200)
    return reply.body.items.map(({ patient }: { patient: { name: { family: string } } }) => patient.name.family)
  }
  return { caller, list }
}

const SCRIPTS = ['Петров', '王明', 'محمد', 'Παπαδόπουλος', '김민준', 'Müller', 'שלום', 'नरेन्द्र', 'たなか']

it.each(SCRIPTS)('the name most similar to %s is itself, at the top of a list by similarity', async (name) => {
  const others = SCRIPTS.filter((each) => each !== name)
  const { list } = await withFamilies(...others, 'Petrov', 'Wang', 'Muller', 'Ng', name)
  expect((await list({ sort_field: `similar_name:${name}` }))[0]).toBe(name)
})

it.each([
  ['Петров', 'Петрова', 'Сидоров'],
  ['محمود', 'محمد', 'فاطمة'],
  ['Müller', 'Mueller', 'Schneider'],
  ['Jose', 'José', 'Ines'],
])('a name similar to %s comes before one that is not', async (wanted, near, far) => {
  const { list } = await withFamilies(far, near)
  expect((await list({ sort_field: `similar_name:${wanted}` }))[0]).toBe(near)
})

it('contains and ieq find names in any script, ignoring case', async () => {
  const { list } = await withFamilies('Иванов', 'Παπαδόπουλος', 'Ólafsdóttir', '王明', 'Miller')
  const found = (operator: string, value: string) => list({ filters: `patient.name.family|${operator}|${value}` })
  expect(await found('ieq', 'ИВАНОВ')).toEqual(['Иванов'])
  expect(await found('contains', 'ВАНО')).toEqual(['Иванов'])
  expect(await found('ieq', 'ΠΑΠΑΔΌΠΟΥΛΟΣ')).toEqual(['Παπαδόπουλος'])
  expect(await found('contains', 'ÓLAFS')).toEqual(['Ólafsdóttir'])
  expect(await found('contains', '明')).toEqual(['王明'])
  expect(await found('contains', '清')).toEqual([])
  // The index holds names of other scripts in an ASCII form, which no search may match.
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') expect(await found('contains', letter)).not.toContain('王明')
  const { caller } = await withFamilies()
  await create(caller, 'X', 'X', { primary_address: { ...patientBody().primary_address, city: 'Ålesund' } })
  const cities = await caller.call(
    'GET',
    `/lists/v1/patient?filters=${encodeURIComponent('patient.primaryAddress.city|ieq|ÅLESUND')}`,
  )
  expect(cities.body.total).toBe(1)
})

it('a letter and its combining mark are one character: names are stored, searched and compared composed', async () => {
  const [composed, decomposed] = ['Zúñiga'.normalize('NFC'), 'Zúñiga'.normalize('NFD')]
  const { caller, list } = await withFamilies(decomposed)
  for (const operator of ['eq', 'ieq', 'contains', 'in']) {
    for (const value of [composed, decomposed]) {
      expect(await list({ filters: `patient.name.family|${operator}|${value}` }), operator).toEqual([composed])
    }
  }
  for (const family of [composed, decomposed, composed.toUpperCase(), ` ${decomposed}\u00a0`]) {
    expect((await create(caller, family)).status, family).toBe(409)
  }
})

it('decomposed letters in records from before this rule are found', async () => {
  const decomposed = 'Zúñiga'.normalize('NFD')
  const { caller, list } = await withFamilies('Zuniga')
  await service.database.rows(
    `update patient set body = jsonb_set(body, '{name,family}', to_jsonb($2::text)) where organization_id = $1`,
    [caller.organizationId, decomposed],
  )
  for (const operator of ['eq', 'ieq', 'contains', 'in']) {
    expect(await list({ filters: `patient.name.family|${operator}|Zúñiga` }), operator).toEqual([decomposed])
  }
  expect((await create(caller, 'Zúñiga')).status).toBe(409)
})

it('names sort as people expect, and pages continue where the previous one ended', async () => {
  const names = [
    "d'Arc",
    'Dalton',
    'de Boer',
    'Éluard',
    'Elster',
    "o'brien",
    'O’Brien II',
    'Öberg',
    'Zeta',
    'Łódź',
    'Петров',
    'ёлкин',
  ]
  const { caller } = await withFamilies(...names)
  const seen: string[] = []
  const sizes: number[] = []
  let token: string | undefined
  do {
    const query = new URLSearchParams({
      sort_field: 'patient.name.family',
      limit: '5',
      ...(token && { page_token: token }),
    })
    const { body } = await caller.call('GET', `/lists/v1/patient?${query}`)
    seen.push(...body.items.map(({ patient }: { patient: { name: { family: string } } }) => patient.name.family))
    sizes.push(body.items.length)
    token = body.next_page_token
  } while (token)
  expect(seen).toEqual([
    "d'Arc",
    'Dalton',
    'de Boer',
    'Elster',
    'Éluard',
    'Łódź',
    "o'brien",
    'O’Brien II',
    'Öberg',
    'Zeta',
    'ёлкин',
    'Петров',
  ])
  expect(sizes).toEqual([5, 5, 2])
  const after = await caller.call(
    'GET',
    `/lists/v1/patient?filters=${encodeURIComponent('patient.name.family|gt|o')}&sort_field=patient.name.family&limit=1`,
  )
  expect(after.body.items[0].patient.name.family).toBe("o'brien")
})

it('the longest possible name in any script is stored and found', async () => {
  const caller = await service.newCaller()
  for (const letter of ['ﷺ', '王', 'ё', '🙂', '가']) {
    const family = letter.repeat(letter === '🙂' ? 250 : 500)
    const reply = await create(caller, family, randomUUID())
    expect(reply.status, reply.text).toBe(200)
  }
})

it('texts that look the same are the same: MRN, tag, name and member id contain no invisible characters', async () => {
  const caller = await service.newCaller()
  const withMrn = (mrn: string) =>
    caller.call('POST', '/patients/v1/with_mrn', { ...patientBody({ name: nameBody(randomUUID()) }), mrn })
  const first = await withMrn('AB\u200bC\u202e-1')
  expect(first.body.mrn).toBe('ABC-1')
  expect((await withMrn('ABC-1\ufeff')).status).toBe(409)
  expect((await caller.call('GET', `/patients/v1?mrn=${encodeURIComponent('\u200bABC-1')}`)).body).toHaveLength(1)
  await create(caller, 'Ro\u00adsen')
  expect((await create(caller, 'Ros\u200ben')).status).toBe(409)
  const tag = (value: string) => caller.call('POST', '/tags/v1', { value, alert: false })
  expect((await tag('V\u2060IP')).body.value).toBe('VIP')
  const coverage = await caller.call(
    'POST',
    '/coverages/v1',
    coverageBody(first.body.id, {
      insurance_plan: { member_id: 'W1\u200b23', payer_id: '60054', payer_name: 'Aetna' },
    }),
  )
  expect(coverage.body.insurance_plan.member_id).toBe('W123')
})
