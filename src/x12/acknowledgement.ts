import { interchangeNotes } from './codes/interchange-notes.ts'
import { elementOf } from './elements.ts'
import type { Envelope, Segment, Transaction } from './model.ts'

type Acknowledgement = Envelope['acknowledgements'][number]

/** A TA1: the receiver's verdict on an interchange. Accepted unless TA104 is R. Source: 005010X231A1 TA1. */
export function readInterchangeAcknowledgement(segment: Segment): Acknowledgement {
  const accepted = elementOf(segment, 4)?.toUpperCase() !== 'R'
  const note = elementOf(segment, 5)
  const reason = note === undefined ? '' : `: ${interchangeNotes[note] ?? 'unknown note code'}`
  return {
    kind: 'TA1',
    accepted,
    codes: note === undefined ? [] : [note],
    description: `interchange ${accepted ? 'accepted' : 'rejected'}${reason}`,
  }
}

/**
 * A 999 (or the older 997): the receiver's verdict on our transaction sets. `codes` are the error codes of IK3, IK4, IK5 and AK9 in file
 * order; the description names the segments and elements they refer to. IK404, a copy of the bad data, is left out because it may be
 * patient data. Source: 005010X231A1 2100, 2110, IK5, AK9.
 */
export function readFunctionalAcknowledgement(transaction: Transaction): Acknowledgement {
  const codes: string[] = []
  const places: string[] = []
  const verdicts: string[] = []
  let groupVerdict: string | undefined
  for (const segment of transaction.segments) {
    switch (segment.id) {
      case 'IK3':
      case 'AK3':
        places.push(`segment ${elementOf(segment, 1) ?? '?'} at position ${elementOf(segment, 2) ?? '?'}`)
        codes.push(...elementsFrom(segment, 4, 4))
        break
      case 'IK4':
      case 'AK4':
        places.push(`element ${elementOf(segment, 1) ?? '?'}`)
        codes.push(...elementsFrom(segment, 3, 3))
        break
      case 'IK5':
      case 'AK5':
        verdicts.push(elementOf(segment, 1) ?? '')
        codes.push(...elementsFrom(segment, 2, 6))
        break
      case 'AK9':
        groupVerdict = elementOf(segment, 1) ?? ''
        codes.push(...elementsFrom(segment, 5, 9))
    }
  }
  if (verdicts.length === 0) verdicts.push(groupVerdict ?? '')
  const accepted = verdicts.every((verdict) => verdict === 'A' || verdict === 'E')
  const where = places.length === 0 ? '' : `: ${places.join(', ')}`
  return { kind: '999', accepted, codes, description: `transaction ${accepted ? 'accepted' : 'rejected'}${where}` }
}

function elementsFrom(segment: Segment, first: number, last: number): string[] {
  const values: string[] = []
  for (let position = first; position <= last; position += 1) {
    const value = elementOf(segment, position)
    if (value !== undefined) values.push(value)
  }
  return values
}
