import { readEnvelope } from '../../x12/envelope.ts'
import { readInquiries } from '../../x12/inquiry-reader.ts'
import { writeInterchange } from '../../x12/interchange-writer.ts'
import type { Inquiry, InterchangeAddress } from '../../x12/model.ts'
import { tokenize } from '../../x12/tokenizer.ts'
import { answerInquiry, writeAnswer } from './answer-inquiry.ts'
import { findPayer } from './find-member.ts'
import type { Roster, RosterAnswer } from './roster.ts'

type InterchangeOutcome =
  | { kind: 'not-a-270' }
  | { kind: 'unknown-payer' }
  /** `behavior` is that of the first patient who has one. */
  | { kind: 'answered'; text: string; behavior: RosterAnswer; patients: number }

/** Answers every inquiry of an interchange in a separate transaction, in the order of the inquiries. */
export function answerInterchange(roster: Roster, payload: string, at: Date): InterchangeOutcome {
  const transactions = readEnvelope(payload).transactions.filter(({ setId }) => setId === '270')
  const inquiries = transactions.flatMap(readInquiries)
  if (inquiries.length === 0) return { kind: 'not-a-270' }
  let behavior: RosterAnswer | undefined
  const answers = []
  for (const inquiry of inquiries) {
    const payer = findPayer(roster, inquiry.payer.id)
    if (!payer) return { kind: 'unknown-payer' }
    const { finding, segments } = answerInquiry(roster, payer, inquiry, at)
    behavior ??= finding.member?.answer
    const isMixedUp = finding.member?.answer?.instead === 'another-patient'
    answers.push(isMixedUp ? writeAnotherPatient(roster, inquiry, at) : segments)
  }
  const text = writeInterchange({ address: returnAddress(payload, at), functionalId: 'HB', transactions: answers })
  return { kind: 'answered', text, behavior: behavior ?? {}, patients: inquiries.length }
}

/** A well-formed 271 for a different inquiry: neither the traces nor the patient match the sender's. */
function writeAnotherPatient(roster: Roster, inquiry: Inquiry, at: Date) {
  const member = roster.members.find(({ answer }) => answer === undefined)
  const payer = roster.payers.find(({ id }) => id === member?.payer)
  if (!member || !payer) throw new Error('the roster has no member to mix the patient up with')
  const otherInquiry = { reference: 'ANOTHER', traceNumber: 'ANOTHER', dependent: undefined }
  return writeAnswer(roster, payer, { ...inquiry, ...otherInquiry }, { kind: 'found', member }, at)
}

/** The sender's ISA and GS ids, swapped. */
function returnAddress(payload: string, at: Date): InterchangeAddress {
  const segments = tokenize(payload)
  const isa = segments.next().value?.elements ?? []
  const gs = segments.next().value?.elements ?? []
  const controlNumber = Number(isa[13])
  return {
    senderQualifier: clip(isa[7], 2) || 'ZZ',
    senderId: clip(isa[8], 15),
    receiverQualifier: clip(isa[5], 2) || 'ZZ',
    receiverId: clip(isa[6], 15),
    applicationSender: clip(gs[3], 15),
    applicationReceiver: clip(gs[2], 15),
    usage: isa[15]?.trim() === 'P' ? 'P' : 'T',
    controlNumber: Number.isInteger(controlNumber) && controlNumber > 0 && controlNumber < 1e9 ? controlNumber : 1,
    at,
  }
}

function clip(value: string | undefined, width: number): string {
  return (value ?? '').trim().slice(0, width)
}
