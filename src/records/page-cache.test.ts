import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../../test/support/bodies.ts'
import { recordStatements } from '../../test/support/recorded-statements.ts'
import { type Caller, testService } from '../../test/support/service.ts'
import { turnsOf } from '../../test/support/turns.ts'
import type { Actor } from '../contract/actor.ts'
import { records } from '../main/resources.ts'
import { showPatient } from '../platform/audit/audit-context.ts'
import type { Database } from '../platform/database/database.ts'
import { createPageCache, type PageCache, type ReadPage, SHOWN_RECORDS } from './page-cache.ts'

const NOON = Date.parse('2026-03-10T12:00:00.000Z')
const HOUR_MS = 3_600_000
let now = NOON

/** How many answers were kept ones. */
let kept = 0

/** A cache of which each kept page is compared with what would have been read, and whom both show. */
function comparing(cache: PageCache): PageCache {
  return {
    async read(deps, actor, query, read) {
      let isRead = false
      const answer = await cache.read(deps, actor, query, () => {
        isRead = true
        return read()
      })
      if (isRead) return answer
      kept++
      const { auditContext } = actor
      const shown = { of: auditContext?.shown, mrns: auditContext?.shownMrns }
      delete auditContext?.shown
      delete auditContext?.shownMrns
      const { answer: fresh } = await read()
      expect(withoutTokens(answer)).toEqual(withoutTokens(fresh))
      expect(shown).toEqual({ of: auditContext?.shown, mrns: auditContext?.shownMrns })
      return answer
    },
  }
}

/** Each token of a page is encrypted again. */
function withoutTokens(answer: unknown) {
  const { next_page_token: next, prev_page_token: prev, ...page } = JSON.parse(answer as string)
  return { ...page, hasNext: next !== undefined, hasPrevious: prev !== undefined }
}

const service = testService(() => ({ now: () => new Date(now), pageCache: comparing(createPageCache(32)) }))

const filter = (...conditions: string[]) => encodeURIComponent(conditions.join(','))
const DAY = filter('appointment.startTimestamp|gt|2026-03-09', 'appointment.startTimestamp|lt|2026-03-12')
const ON_THE_DAY = filter('appointment.startTimestamp|eq|2026-03-10')
const PAGES = [
  '/lists/v1/patient?limit=3',
  '/lists/v1/patient?include_deactivated=true',
  '/lists/v1/patient?hide_alternatives=true&sort_field=patient.name.family',
  `/lists/v1/patient?filters=${filter('patient.name.family|eq|Doe')}`,
  `/lists/v1/patient?filters=${filter('primaryCoverage.status|eq|ACTIVE')}`,
  '/lists/v1/patient?sort_field=nextAppointment.startTimestamp',
  `/lists/v1/patient?filters=${filter('nextAppointment.startTimestamp|gt|2026-03-10T18:00:00.000Z')}`,
  '/lists/v1/appointment',
  `/lists/v1/appointment?filters=${ON_THE_DAY}`,
  `/appointments/v1/visits?filters=${DAY}`,
  `/appointments/v1/visits?filters=${ON_THE_DAY}&sort_field=patient.name.family`,
  '/anteroom/v1/lists/board?limit=100',
  `/anteroom/v1/lists/patients?filters=${filter('patient.birthDate|gt|1900-01-01')}`,
]

/** The records of an organization that the writes below made, and the writes; each takes a number that chooses. */
class Front {
  readonly #caller: Caller
  readonly #patients: string[] = []
  readonly #appointments: string[] = []
  readonly #coverages: string[] = []

  constructor(caller: Caller) {
    this.#caller = caller
  }

  async #call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) {
    const reply = await this.#caller.call(method, url, body)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }

  async #change(path: string, ids: string[], choice: number, change: (body: Record<string, unknown>) => object) {
    const id = ids[choice % ids.length]
    if (id === undefined) return
    const { version, ...body } = await this.#call('GET', `/${path}/v1/${id}`)
    for (const field of ['id', 'mrn', 'organization_id', 'deactivated', 'updated_at', 'updating_user_id'])
      delete body[field]
    await this.#call('PUT', `/${path}/v1/${id}/${version + 1}`, change(body))
  }

  readonly writes: Record<string, (choice: number) => Promise<unknown> | unknown> = {
    'a patient is created': async (choice) => {
      const name = nameBody(choice % 2 ? 'Doe' : 'Roe')
      const { id } = await this.#call('POST', '/patients/v1?skip_duplicate_check=true', patientBody({ name }))
      this.#patients.push(id)
    },
    'a patient is renamed': (choice) =>
      this.#change('patients', this.#patients, choice, (body) => ({
        ...body,
        name: nameBody(`${choice % 2 ? 'Doe' : 'Moe'}`),
      })),
    'a patient is deactivated': async (choice) => {
      const [id] = this.#patients.splice(choice % Math.max(1, this.#patients.length), 1)
      if (id === undefined) return
      const { version } = await this.#call('GET', `/patients/v1/${id}`)
      await this.#call('DELETE', `/patients/v1/${id}/${version + 1}`)
    },
    'a coverage is created': async (choice) => {
      const id = this.#patients[choice % this.#patients.length]
      if (id !== undefined) this.#coverages.push((await this.#call('POST', '/coverages/v1', coverageBody(id))).id)
    },
    'coverages are filed': async (choice) => {
      const id = this.#patients[choice % this.#patients.length]
      if (id === undefined) return
      const { items } = await this.#call('GET', `/coverages/v1/get-multi-paginated?patient_id=${id}`)
      const filed = items.map((each: { id: string }) => each.id)
      await this.#change('patients', [id], 0, (body) => ({
        ...body,
        filing_order: { coverages: filed.slice(choice % 2) },
      }))
    },
    'a coverage is cancelled': (choice) =>
      this.#change('coverages', this.#coverages, choice, (body) => ({ ...body, status: 'CANCELLED' })),
    'an appointment is created': async (choice) => {
      const id = this.#patients[choice % this.#patients.length]
      if (id === undefined) return
      const start = new Date(NOON + ((choice % 40) - 10) * HOUR_MS).toISOString()
      const body = appointmentBody(id, { start_timestamp: start })
      this.#appointments.push((await this.#call('POST', '/appointments/v1', body)).id)
    },
    'an appointment is moved': (choice) =>
      this.#change('appointments', this.#appointments, choice, (body) => ({
        ...body,
        start_timestamp: new Date(NOON + ((choice % 30) - 5) * HOUR_MS).toISOString(),
      })),
    'patients are merged': async (choice) => {
      const [one, other] = [this.#patients[choice % this.#patients.length], this.#patients[0]]
      if (one === undefined || other === undefined || one === other) return
      const mrns = await Promise.all(
        [one, other].map(async (id) => (await this.#call('GET', `/patients/v1/${id}`)).mrn),
      )
      const body = { alternative_patient_mrn: mrns[0], primary_patient_mrn: mrns[1] }
      // A patient that is merged already is refused.
      await this.#caller.call('POST', '/patient-merge/v1', body)
    },
    'hours pass': (choice) => {
      now += (choice % 5) * HOUR_MS
    },
    'the clock is set back': (choice) => {
      now -= (choice % 3) * HOUR_MS
    },
    'the organization moves': (choice) =>
      service.database.rows('update organization set time_zone = $2 where id = $1', [
        this.#caller.organizationId,
        choice % 2 ? 'America/New_York' : 'Pacific/Auckland',
      ]),
  }
}

interface Step {
  write: string
  choice: number
  /** The pages that are requested after the write. */
  pages: readonly string[]
}

async function playSteps(steps: readonly Step[]): Promise<void> {
  now = NOON
  const caller = await service.newCaller()
  const front = new Front(caller)
  await front.writes['a patient is created']?.(1)
  for (const { write, choice, pages } of [{ write: 'a coverage is created', choice: 0, pages: [] }, ...steps]) {
    await front.writes[write]?.(choice)
    // Once to be read, once to be kept, once to be compared.
    for (const url of [...pages, ...pages, ...pages]) {
      const { status, text } = await caller.call('GET', url)
      expect(status, text).toBe(200)
    }
  }
}

describe('a page that is requested again', () => {
  it('is what would be read, whatever was written and however much time passed, and shows the audit trail the same patients', async () => {
    const names = Object.keys(new Front({} as Caller).writes)
    const step = fc.record({
      write: fc.constantFrom(...names),
      choice: fc.nat(1000),
      pages: fc.subarray(PAGES, { maxLength: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), (steps) => playSteps(steps)),
      { numRuns: 6, endOnFailure: true },
    )
    expect(kept).toBeGreaterThan(50)
  })

  it('is read again when a patient was merged into another', () =>
    playSteps([
      { write: 'a patient is created', choice: 0, pages: PAGES },
      { write: 'patients are merged', choice: 1, pages: PAGES },
    ]))

  it('is read again when an appointment has begun and the next one is later', () =>
    playSteps([
      { write: 'an appointment is created', choice: 12, pages: PAGES },
      { write: 'an appointment is created', choice: 20, pages: PAGES },
      { write: 'hours pass', choice: 4, pages: PAGES },
    ]))

  it('is read again when a write that had begun before it was kept commits', async () => {
    const caller = await service.newCaller()
    const { body: patient } = await caller.call('POST', '/patients/v1', patientBody({ name: nameBody('Before') }))
    const page = async () => (await caller.call('GET', '/lists/v1/patient')).body.items[0].patient.name.family
    await page()
    const { version, mrn: _, ...body } = patient
    await service.deps.database
      .transaction(async (transaction) => {
        await transaction.rows('select from change_clock where organization_id = $1 and record_type = $2 for update', [
          caller.organizationId,
          'patient',
        ])
        const changing = caller.call('PUT', `/patients/v1/${patient.id}/${version + 1}`, {
          ...body,
          name: nameBody('After'),
        })
        expect([await page(), await page()]).toEqual(['Before', 'Before'])
        return { changing }
      })
      .then(({ changing }) => changing)
    expect(await page()).toBe('After')
  })

  it('is not kept for another organization or another query', async () => {
    const callers = [await service.newCaller(), await service.newCaller()]
    for (const [index, caller] of callers.entries())
      await caller.call('POST', '/patients/v1', patientBody({ name: nameBody(`Family${index}`) }))
    for (let time = 0; time < 3; time++)
      for (const [index, caller] of callers.entries()) {
        const { body } = await caller.call('GET', '/lists/v1/patient')
        expect(body.items.map((item: { patient: { name: object } }) => item.patient.name)).toEqual([
          expect.objectContaining({ family: `Family${index}` }),
        ])
        expect((await caller.call('GET', '/lists/v1/patient?limit=0')).body.items).toEqual([])
      }
  })
})

it('a page depends on the changes of exactly the record types that statements of pages read', async () => {
  const caller = await service.newCaller()
  const { body } = await caller.call('POST', '/patients/v1', patientBody())
  await caller.call('POST', '/appointments/v1', appointmentBody(body.id))
  const { texts, stop } = recordStatements()
  for (const url of PAGES) expect((await caller.call('GET', url)).status).toBe(200)
  stop()
  const tables = [...texts].flatMap((text) => [...text.matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, table]) => table))
  const read = records.map(({ name }) => name).filter((name) => tables.includes(name))
  expect(read.toSorted()).toEqual(SHOWN_RECORDS.toSorted())
})

describe('createPageCache', () => {
  it('keeps nothing without memory', async () => {
    const cache = createPageCache(0)
    const deps = { ...service.deps, now: () => new Date(now) }
    const actor = { organizationId: (await service.newCaller()).organizationId, userId: '', auditContext: context() }
    let reads = 0
    for (let time = 0; time < 4; time++)
      await cache.read(deps, actor, {}, async () => ({
        answer: `${reads++}`,
      }))
    expect(reads).toBe(4)
  })

  it('reads a page again when the key has changed under which its tokens are encrypted', async () => {
    const cache = createPageCache(1)
    const actor = { organizationId: (await service.newCaller()).organizationId, userId: '', auditContext: context() }
    const read = async (keyId: string) =>
      cache.read({ ...service.deps, vault: { keyId } }, actor, {}, async () => ({ answer: keyId }))
    expect([await read('old'), await read('old'), await read('old')]).toEqual(['old', 'old', 'old'])
    expect(await read('new')).toBe('new')
  })

  it('keeps nothing larger than a megabyte, and not more than its memory', async () => {
    const cache = createPageCache(1)
    const actor = { organizationId: (await service.newCaller()).organizationId, userId: '', auditContext: context() }
    const readsOf = async (query: object, characters: number) => {
      let reads = 0
      for (let time = 0; time < 3; time++)
        await cache.read(service.deps, actor, query, async () => {
          reads++
          return { answer: 'x'.repeat(characters) }
        })
      return reads
    }
    expect(await readsOf({ page: 'large' }, 2 ** 20 + 1)).toBe(3)
    expect(await readsOf({ page: 'first' }, 300_000)).toBe(2)
    expect(await readsOf({ page: 'second' }, 300_000)).toBe(2)
    expect(await readsOf({ page: 'first' }, 300_000), 'the second took its place').toBe(2)
  })
})

describe('a page that several callers request at once', () => {
  /** A page of an organization that five callers request; the first request has been answered. */
  async function requestFive(read: (call: number) => Promise<ReadPage>) {
    const cache = createPageCache(1)
    const { organizationId } = await service.newCaller()
    const { database, vault } = service.deps
    let states = 0
    let reads = 0
    const rowByKey: Database['rowByKey'] = async (...statement) => {
      const row = await database.rowByKey(...statement)
      states++
      return row
    }
    const deps = { now: () => new Date(NOON), vault, database: { ...database, rowByKey } }
    const readLast = async () => {
      const call = reads++
      await expect.poll(() => states, { interval: 1 }).toBe(5)
      return read(call)
    }
    const ask = (first?: () => Promise<ReadPage>) => {
      const actor: Actor = { organizationId, userId: '', auditContext: context() }
      const page = cache.read(deps, actor, {}, () => {
        showPatient(actor, 'p')
        return (first ?? readLast)()
      })
      return page.then((answer) => ({ answer, shown: actor.auditContext?.shown }))
    }
    await ask(async () => ({ answer: 'first' }))
    return { answers: await Promise.allSettled(Array.from({ length: 5 }, () => ask())), reads: () => reads }
  }

  it('is sent to one after the other where it is long, so that many who wait for it do not hold up the callers of others', async () => {
    const cache = createPageCache(1)
    const { organizationId } = await service.newCaller()
    const deps = { ...service.deps, database: { ...service.deps.database, rowByKey: async () => ['state'] } }
    const CALLERS = 20
    const turnsFor = async (characters: number) => {
      const ask = () =>
        cache.read(deps, { organizationId, userId: '', auditContext: context() }, { characters }, async () => ({
          answer: 'x'.repeat(characters),
        }))
      await ask()
      return turnsOf(() => Promise.all(Array.from({ length: CALLERS }, ask)))
    }
    expect(await turnsFor(500_000)).toBeGreaterThanOrEqual(CALLERS - 2)
    expect(await turnsFor(1000)).toBeLessThan(3)
  })

  it('is read once, and shows the audit trail the same patients for each', async () => {
    const { answers, reads } = await requestFive(async () => ({ answer: 'page' }))
    expect(reads()).toBe(1)
    for (const each of answers)
      expect(each).toEqual({ status: 'fulfilled', value: { answer: 'page', shown: new Set(['p']) } })
  })

  it('is read by the others themselves when the one who read it leaves', async () => {
    const { answers } = await requestFive(async (call) => {
      if (call === 0) throw new Error('the caller has left')
      return { answer: 'page' }
    })
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  })
})

const context = () => ({ operation: 'lists.getPatientList', requestId: '', address: '', isWritten: false })
