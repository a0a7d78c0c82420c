import { OTHER_PAYER } from './codes/benefits.ts'
import { FAMILY } from './codes/coverage-levels.ts'
import { INSURED } from './codes/entities.ts'
import type { BenefitRow, Party, PatientResponse, Rejection, Response, Transaction } from './model.ts'
import { emptyParty } from './party.ts'
import { refusesPatient } from './refusals.ts'

/** One HL: its party (`named` once its NM1 was read), the EB rows under it, and every AAA in it, including those of its rows. */
export interface Level {
  kind: '20' | '21' | '22' | '23'
  party: Party
  named: boolean
  rows: BenefitRow[]
  rejections: Rejection[]
  /** The MSG outside EB loops, where the guide has none, as a description of the plan: they may deny the coverage, or explain a rejection. */
  texts: BenefitRow | undefined
}

export function emptyLevel(kind: Level['kind']): Level {
  return { kind, party: emptyParty(), named: false, rows: [], rejections: [], texts: undefined }
}

/** A 2000C with the 2000D below it and the levels above it. */
interface Family {
  source: Level | undefined
  receiver: Level | undefined
  subscriber: Level
  dependents: Level[]
}

/** The state of reading a 271, segment by segment. */
export interface Walk {
  transaction: Transaction
  families: Family[]
  source: Level | undefined
  receiver: Level | undefined
  level: Level | undefined
  /** AAA and MSG before the first level, or in one of an unknown kind. */
  outside: Level
  rejections: Rejection[]
  warnings: string[]
  hasHierarchy: boolean
  row: BenefitRow | undefined
  /** The entity of an EB row that a following N3, N4, PER or PRV describes, when these do not describe the level. */
  entity: Party | undefined
  insideLoopHeader: boolean
  /** The texts below EB rows, by all of them in one: rows with equal texts share a list, in which each rule searches once. */
  texts: Map<string, string[]>
  /** TRN segments that may belong to the next person. */
  pendingTraces: Party['traces']
}

/** AAA repeats at most nine times in a loop; this bounds what each patient inherits from the levels above. Source: 005010X279A1 AAA. */
const INHERITED_REJECTIONS = 9

/**
 * How many EB rows dependents may inherit from their subscriber, per segment of the message. A family stays far below this; the bound keeps
 * a message with a thousand rows and a thousand dependents from growing to a million rows.
 */
const INHERITED_ROWS_A_SEGMENT = 10

/**
 * The patients of an answer. A 2000C with 2000D loops below it stands for its dependents, who inherit its EB rows; otherwise the subscriber
 * is the patient. Without any 2000C, one patient without identity carries the rejections. Source: x12-271.md 3.
 */
export function listPatients(walk: Walk): Response['patients'] {
  const room = { rows: walk.transaction.segments.length * INHERITED_ROWS_A_SEGMENT }
  const patients = walk.families.flatMap((family) => listFamily(family, walk.outside, room))
  if (room.rows < 0) walk.warnings.push('EB rows of a subscriber not repeated for each of very many dependents')
  if (patients.length > 0) return patients
  const unidentified = emptyLevel('22')
  const { source, receiver } = walk
  return listFamily({ source, receiver, subscriber: unidentified, dependents: [] }, walk.outside, room)
}

function listFamily(family: Family, outside: Level, room: { rows: number }): PatientResponse[] {
  const { source, receiver, subscriber, dependents } = family
  const over = [outside, source, receiver]
  const above = over.map((level) => level?.rejections)
  const [payer, provider] = [source?.party, receiver?.party]
  const patients: PatientResponse[] = []
  if (dependents.length === 0 || isAnsweredToo(subscriber, dependents)) {
    const rejections = [...inherit(above), ...subscriber.rejections]
    patients.push({
      payer,
      provider,
      subscriber: subscriber.party,
      rejections,
      benefits: withTexts([...over, subscriber]),
    })
  }
  const otherPayers = dependents.length > 0 ? subscriber.rows.filter(isOfFamily) : []
  // An insured at a dependent's level without a subscriber above has a wrong HL03: its rejection counts for the dependents.
  const insured = subscriber.named ? undefined : dependents.find(({ party }) => party.entityCode === INSURED)
  for (const dependent of dependents) {
    const inherited = [...above, subscriber.rejections, dependent === insured ? undefined : insured?.rejections]
    const rejections = [...inherit(inherited), ...dependent.rejections]
    // A rejected dependent is not covered by what the payer states about the subscriber.
    const inherits = dependent.rows.length === 0 && !dependent.rejections.some(refusesPatient)
    if (inherits) room.rows -= subscriber.rows.length
    const stating = !inherits ? [dependent] : room.rows >= 0 ? [dependent, subscriber] : []
    const stated = withTexts([...over, ...stating])
    const ofFamily = inherits || dependent.rejections.some(refusesPatient) ? [] : otherPayers
    room.rows -= ofFamily.length
    patients.push({
      payer,
      provider,
      subscriber: subscriber.party,
      dependent: dependent.party,
      rejections,
      benefits: ofFamily.length > 0 && room.rows >= 0 ? [...stated, ...ofFamily] : stated,
    })
  }
  return patients
}

/**
 * Our choice: another payer that the subscriber's level states for the family or the dependents (EB02) is one of a dependent with rows of its own as
 * well. Any other row of the subscriber is not the dependent's. Source: x12-271.md 3, patient rule.
 */
const isOfFamily = ({ code, coverageLevel }: BenefitRow) =>
  code === OTHER_PAYER && (coverageLevel === FAMILY || coverageLevel === 'DEP')

/** The texts of all levels and the rows of the last one. */
function withTexts(levels: readonly (Level | undefined)[]): BenefitRow[] {
  const texts: BenefitRow[] = []
  for (const level of levels) if (level?.texts !== undefined) texts.push(level.texts)
  const rows = levels.at(-1)?.rows ?? []
  return texts.length === 0 ? rows : [...texts, ...rows]
}

function inherit(lists: readonly (Rejection[] | undefined)[]): Rejection[] {
  const inherited: Rejection[] = []
  for (const list of lists) if (list !== undefined) inherited.push(...mostImportant(list))
  return inherited
}

/** The rejections inherited from each list, computed once: otherwise many patients below many rejections would cost the product of both. */
const inheritedOf = new WeakMap<Rejection[], Rejection[]>()

/** When a loop has more rejections than allowed, those that reject the patient come first. All levels have been read by now. */
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
 * Our choice: a subscriber above dependents is a patient too when both the subscriber and a dependent were answered (EB or AAA) and the
 * subscriber echoes a trace (TRN*2) that no dependent echoes. Where no dependent echoes any, a family was answered under the subscriber's trace if
 * a dependent has rows of its own; which of them was asked about is for their identity to decide.
 */
function isAnsweredToo(subscriber: Level, dependents: Level[]): boolean {
  if (!isAnswered(subscriber) || !dependents.some(isAnswered)) return false
  const own = echoesOf(subscriber)
  const others = new Set(dependents.flatMap(echoesOf))
  if (others.size > 0) return own.some((echo) => !others.has(echo))
  return own.length > 0 && subscriber.rows.length > 0 && dependents.some(({ rows }) => rows.length > 0)
}

function isAnswered(level: Level): boolean {
  return level.rows.length > 0 || level.rejections.length > 0
}

function echoesOf(level: Level): string[] {
  return level.party.traces.filter((trace) => trace.type === '2').map((trace) => trace.number)
}
