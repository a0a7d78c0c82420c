import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { type Caller, type Reply, testService } from '../../../test/support/service.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const service = testService(() => ({ now: () => new Date(NOW) }))

type Parameters = Record<string, string>
const ask = (caller: Caller, list: string, parameters: Parameters = {}): Promise<Reply> =>
  caller.call('GET', `/lists/v1/${list}?${new URLSearchParams(parameters)}`)
const items = async (caller: Caller, list: string, parameters: Parameters = {}) => {
  const { status, body, text } = await ask(caller, list, parameters)
  expect(status, text).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items
}
const create = async ({ call }: Caller, url: string, body: unknown) => {
  const reply = await call('POST', url, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const newPatient = (caller: Caller, family: string, overrides = {}) =>
  create(caller, '/patients/v1', patientBody({ name: nameBody(family), ...overrides }))
const newAppointment = (caller: Caller, patientId: string, start: string) =>
  create(caller, '/appointments/v1', appointmentBody(patientId, { start_timestamp: start }))
const merge = (caller: Caller, alternative: { mrn: string }, primary: { mrn: string }) =>
  create(caller, '/patient-merge/v1', {
    alternative_patient_mrn: alternative.mrn,
    primary_patient_mrn: primary.mrn,
  })
const familiesOf = (listed: { patient: { name: { family: string } } }[]) =>
  listed.map(({ patient }) => patient.name.family)

describe('GET /lists/v1/patient', () => {
  it('shows each patient with the coverages of the filing order, bodies only', async () => {
    const caller = await service.newCaller()
    const person = await newPatient(caller, 'Filed', { social_security_number: '123456789' })
    const coverages = []
    for (const member_id of ['W1', 'W2', 'W3', 'W4']) {
      const plan = { member_id, payer_id: '60054', payer_name: 'Aetna' }
      coverages.push(await create(caller, '/coverages/v1', coverageBody(person.id, { insurance_plan: plan })))
    }
    const order = [coverages[2], coverages[0], coverages[3], coverages[1]].map(({ id }) => id)
    const { id, version, mrn: _, ...body } = person
    await caller.call('PUT', `/patients/v1/${id}/${version + 1}`, { ...body, filing_order: { coverages: order } })
    const [item] = await items(caller, 'patient')
    const members = ['primary', 'secondary', 'tertiary'].map(
      (place) => item[`${place}_coverage`].insurance_plan.member_id,
    )
    expect(members).toEqual(['W3', 'W1', 'W4'])
    expect(item.primary_coverage).not.toHaveProperty('version')
    expect(item.patient).toEqual((await caller.call('GET', `/patients/v1/${id}`)).body)
    expect(item.patient.social_security_number).toBe('123456789')
  })

  it('finds patients by the ids of their tags, notes and coverages in capitals too', async () => {
    const caller = await service.newCaller()
    const tag = await create(caller, '/tags/v1', { value: 'VIP' })
    const note = await create(caller, '/notes/v1', { value: 'Calls back' })
    const person = await newPatient(caller, 'Tagged', { tag_ids: [tag.id], note_ids: [note.id] })
    await newPatient(caller, 'Other')
    const coverage = await create(caller, '/coverages/v1', coverageBody(person.id))
    const { id, version, mrn: _, ...body } = person
    await caller.call('PUT', `/patients/v1/${id}/${version + 1}`, {
      ...body,
      filing_order: { coverages: [coverage.id] },
    })
    for (const filters of [
      `patient.tagIds|contains|${tag.id}`,
      `patient.noteIds|contains|${note.id}`,
      `patient.filingOrder.coverages|contains|${coverage.id}`,
      `primaryCoverage.patient|eq|${id}`,
      `patient.tagIds|in|x;${tag.id}`,
    ]) {
      const inCapitals = filters.replaceAll(/[0-9a-f-]{36}/g, (each) => each.toUpperCase())
      for (const asked of [filters, inCapitals]) {
        expect(familiesOf(await items(caller, 'patient', { filters: asked })), asked).toEqual(['Tagged'])
      }
    }
  })

  it('shows the earliest active appointment that is not in the past', async () => {
    const caller = await service.newCaller()
    const { id } = await newPatient(caller, 'Booked')
    await newPatient(caller, 'Unbooked')
    await newAppointment(caller, id, '2026-03-10T11:59:59.999Z')
    const gone = await newAppointment(caller, id, '2026-03-10T12:00:00.001Z')
    await caller.call('DELETE', `/appointments/v1/${gone.id}/1`)
    await newAppointment(caller, id, '2026-03-12T12:00:00.000Z')
    await newAppointment(caller, id, '2026-03-11T12:00:00.000Z')
    const [booked, unbooked] = await items(caller, 'patient', { sort_field: 'nextAppointment.startTimestamp' })
    expect(booked.next_appointment).toMatchObject({ patient_id: id, start_timestamp: '2026-03-11T12:00:00.000Z' })
    expect(booked.next_appointment).not.toHaveProperty('id')
    expect(unbooked).not.toHaveProperty('next_appointment')
    const asked = { filters: 'appointment.startTimestamp|eq|2026-03-11' }
    expect(familiesOf(await items(caller, 'patient', asked))).toEqual(['Booked'])
  })

  it('shows merges from both sides, hides alternatives on request, and redirects an MRN to its primary', async () => {
    const caller = await service.newCaller()
    const [kept, first, second, other] = [
      await newPatient(caller, 'Kept'),
      await newPatient(caller, 'First'),
      await newPatient(caller, 'Second'),
      await newPatient(caller, 'Other'),
    ]
    await merge(caller, first, kept)
    await merge(caller, second, kept)
    const byMrn = { sort_field: 'patient.mrn' }
    const listed = await items(caller, 'patient', byMrn)
    expect(listed.map((item: Record<string, unknown>) => [item.primary_mrn, item.alternative_mrns])).toEqual([
      [undefined, [first.mrn, second.mrn]],
      [kept.mrn, []],
      [kept.mrn, []],
      [undefined, []],
    ])
    const withFlag = async (flags: Parameters) => familiesOf(await items(caller, 'patient', { ...byMrn, ...flags }))
    expect(await withFlag({ hide_alternatives: 'true' })).toEqual(['Kept', 'Other'])
    for (const operator of ['eq', 'ieq']) {
      const filters = (mrn: string) => ({ filters: `patient.mrn|${operator}|${mrn}`, redirect_to_primary: 'true' })
      expect(await withFlag(filters(second.mrn))).toEqual(['Kept'])
      expect(await withFlag(filters(kept.mrn))).toEqual(['Kept'])
      expect(await withFlag(filters(other.mrn))).toEqual(['Other'])
      expect(
        await withFlag({
          ...filters(second.mrn),
          filters: `${filters(second.mrn).filters},patient.name.family|eq|Second`,
        }),
      ).toEqual([])
    }
    expect(await withFlag({ filters: `patient.mrn|in|${first.mrn}`, redirect_to_primary: 'true' })).toEqual(['First'])
    expect(await withFlag({ filters: `patient.mrn|eq|${first.mrn}` })).toEqual(['First'])
    expect(await withFlag({ redirect_to_primary: 'true' })).toHaveLength(4)
  })

  it('excludes deactivated patients unless requested, ordered by last change', async () => {
    const caller = await service.newCaller()
    const gone = await newPatient(caller, 'Gone')
    await newPatient(caller, 'Here')
    await caller.call('DELETE', `/patients/v1/${gone.id}/2`)
    expect(familiesOf(await items(caller, 'patient'))).toEqual(['Here'])
    expect(familiesOf(await items(caller, 'patient', { include_deactivated: 'true' }))).toEqual(['Here', 'Gone'])
  })

  it('puts the most similar name first in either direction, page by page', async () => {
    const caller = await service.newCaller()
    for (const family of ['Zhang', 'Riviera', 'Rivera', 'Rivers']) await newPatient(caller, family)
    for (const sort_direction of ['asc', 'desc']) {
      const parameters = { sort_field: 'similar_name:Ana Rivera', sort_direction }
      expect(familiesOf(await items(caller, 'patient', parameters)).at(0)).toBe('Rivera')
      const all = await walkAll(caller, 'patient', { ...parameters, limit: '1' })
      expect(familiesOf(all)).toEqual(familiesOf(await items(caller, 'patient', parameters)))
    }
  })

  it('never shows records of another organization', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    await newPatient(stranger, 'Stranger')
    expect(await items(caller, 'patient')).toEqual([])
  })
})

describe('GET /lists/v1/appointment', () => {
  it('shows each appointment with its patient and the first service, the earliest first', async () => {
    const caller = await service.newCaller()
    const person = await newPatient(caller, 'Seen')
    const late = await newAppointment(caller, person.id, '2026-03-11T12:00:00.000Z')
    const early = await newAppointment(caller, person.id, '2026-03-09T12:00:00.000Z')
    const listed = await items(caller, 'appointment')
    expect(listed.map((item: { appointment: unknown }) => item.appointment)).toEqual([early, late])
    expect(listed[0].primary_service_type).toBe('MD_Visit')
    expect(listed[0].patient).toMatchObject({ mrn: person.mrn, name: person.name })
    expect(listed[0].patient).not.toHaveProperty('id')
  })

  it('adds the appointments of merged patients when the filters name the primary by id', async () => {
    const caller = await service.newCaller()
    const [kept, alternative] = [await newPatient(caller, 'Kept'), await newPatient(caller, 'Alternative')]
    await newAppointment(caller, kept.id, '2026-03-11T12:00:00.000Z')
    await newAppointment(caller, alternative.id, '2026-03-12T12:00:00.000Z')
    await merge(caller, alternative, kept)
    const families = async (filters: string, flag = 'true') =>
      familiesOf(await items(caller, 'appointment', { filters, include_merged_patient_data: flag }))
    for (const path of ['patient.id', 'appointment.patientId']) {
      expect(await families(`${path}|eq|${kept.id.toUpperCase()}`)).toEqual(['Kept', 'Alternative'])
      expect(await families(`${path}|eq|${kept.id}`, 'false')).toEqual(['Kept'])
      expect(await families(`${path}|eq|${alternative.id}`)).toEqual(['Alternative'])
      expect(await families(`${path}|eq|${kept.id},appointment.startTimestamp|gt|2026-03-11`)).toEqual(['Alternative'])
    }
  })

  it('finds appointments by their patient and excludes deactivated ones', async () => {
    const caller = await service.newCaller()
    const [one, two] = [await newPatient(caller, 'One'), await newPatient(caller, 'Two')]
    await newAppointment(caller, one.id, '2026-03-11T12:00:00.000Z')
    const gone = await newAppointment(caller, two.id, '2026-03-11T12:00:00.000Z')
    const filters = `patient.mrn|in|${one.mrn};${two.mrn}`
    expect(familiesOf(await items(caller, 'appointment', { filters, sort_field: 'patient.name.family' }))).toEqual([
      'One',
      'Two',
    ])
    await caller.call('DELETE', `/appointments/v1/${gone.id}/1`)
    expect(familiesOf(await items(caller, 'appointment', { filters }))).toEqual(['One'])
    expect(await items(caller, 'appointment', { filters, include_deactivated: 'true' })).toHaveLength(2)
  })
})

describe.each(['patient', 'appointment'])('a %s list', (list) => {
  it.each([
    [{ filters: `${list}.versoin|eq|1` }, `filters: unknown path ${list}.versoin; the nearest are ${list}.version`],
    [{ filters: `${list}.updatedAt|contains|x` }, `filters: ${list}.updatedAt takes the operators eq, gt, lt, in`],
    [{ filters: `${list}.version|gt|CANARY` }, `filters: the value of ${list}.version must be a number`],
    [{ filters: `${list}.version|is|1` }, `filters[0] (${list}.version) must have one of the operators`],
    [{ filters: 'patient.socialSecurityNumber|eq|123456789' }, 'unknown path patient.socialSecurityNumber'],
    [{ sort_field: 'patient.socialSecurityNumber' }, 'sort_field must be a path that leads to one value'],
    [{ sort_field: 'updatedAt' }, 'sort_field must be a path that leads to one value; the nearest are '],
    [{ sort_field: 'patient.tagIds' }, 'sort_field must be a path that leads to one value'],
    [{ page_token: 'CANARY' }, 'page_token does not belong to this request'],
    [{ sort_direction: 'up' }, 'sort_direction'],
  ])('returns 400 for %j and says what is wrong', async (parameters, message) => {
    const { status, body, text } = await ask(await service.newCaller(), list, parameters as Parameters)
    expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
    expect(body.content.message).toContain(message)
    expect(text).not.toContain('CANARY')
  })

  it('never treats input as SQL', async () => {
    const caller = await service.newCaller()
    await newAppointment(caller, (await newPatient(caller, 'Safe')).id, '2026-03-11T12:00:00.000Z')
    const attempts = [
      `' or '1'='1`,
      `'; drop table patient; --`,
      `$1`,
      `\\`,
      `%`,
      `"`,
      `') or true --`,
      `{}`,
      `$$`,
      '\u202e',
    ]
    for (const attempt of attempts) {
      for (const operator of ['eq', 'gt', 'contains', 'ieq', 'in']) {
        const value = attempt.replaceAll('\\', '\\\\')
        const filters = `patient.name.family|${operator}|${value},patient.tagIds|contains|${value}`
        expect(await items(caller, list, { filters })).toEqual([])
      }
      const malformed: Parameters[] = [
        { filters: `${attempt}|eq|x` },
        { filters: `patient.${attempt}|eq|x` },
        { sort_field: attempt },
      ]
      for (const parameters of malformed) {
        expect((await ask(caller, list, parameters)).status).toBe(400)
      }
      expect(await items(caller, list, { sort_field: `similar_name:${attempt}` })).toHaveLength(1)
    }
  })

  it('returns 200 or 400 for any filters, sort and token, and repeats only input that is spelled like a path', async () => {
    const caller = await service.newCaller()
    await newAppointment(caller, (await newPatient(caller, 'Safe')).id, '2026-03-11T12:00:00.000Z')
    const path = fc.constantFrom('patient.name.given', 'patient.birthDate', 'patient.updatedAt', 'patient.version')
    const more = fc.constantFrom('patient.id', 'appointment.status', 'appointment.startTimestamp', 'patient.tagIds')
    const odd = fc.constantFrom(
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-14:00',
      '2026-02-30',
      '1e9',
      ';;',
      '||',
      '',
    )
    // Blanks around a path are ignored, so the hyphen keeps this text from being spelled like a path.
    const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), odd).map((text) => `${text} CANARY-1`)
    const filter = fc
      .tuple(
        fc.oneof(path, more, value),
        fc.constantFrom('eq', 'gt', 'lt', 'contains', 'ieq', 'in', 'is', ''),
        fc.oneof(value, odd),
      )
      .map((parts) => parts.join('|'))
    const asked = fc.record(
      {
        filters: fc.oneof(filter, fc.array(filter, { maxLength: 3 }).map(String), value),
        sort_field: fc.oneof(
          path,
          more,
          value,
          value.map((name) => `similar_name:${name.repeat(50)}`),
        ),
        page_token: value,
      },
      { requiredKeys: ['filters'] },
    )
    await fc.assert(
      fc.asyncProperty(asked, async (parameters) => {
        const { status, body, text } = await ask(caller, list, parameters as Parameters)
        expect([200, 400], text).toContain(status)
        expect(status === 200 || body.errorName === 'BadRequestError').toBe(true)
        expect(text).not.toContain('CANARY')
      }),
      { seed: 20_260_314, numRuns: 300 },
    )
  })

  it('refuses a page token that was altered or belongs to another request', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    for (const each of [caller, stranger]) {
      for (const family of ['One', 'Two', 'Three']) {
        await newAppointment(each, (await newPatient(each, family)).id, '2026-03-11T12:00:00.000Z')
      }
    }
    const asked = { limit: '1', filters: 'patient.name.family|gt|A' }
    const { next_page_token: token } = (await ask(caller, list, asked)).body
    expect((await ask(caller, list, { ...asked, limit: '2', page_token: token })).status).toBe(200)
    const changed = token.slice(0, 5) + (token[5] === 'A' ? 'B' : 'A') + token.slice(6)
    const foreign: [Caller, string, Parameters][] = [
      [caller, list, { ...asked, page_token: changed }],
      [stranger, list, { ...asked, page_token: token }],
      [caller, list === 'patient' ? 'appointment' : 'patient', { ...asked, page_token: token }],
      [caller, list, { limit: '1', page_token: token }],
      [caller, list, { ...asked, filters: 'patient.name.family|gt|B', page_token: token }],
      [caller, list, { ...asked, sort_direction: 'desc', page_token: token }],
      [caller, list, { ...asked, sort_field: 'patient.mrn', page_token: token }],
      [caller, list, { ...asked, include_deactivated: 'true', page_token: token }],
    ]
    for (const [who, where, parameters] of foreign) {
      expect((await ask(who, where, parameters)).status, JSON.stringify(parameters)).toBe(400)
    }
  })

  it('accepts a page token beside a default that the request before left out, and the other way round', async () => {
    const caller = await service.newCaller()
    for (const family of ['One', 'Two']) {
      await newAppointment(caller, (await newPatient(caller, family)).id, '2026-03-11T12:00:00.000Z')
    }
    const isPatients = list === 'patient'
    const defaults = {
      sort_field: isPatients ? 'patient.updatedAt' : 'appointment.startTimestamp',
      sort_direction: 'asc',
      filters: '',
      include_deactivated: 'false',
      ...(isPatients
        ? { redirect_to_primary: 'false', hide_alternatives: 'false' }
        : { include_merged_patient_data: 'false' }),
    }
    const short = (await ask(caller, list, { limit: '1' })).body
    const long = (await ask(caller, list, { limit: '1', ...defaults })).body
    for (const [name, value] of Object.entries(defaults)) {
      const second = await ask(caller, list, { limit: '1', [name]: value, page_token: short.next_page_token })
      expect(second.status, name).toBe(200)
      expect(second.body.items, name).not.toEqual(short.items)
    }
    expect((await ask(caller, list, { limit: '1', page_token: long.next_page_token })).status).toBe(200)
  })
})

describe('paging during concurrent writes', () => {
  it.each([
    ['patient', 'patient.updatedAt', 'asc'],
    ['patient', 'patient.name.family', 'desc'],
    ['patient', 'patient.language', 'asc'],
    ['appointment', 'patient.name.family', 'asc'],
    ['patient', 'similar_name:Name 3', 'asc'],
    ['patient', 'nextAppointment.startTimestamp', 'asc'],
    ['patient', 'nextAppointment.startTimestamp', 'desc'],
    ['appointment', 'appointment.startTimestamp', 'desc'],
  ])(
    'neither skips nor repeats an unchanged %s by %s %s, forwards and backwards',
    async (list, sort_field, sort_direction) => {
      const caller = await service.newCaller()
      const people: { id: string; version: number }[] = []
      for (let index = 0; index < 60; index++) {
        const language = index % 3 === 0 ? {} : { language: `l${index % 4}` }
        const person = await newPatient(caller, `Name ${index % 7}`, {
          ...language,
          birth_date: `19${10 + index}-01-01`,
        })
        await newAppointment(caller, person.id, '2026-03-11T12:00:00.000Z')
        people.push(person)
      }
      const changing = people.filter((_, index) => index % 4 === 0)
      const unchanged = people.filter((_, index) => index % 4 !== 0).map(({ id }) => id)
      let writes = 0
      const write = async () => {
        const index = writes++
        const made = await newPatient(caller, `Name ${index % 9}`, {
          birth_date: `19${10 + (index % 80)}-02-02`,
          language: 'l1',
        })
        await newAppointment(caller, made.id, '2026-03-11T12:00:00.000Z')
        const target = changing[index % changing.length]
        if (!target) return
        target.version += 1
        const body = patientBody({ name: nameBody(`Name ${(index * 5) % 11}`), language: `l${index % 5}` })
        await caller.call('PUT', `/patients/v1/${target.id}/${target.version}`, body)
      }
      const seen = await walkBothWays(caller, list, { sort_field, sort_direction, limit: '7' }, write)
      for (const ids of [seen.forward, seen.back]) {
        const kept = ids.filter((id) => unchanged.includes(id))
        expect([...kept].sort()).toEqual([...unchanged].sort())
      }
      expect(seen.back.filter((id) => unchanged.includes(id)).reverse()).toEqual(
        seen.forward.filter((id) => unchanged.includes(id)),
      )
    },
  )
})

type Listed = { patient: { id?: string; name: { family: string } }; appointment?: { patient_id: string } }
const patientOf = ({ patient, appointment }: Listed) => appointment?.patient_id ?? patient.id ?? ''

async function walkAll(caller: Caller, list: string, parameters: Parameters): Promise<Listed[]> {
  const found: Listed[] = []
  let token: string | undefined
  do {
    const { body } = await ask(caller, list, { ...parameters, ...(token !== undefined && { page_token: token }) })
    found.push(...body.items)
    token = body.next_page_token
  } while (token !== undefined)
  return found
}

/**
 * The patients of every page to the last one and back to the first, while `write` runs between and during the requests.
 */
async function walkBothWays(caller: Caller, list: string, parameters: Parameters, write: () => Promise<void>) {
  const forward: string[] = []
  const back: string[] = []
  let page = (await ask(caller, list, parameters)).body
  forward.push(...page.items.map(patientOf))
  const step = async (page_token: string) => {
    await write()
    const [reply] = await Promise.all([ask(caller, list, { ...parameters, page_token }), write()])
    expect(reply.status, reply.text).toBe(200)
    page = reply.body
  }
  // New records may keep moving the end for a while; the loop continues until it is reached.
  while (page.next_page_token !== undefined && forward.length < 2000) {
    await step(page.next_page_token)
    forward.push(...page.items.map(patientOf))
  }
  back.push(...page.items.map(patientOf).reverse())
  while (page.prev_page_token !== undefined && back.length < 4000) {
    await step(page.prev_page_token)
    back.push(...page.items.map(patientOf).reverse())
  }
  return { forward, back }
}
