// Front desks that write one record after another, and the list of acknowledged writes.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { appointmentBody, type Body, coverageBody, nameBody, patientBody } from '../support/bodies.ts'
import type { Client } from './own-cluster.ts'

export type WrittenType = 'patient' | 'coverage' | 'appointment' | 'note'

/** One acknowledged version, with a text of its body. */
export interface Acknowledged {
  type: WrittenType
  id: string
  version: number
  text: string
}

export interface Writers {
  acknowledged: Acknowledged[]
  /** Answers that are neither a success nor a sign of the fault: there must be none. */
  unexpected: string[]
  /** Writes with an unknown result: the connection broke, or the answer was 503. */
  unanswered(): number
  /** Waits until another write of every type is acknowledged. @throws when that takes longer than `limitMs`. */
  untilWriting(limitMs?: number): Promise<void>
  /** Waits until several writes are under way, for a fault in the middle of them. */
  untilInFlight(): Promise<void>
  /** Lets every writer end its request. */
  stop(): Promise<void>
}

const WRITERS = 6
/** The limit for a request that a fault left hanging. */
const REQUEST_LIMIT_MS = 10_000
export const RECOVERY_LIMIT_MS = 60_000
/** The pause between two writes of one desk, so that the tested processes get most of the machine. */
const PAUSE_MS = 120
/** How many writes are under way when a fault begins. */
const IN_FLIGHT = 2

const paths: Record<WrittenType, string> = {
  patient: '/patients/v1',
  coverage: '/coverages/v1',
  appointment: '/appointments/v1',
  note: '/notes/v1',
}

/** Starts writers that create records of four types and change each a few times; they continue through every fault. */
export function startWriters(url: string, client: Client): Writers {
  const acknowledged: Acknowledged[] = []
  const unexpected: string[] = []
  let unanswered = 0
  let isStopping = false
  let inFlight = 0
  let tellInFlight = () => {}
  const nextToken = tokenSource(url, client)

  /** The written record; undefined if the result is unknown. */
  async function write(type: WrittenType, body: Body, text: string, current?: { id: string; version: number }) {
    // A note is updated with its current version, the others with their next one (rules.md 1.4).
    const version = current && (type === 'note' ? current.version : current.version + 1)
    await delay(PAUSE_MS)
    const path = current ? `${paths[type]}/${current.id}/${version}` : paths[type]
    try {
      const { status, said } = await send(current ? 'PUT' : 'POST', path, body)
      if (status === 200) {
        const written = JSON.parse(said) as { id: string; version: number }
        acknowledged.push({ type, id: written.id, version: written.version, text })
        return written
      }
      if (status !== 503) unexpected.push(`${type} ${status} ${said}`)
    } catch {
      // After a lost connection the result is unknown.
    }
    unanswered++
    await delay(PAUSE_MS)
    return undefined
  }

  async function send(method: string, path: string, body: Body): Promise<{ status: number; said: string }> {
    const headers = { authorization: `Bearer ${await nextToken()}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
    const asked = fetch(url + path, { method, headers, body: JSON.stringify(body), signal })
    inFlight++
    if (inFlight >= IN_FLIGHT) tellInFlight()
    try {
      const answer = await asked
      return { status: answer.status, said: await answer.text() }
    } finally {
      inFlight--
    }
  }

  async function visit(): Promise<void> {
    const family = randomUUID()
    const patient = await write('patient', patientBody({ name: nameBody(family) }), family)
    if (!patient) return
    let coverage: { id: string; version: number } | undefined
    let appointment = coverage
    let note = coverage
    let last: typeof patient | undefined = patient
    for (let round = 1; round <= 3 && !isStopping; round++) {
      const text = randomUUID()
      const plan = { ...(coverageBody(patient.id).insurance_plan as Body), group_number: text }
      coverage = await write('coverage', { ...coverageBody(patient.id), insurance_plan: plan }, text, coverage)
      appointment = await write(
        'appointment',
        appointmentBody(patient.id, { notes: text, estimated_copay_cents: round }),
        text,
        appointment,
      )
      note = await write('note', { value: text }, text, note)
      last = last && (await write('patient', patientBody({ name: nameBody(family), language: text }), text, last))
      if (!coverage || !appointment || !note || !last) return
    }
  }

  const working = Array.from({ length: WRITERS }, async () => {
    while (!isStopping) await visit()
  })
  return {
    acknowledged,
    unexpected,
    unanswered: () => unanswered,
    async untilWriting(limitMs = RECOVERY_LIMIT_MS) {
      const before = acknowledged.length
      const deadline = performance.now() + limitMs
      const types = () => new Set(acknowledged.slice(before).map(({ type }) => type)).size
      while (types() < Object.keys(paths).length) {
        if (performance.now() > deadline) throw new Error(`nothing was written for ${limitMs} ms`)
        await delay(20)
      }
    },
    untilInFlight: () =>
      new Promise((resolve) => {
        tellInFlight = resolve
        if (inFlight >= IN_FLIGHT) resolve()
      }),
    async stop() {
      isStopping = true
      await Promise.all(working)
    },
  }
}

/** One token for all writers, requested until it is issued. */
function tokenSource(url: string, client: Client): () => Promise<string> {
  let token: string | undefined
  return async () => {
    token ??= await newToken(url, client)
    return token
  }
}

/** @throws while the service cannot issue one. */
export async function newToken(url: string, { client_id, client_secret }: Client): Promise<string> {
  const body = new URLSearchParams({ client_id, client_secret })
  const answer = await fetch(`${url}/api/auth/v2/token`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`no token: ${answer.status}`)
  return ((await answer.json()) as { access_token: string }).access_token
}
