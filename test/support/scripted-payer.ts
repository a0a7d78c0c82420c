// Payers that behave as a test specifies; inquiries are recognized and counted by member id.
import { type Clearinghouse, ClearinghouseError } from '../../src/clearinghouses/clearinghouse.ts'
import type { Clearinghouses } from '../../src/clearinghouses/clearinghouses.ts'
import type { JsonObject } from '../../src/clearinghouses/json-values.ts'
import type { Inquiry } from '../../src/x12/model.ts'
import { answerText } from './answers.ts'
import { type Gate, newGate } from './gate.ts'
import { singleConnection } from './single-connection.ts'

type Answer = string | ClearinghouseError | ((inquiry: Inquiry) => Promise<string> | string)

export interface ScriptedPayer {
  clearinghouses: Clearinghouses
  /** The answer for a member: EB rows (or AAA) of an X12 271, a failure, or a promise of one. */
  answers: Map<string, Answer>
  /** The names in its answers from now on, instead of the inquiry's. */
  renames: { firstName?: string; lastName?: string }
  /** What a search for coverages finds, in the form of Stedi. */
  discovered: JsonObject[]
  /** Every inquiry, oldest first. */
  inquiries: Inquiry[]
  /** The number of inquiries for a member. */
  countFor(memberId: string): number
  /** Answers for a member only once the returned gate is opened. */
  holdBack(memberId: string, answer: string): Gate
  /** Runs `act` once, while the first inquiry about a member is open; every inquiry is answered ACTIVE. */
  meanwhile(memberId: string, act: () => Promise<unknown>): void
}

export const ACTIVE = 'EB*1**30**TEST PLAN~'
export const INACTIVE = 'EB*6**30~'
/** Subscriber not found: the registrar must correct the data. */
export const NOT_FOUND = 'AAA*N**75*C~'
/** Unable to respond at the current time. */
export const DOWN = 'AAA*Y**42*R~'

/** A payer that answers ACTIVE for every member unless `answers` says otherwise. */
export function scriptedPayer(): ScriptedPayer {
  const answers: ScriptedPayer['answers'] = new Map()
  const inquiries: Inquiry[] = []
  const clearinghouse: Clearinghouse = {
    name: 'scripted',
    async checkEligibility(inquiry) {
      inquiries.push(inquiry)
      const answer = answers.get(inquiry.subscriber.memberId ?? '') ?? ACTIVE
      if (answer instanceof ClearinghouseError) throw answer
      const rows = typeof answer === 'string' ? answer : await answer(inquiry)
      return { rawInquiry: 'asked', rawResponse: answerText(rows, memberOf(inquiry, payer.renames)) }
    },
    discoverInsurance: async () => ({ status: 'COMPLETE', items: payer.discovered }),
  }
  const payer: ScriptedPayer = {
    clearinghouses: singleConnection({
      name: 'scripted',
      clearinghouse,
      retryForMs: 60_000,
      breakAfter: Number.POSITIVE_INFINITY,
    }),
    answers,
    renames: {},
    discovered: [],
    inquiries,
    countFor: (memberId) => inquiries.filter(({ subscriber }) => subscriber.memberId === memberId).length,
    holdBack(memberId, answer) {
      const gate = newGate()
      answers.set(memberId, async () => {
        await gate.opened
        return answer
      })
      return gate
    },
    meanwhile(memberId, act) {
      let acted: Promise<unknown> | undefined
      answers.set(memberId, async () => {
        if (!acted) {
          acted = act()
          await acted
        }
        return ACTIVE
      })
    },
  }
  return payer
}

function memberOf({ traceNumber, subscriber }: Inquiry, renames: ScriptedPayer['renames']): string {
  const { firstName, lastName, memberId } = { ...subscriber, ...renames }
  return `HL*3*2*22*0~TRN*2*${traceNumber}*9ANTEROOM1~NM1*IL*1*${lastName}*${firstName}****MI*${memberId}~`
}
