import { readFunctionalAcknowledgement, readInterchangeAcknowledgement } from './acknowledgement.ts'
import { elementOf } from './elements.ts'
import type { Envelope, Segment, Transaction } from './model.ts'
import { type InterchangeHeader, isInterchangeHeader, tokenize } from './tokenizer.ts'

/** What was found in an input besides its transactions. */
export type EnvelopeFindings = Omit<Envelope, 'transactions'>

interface Walk {
  findings: EnvelopeFindings
  interchange: { header: InterchangeHeader; groups: number } | undefined
  group: { functionalId: string; controlNumber: string; transactions: number } | undefined
  transaction: Transaction | undefined
  /** The transaction that ended at its SE, until the next one or the end of the group. */
  ended: Transaction | undefined
}

/** GS01 by transaction set. Source: x12-271.md 1. */
const functionalIds = new Map([
  ['270', 'HS'],
  ['271', 'HB'],
  ['997', 'FA'],
  ['999', 'FA'],
])

/**
 * Reads a whole input: any number of interchanges, groups and transaction sets. Every fault of the envelope becomes a warning; nothing
 * throws and nothing is rejected. Input without a readable ISA yields no transactions and no acknowledgements. Source: x12-271.md 1.
 */
export function readEnvelope(text: string): Envelope {
  const findings: EnvelopeFindings = { warnings: [], acknowledgements: [] }
  const transactions = [...readTransactions(text, findings)]
  const { warnings, acknowledgements } = findings
  return { warnings, acknowledgements, transactions }
}

/**
 * Like `readEnvelope`, for batch files: yields each transaction as it ends, so that only one is held in memory. Warnings and
 * acknowledgements are added to `findings` along the way; `findings` is complete when the generator has finished.
 */
export function* readTransactions(
  text: string,
  findings: EnvelopeFindings = { warnings: [], acknowledgements: [] },
): Generator<Transaction> {
  const walk: Walk = { findings, interchange: undefined, group: undefined, transaction: undefined, ended: undefined }
  let last: Segment | undefined
  for (const segment of tokenize(text)) {
    last = segment
    const ended = advance(walk, segment)
    if (ended !== undefined) yield ended
  }
  const terminator = walk.interchange?.header.delimiters.segment
  if (last !== undefined && last.id !== 'IEA' && !endsWithTerminator(text, terminator)) {
    findings.warnings.push('input ends inside a segment')
  }
  const isCutOff = walk.transaction !== undefined
  const left = closeTransaction(walk)
  closeGroup(walk)
  closeInterchange(walk)
  if (left !== undefined) yield isCutOff ? { ...left, isCutOff } : left
}

function endsWithTerminator(text: string, terminator: string | undefined): boolean {
  if (terminator === '\n' || terminator === '\r') return /[\r\n]$/.test(text.slice(-1))
  return terminator !== undefined && text.trimEnd().endsWith(terminator)
}

/** Takes one segment in and returns the transaction that it ended, if any. */
function advance(walk: Walk, segment: Segment | InterchangeHeader): Transaction | undefined {
  switch (segment.id) {
    case 'ISA':
      return openInterchange(walk, segment)
    case 'TA1':
      walk.findings.acknowledgements.push(readInterchangeAcknowledgement(segment))
      return undefined
    case 'GS':
      return openGroup(walk, segment)
    case 'ST':
      return openTransaction(walk, segment)
    case 'SE':
      if (walk.transaction !== undefined) walk.ended = closeTransaction(walk, segment)
      return undefined
    case 'GE':
      return ended(closeTransaction(walk), () => closeGroup(walk, segment))
    case 'IEA':
      return ended(closeTransaction(walk), () => {
        closeGroup(walk)
        closeInterchange(walk, segment)
      })
    case 'BHT':
      // Every 270 and 271 begins with BHT: a BHT outside a transaction set means that the ST was lost.
      if (walk.transaction === undefined) return openTransaction(walk, undefined, segment)
  }
  if (walk.transaction === undefined) keepStray(walk, segment)
  else walk.transaction.segments.push(segment)
  return undefined
}

/** A rejection between SE and the next envelope segment counts. Nothing else there does, least of all an active row. */
function keepStray({ ended }: Walk, segment: Segment | InterchangeHeader): void {
  if (ended === undefined) return
  if (segment.id === 'AAA') ended.segments.push(segment)
  if (!ended.warnings.includes(AFTER_END)) ended.warnings.push(AFTER_END)
}

const AFTER_END = 'segments after SE'

function ended(transaction: Transaction | undefined, then: () => void): Transaction | undefined {
  then()
  return transaction
}

function openInterchange(walk: Walk, segment: Segment | InterchangeHeader): Transaction | undefined {
  if (!isInterchangeHeader(segment)) return undefined
  const previous = closeTransaction(walk)
  closeGroup(walk)
  closeInterchange(walk)
  walk.interchange = { header: segment, groups: 0 }
  walk.findings.warnings.push(...segment.warnings)
  return previous
}

function openGroup(walk: Walk, segment: Segment): Transaction | undefined {
  const previous = closeTransaction(walk)
  closeGroup(walk)
  walk.group = {
    functionalId: elementOf(segment, 1) ?? '',
    controlNumber: elementOf(segment, 6) ?? '',
    transactions: 0,
  }
  if (walk.interchange !== undefined) walk.interchange.groups += 1
  return previous
}

function openTransaction(walk: Walk, start: Segment | undefined, first = start): Transaction | undefined {
  const previous = closeTransaction(walk)
  const header = walk.interchange?.header
  if (header === undefined || first === undefined) return previous
  const { group, findings } = walk
  const setId = (start && elementOf(start, 1)) ?? (group?.functionalId === 'HS' ? '270' : '271')
  const functionalId = functionalIds.get(setId)
  if (group === undefined) findings.warnings.push('no GS')
  else if (functionalId !== undefined && functionalId !== group.functionalId) {
    findings.warnings.push(`GS01 is not ${functionalId} for a ${setId}`)
  }
  if (group !== undefined) group.transactions += 1
  walk.transaction = {
    setId,
    controlNumber: (start && elementOf(start, 2)) ?? '',
    segments: [first],
    delimiters: header.delimiters,
    version: header.version,
    warnings: start === undefined ? ['no ST'] : [],
  }
  return previous
}

/** Ends the open transaction at its SE, or without one when another segment shows that it has ended; else returns the one that ended before. */
function closeTransaction(walk: Walk, end?: Segment): Transaction | undefined {
  const { transaction, ended } = walk
  walk.transaction = undefined
  walk.ended = undefined
  if (transaction === undefined) return ended
  if (end === undefined) transaction.warnings.push('no SE')
  else {
    transaction.segments.push(end)
    const count = transaction.segments.length
    warnOfCount(transaction.warnings, 'SE01', elementOf(end, 1), count, 'segments')
    const controlNumber = elementOf(end, 2) ?? ''
    if (controlNumber !== transaction.controlNumber) {
      transaction.warnings.push(`SE02 ${printable(controlNumber)} != ST02 ${printable(transaction.controlNumber)}`)
    }
  }
  if (transaction.setId === '999' || transaction.setId === '997') {
    walk.findings.acknowledgements.push(readFunctionalAcknowledgement(transaction))
  }
  return transaction
}

function closeGroup(walk: Walk, end?: Segment): void {
  const { group, findings } = walk
  walk.group = undefined
  if (group === undefined) {
    if (end !== undefined) findings.warnings.push('GE without GS')
    return
  }
  if (end === undefined) findings.warnings.push('no GE')
  else {
    warnOfCount(findings.warnings, 'GE01', elementOf(end, 1), group.transactions, 'transactions')
    warnOfControlNumber(findings.warnings, ['GE02', elementOf(end, 2)], ['GS06', group.controlNumber])
  }
}

function closeInterchange(walk: Walk, end?: Segment): void {
  const { interchange, findings } = walk
  walk.interchange = undefined
  if (interchange === undefined) return
  if (end === undefined) findings.warnings.push('no IEA')
  else {
    warnOfCount(findings.warnings, 'IEA01', elementOf(end, 1), interchange.groups, 'groups')
    warnOfControlNumber(findings.warnings, ['IEA02', elementOf(end, 2)], ['ISA13', elementOf(interchange.header, 13)])
  }
}

function warnOfCount(
  warnings: string[],
  name: string,
  stated: string | undefined,
  counted: number,
  what: string,
): void {
  if (Number(stated) !== counted) warnings.push(`${name}=${printable(stated)} but ${counted} ${what}`)
}

/** ISA13 is padded with zeros and the echoed number often is not, so the numbers are compared by value. */
function warnOfControlNumber(warnings: string[], trailer: NamedValue, header: NamedValue): void {
  const [a, b] = [trailer[1] ?? '', header[1] ?? '']
  if (a !== b && (a === '' || Number(a) !== Number(b))) {
    warnings.push(`${trailer[0]} ${printable(a)} != ${header[0]} ${printable(b)}`)
  }
}

type NamedValue = [name: string, value: string | undefined]

/** A control number or a count in a form that is safe in a warning; a longer value could be misplaced patient data. */
function printable(value: string | undefined): string {
  if (value === undefined || value === '') return '(none)'
  return /^[0-9]{1,9}$/.test(value) ? value : '(not a number)'
}
