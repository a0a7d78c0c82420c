import { isText, readBenefitRow, takeQualifier } from './benefit-row.ts'
import { INSURED } from './codes/entities.ts'
import { PLAN_SERVICE } from './codes/service-types.ts'
import { codeOf, elementOf } from './elements.ts'
import type { BenefitRow, Response, Segment, Transaction } from './model.ts'
import { emptyParty, readRejection, readTrace, takeDetail, takeName } from './party.ts'
import { emptyLevel, type Level, listPatients, type Walk } from './patients.ts'

const loopLetters = { '20': 'A', '21': 'B', '22': 'C', '23': 'D' } as const
const dependentCodes = new Set(['03', 'QC'])
const receiverCodes = new Set(['1P', 'FA', '80'])
const entityDetails = new Set(['N3', 'N4', 'PER', 'PRV'])
const personDetails = new Set(['DMG', 'INS', 'HI', 'MPI'])

/**
 * Reads a 271 of version 4010 or 5010. Levels follow HL03 in sequence; HL01 and HL02 are not trusted, and a message without HL is read by
 * its NM1 codes. Codes are passed on as sent, unknown segments are skipped. Never throws. There is always at least one patient, without
 * identity when the payer named none. Source: x12-271.md 3, 4, 8.
 */
export function readResponse(transaction: Transaction): Response {
  const walk: Walk = {
    transaction,
    families: [],
    source: undefined,
    receiver: undefined,
    level: undefined,
    outside: emptyLevel('20'),
    rejections: [],
    warnings: [...transaction.warnings],
    hasHierarchy: false,
    row: undefined,
    entity: undefined,
    insideLoopHeader: false,
    texts: new Map(),
    pendingTraces: [],
  }
  let reference: string | undefined
  for (let index = 0; index < transaction.segments.length; index += 1) {
    const segment = transaction.segments[index]!
    if (segment.id === 'BHT') reference = elementOf(segment, 3)
    else takeSegment(walk, segment, index)
  }
  flushTraces(walk)
  closeRow(walk)
  return {
    controlNumber: transaction.controlNumber,
    reference,
    warnings: walk.warnings,
    rejections: walk.rejections,
    patients: listPatients(walk),
  }
}

function takeSegment(walk: Walk, segment: Segment, index: number): void {
  switch (segment.id) {
    case 'HL':
      takeHierarchy(walk, segment)
      break
    case 'NM1':
      takeEntity(walk, segment, index)
      break
    case 'EB':
      takeBenefit(walk, segment)
      break
    case 'AAA':
      takeRejection(walk, segment)
      break
    case 'TRN':
      takeTrace(walk, segment)
      break
    case 'LS':
      if (walk.row !== undefined) walk.row.hasLoopHeader = true
      walk.insideLoopHeader = walk.row !== undefined
      walk.entity = undefined
      break
    case 'LE':
      walk.insideLoopHeader = false
      walk.entity = undefined
      break
    default:
      takeOther(walk, segment)
  }
}

const levelsByCode = new Map([
  ['20', beginSource],
  ['21', beginReceiver],
  ['22', beginSubscriber],
  ['23', beginDependent],
])

function takeHierarchy(walk: Walk, segment: Segment): void {
  flushTraces(walk)
  closeRow(walk)
  walk.hasHierarchy = true
  const begin = levelsByCode.get(elementOf(segment, 3) ?? '')
  walk.level = undefined
  if (begin === undefined) walk.warnings.push('HL03 is not a known level')
  else begin(walk)
}

/**
 * An NM1 names the level that has just begun, begins a level whose HL is missing, or belongs to the EB before it. Inside LS..LE it belongs
 * to the EB, and also after an EB unless it names a patient: NM1*IL is then the insured of the other policy.
 */
function takeEntity(walk: Walk, segment: Segment, index: number): void {
  const code = codeOf(segment, 1) ?? ''
  if (walk.row !== undefined) {
    if (!beginsPatient(walk, walk.row, code, index)) {
      walk.entity = emptyParty()
      takeName(walk.entity, segment)
      walk.row.entities.push(walk.entity)
      return
    }
    closeRow(walk)
  }
  walk.entity = undefined
  if (isNamedAgain(walk.level, segment)) return
  if (!namesLevel(walk.level, code)) beginNamedLevel(walk, code)
  if (walk.level === undefined || walk.level.named) {
    // An entity that 2100 does not allow: its address must not become the patient's.
    walk.entity = emptyParty()
    walk.warnings.push('NM1 ignored: not expected at its level')
    return
  }
  takeName(walk.level.party, segment)
  walk.level.named = true
}

/**
 * Our choice for an NM1 after an EB without LS and without HL: dependents never stand in 2120, so 03 and QC begin a 2000D that lost its HL.
 * IL is ambiguous. It begins a new subscriber when DMG or INS follow, which 2120 does not have, or when the message has no HL at all and
 * the row does not describe another payer.
 */
function beginsPatient(walk: Walk, row: BenefitRow, code: string, index: number): boolean {
  if (walk.insideLoopHeader) return false
  if (dependentCodes.has(code)) return true
  if (code !== INSURED) return false
  if (!walk.hasHierarchy && row.code !== 'R') return true
  const { segments } = walk.transaction
  for (let next = index + 1; next < segments.length; next += 1) {
    const { id } = segments[next]!
    if (id === 'DMG' || id === 'INS') return true
    if (id === 'NM1' || id === 'EB' || id === 'HL' || id === 'LE') return false
  }
  return false
}

/** True for an NM1 that repeats the name and id of the person whose level it is in. */
function isNamedAgain(level: Level | undefined, segment: Segment): boolean {
  if (!isPerson(level) || !level.named || level.rows.length > 0) return false
  const { entityCode, lastName, firstName, id } = level.party
  const again = [1, 3, 4, 9].map((position) => elementOf(segment, position))
  return [entityCode, lastName, firstName, id].every((value, place) => value === again[place])
}

/** True when the level has no name yet and this NM1 can be its name: a person cannot name a payer or provider. */
function namesLevel(level: Level | undefined, code: string): boolean {
  if (level === undefined || level.named) return false
  return isPerson(level) || (code !== INSURED && !dependentCodes.has(code))
}

/** Begins the level that an NM1 without HL implies, if any. */
function beginNamedLevel(walk: Walk, code: string): void {
  if (code === INSURED) beginSubscriber(walk)
  else if (dependentCodes.has(code)) beginDependent(walk)
  else if (walk.level !== undefined && walk.level.kind !== '20') return
  else if (walk.source === undefined && !receiverCodes.has(code)) beginSource(walk)
  else if (receiverCodes.has(code) || !walk.hasHierarchy) beginReceiver(walk)
}

function takeBenefit(walk: Walk, segment: Segment): void {
  flushTraces(walk)
  if (!isPerson(walk.level)) {
    walk.warnings.push('EB before any subscriber')
    beginSubscriber(walk)
  }
  closeRow(walk)
  walk.row = readBenefitRow(segment, walk.transaction.delimiters)
  walk.level?.rows.push(walk.row)
}

function takeRejection(walk: Walk, segment: Segment): void {
  const { level, row } = walk
  const letter = loopLetters[level?.kind ?? '20']
  const inHeader = level === undefined || (level.kind === '20' && !level.named)
  const rejection = readRejection(segment, `${row !== undefined ? '2110' : inHeader ? '2000' : '2100'}${letter}`)
  walk.rejections.push(rejection)
  row?.rejections.push(rejection)
  if (level === undefined) walk.outside.rejections.push(rejection)
  else {
    level.rejections.push(rejection)
    if (row === undefined) level.party.rejections.push(rejection)
  }
}

/** A TRN opens 2000C and 2000D and does not occur in other loops: after an EB or a name it announces the next person. */
function takeTrace(walk: Walk, segment: Segment): void {
  closeRow(walk)
  const { level } = walk
  if (isPerson(level) && !level.named) level.party.traces.push(readTrace(segment))
  else walk.pendingTraces.push(readTrace(segment))
}

function takeOther(walk: Walk, segment: Segment): void {
  const { delimiters } = walk.transaction
  const { row, entity, level } = walk
  if (entity !== undefined) {
    const describesEntity =
      entityDetails.has(segment.id) || (walk.insideLoopHeader && ['REF', 'DTP'].includes(segment.id))
    if (describesEntity) {
      takeDetail(entity, segment, delimiters)
      return
    }
  }
  if (row !== undefined && (takeQualifier(row, segment) || !personDetails.has(segment.id))) return
  if (isText(segment)) {
    const stating = level ?? walk.outside
    stating.texts ??= readBenefitRow({ ...segment, elements: DESCRIPTION }, delimiters)
    takeQualifier(stating.texts, segment)
  } else if (level !== undefined) takeDetail(level.party, segment, delimiters)
}

const DESCRIPTION = ['EB', 'D', '', PLAN_SERVICE]

function isPerson(level: Level | undefined): level is Level {
  return level !== undefined && (level.kind === '22' || level.kind === '23')
}

function beginLevel(walk: Walk, kind: Level['kind']): Level {
  const level = emptyLevel(kind)
  if (isPerson(level)) {
    level.party.traces = walk.pendingTraces
    walk.pendingTraces = []
  }
  walk.level = level
  return level
}

function beginSource(walk: Walk): void {
  walk.source = beginLevel(walk, '20')
  walk.receiver = undefined
}

function beginReceiver(walk: Walk): void {
  walk.receiver = beginLevel(walk, '21')
}

function beginSubscriber(walk: Walk): void {
  const { source, receiver } = walk
  walk.families.push({ source, receiver, subscriber: beginLevel(walk, '22'), dependents: [] })
}

function beginDependent(walk: Walk): void {
  let family = walk.families.at(-1)
  if (family === undefined || family.receiver !== walk.receiver || family.source !== walk.source) {
    family = { source: walk.source, receiver: walk.receiver, subscriber: emptyLevel('22'), dependents: [] }
    walk.families.push(family)
  }
  family.dependents.push(beginLevel(walk, '23'))
}

function closeRow(walk: Walk): void {
  const { row, texts } = walk
  if (row !== undefined && row.messages.length > 0) {
    const { messages } = row
    const key = messages.length === 1 ? messages[0]! : messages.join(walk.transaction.delimiters.segment)
    const same = texts.get(key)
    if (same !== undefined) row.messages = same
    else texts.set(key, row.messages)
  }
  walk.row = undefined
  walk.entity = undefined
  walk.insideLoopHeader = false
}

/** Pending traces that no new person claimed belong to the open level's person. */
function flushTraces(walk: Walk): void {
  if (walk.pendingTraces.length === 0 || !isPerson(walk.level)) return
  for (const trace of walk.pendingTraces) walk.level.party.traces.push(trace)
  walk.pendingTraces = []
}
