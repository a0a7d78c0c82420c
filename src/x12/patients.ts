import type { PatientResponse, Rejection, Response } from './model.ts'
import { emptyParty } from './party.ts'
import { refusesPatient } from './refusals.ts'
import type { Family, Level, Walk } from './response-reader.ts'

/** AAA repeats at most nine times in a loop; a bound on what each patient repeats from above. Source: 005010X279A1 AAA. */
const INHERITED_REJECTIONS = 9

/**
 * How many EB rows dependents may take over from their subscriber, for each segment of the message. A family comes nowhere
 * near; the bound keeps a message of a thousand rows above a thousand dependents from growing to a million.
 */
const INHERITED_ROWS_A_SEGMENT = 10

/**
 * Who the answer is about. A 2000C that 2000D follow stands for its dependents, who fall back on its EB rows; otherwise it
 * is the patient itself. Without any 2000C one patient without identity carries the rejections. Source: x12-271.md 3.
 */
export function listPatients(walk: Walk): Response['patients'] {
  const room = { rows: walk.transaction.segments.length * INHERITED_ROWS_A_SEGMENT }
  const patients = walk.families.flatMap((family) => listFamily(family, walk.earlyRejections, room))
  if (room.rows < 0) walk.warnings.push('EB rows of a subscriber not repeated for each of very many dependents')
  if (patients.length > 0) return patients
  const nobody: Level = { kind: '22', party: emptyParty(), named: false, rows: [], rejections: [] }
  const { source, receiver } = walk
  return listFamily({ source, receiver, subscriber: nobody, dependents: [] }, walk.earlyRejections, room)
}

function listFamily(family: Family, earlyRejections: Rejection[], room: { rows: number }): PatientResponse[] {
  const { source, receiver, subscriber, dependents } = family
  const above = [earlyRejections, source?.rejections, receiver?.rejections]
  const shared = { payer: source?.party, provider: receiver?.party, subscriber: subscriber.party }
  const patients: PatientResponse[] = []
  if (dependents.length === 0 || isAnsweredToo(subscriber, dependents)) {
    const rejections = [...inherit(above), ...subscriber.rejections]
    patients.push({ ...shared, rejections, benefits: subscriber.rows })
  }
  for (const dependent of dependents) {
    const rejections = [...inherit([...above, subscriber.rejections]), ...dependent.rejections]
    // Who was refused is not covered by what the payer says of the subscriber.
    const inherits = dependent.rows.length === 0 && !dependent.rejections.some(refusesPatient)
    if (inherits) room.rows -= subscriber.rows.length
    const benefits = !inherits ? dependent.rows : room.rows >= 0 ? subscriber.rows : []
    patients.push({ ...shared, dependent: dependent.party, rejections, benefits })
  }
  return patients
}

const inherit = (lists: (Rejection[] | undefined)[]) => lists.flatMap((list = []) => mostImportant(list))

/**
 * What is inherited of each list. It is worked out once: endless patients below endless rejections would otherwise cost the
 * product of both.
 */
const inheritedOf = new WeakMap<Rejection[], Rejection[]>()

/** Of more rejections than a loop may have, those that refuse the patient come first. The levels are complete by now. */
function mostImportant(list: Rejection[]): Rejection[] {
  if (list.length <= INHERITED_REJECTIONS) return list
  const known = inheritedOf.get(list)
  if (known !== undefined) return known
  const refusalsFirst = list.toSorted((a, b) => Number(refusesPatient(b)) - Number(refusesPatient(a)))
  const inherited = refusalsFirst.slice(0, INHERITED_REJECTIONS)
  inheritedOf.set(list, inherited)
  return inherited
}

/**
 * Our choice: a subscriber above dependents is a patient too when both got answers of their own, EB or AAA, and the subscriber's
 * echoes a trace (TRN*2) of its own.
 */
function isAnsweredToo(subscriber: Level, dependents: Level[]): boolean {
  if (!isAnswered(subscriber) || !dependents.some(isAnswered)) return false
  const others = new Set(dependents.flatMap(echoesOf))
  return others.size > 0 && echoesOf(subscriber).some((echo) => !others.has(echo))
}

function isAnswered(level: Level): boolean {
  return level.rows.length > 0 || level.rejections.length > 0
}

function echoesOf(level: Level): string[] {
  return level.party.traces.filter((trace) => trace.type === '2').map((trace) => trace.number)
}
