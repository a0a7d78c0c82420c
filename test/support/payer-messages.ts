// Messages as payers write them, each read through every connector's form and compared with a truth that was written by hand.
import { describe, expect, test } from 'vitest'
import { readCoverage } from '../../src/clearinghouses/availity/read-coverage.ts'
import { writeCoverage } from '../../src/clearinghouses/availity/write-coverage.ts'
import { readEligibility } from '../../src/clearinghouses/stedi/read-eligibility.ts'
import { readPlans } from '../../src/clearinghouses/stedi/read-plans.ts'
import type { CheckOutcome } from '../../src/eligibility/answers/outcome.ts'
import { stediResponse } from '../../src/eligibility/answers/stedi-form/stedi-response.ts'
import { runCheck } from '../../src/eligibility/inquiries/run-check.ts'
import { writePlans } from '../../src/tools/sandbox/stedi/write-plans.ts'
import type { Response } from '../../src/x12/model.ts'
import { answerText, readAnswer, SUBSCRIBER } from './answers.ts'

export interface Truth {
  /** Default: ACTIVE. */
  status?: 'ACTIVE' | 'INACTIVE' | 'UNKNOWN'
  /** Why a visit is not READY; absent: nothing. */
  obstacles?: string[]
  /** Words that the notes contain, and words that they do not. */
  says?: string
  lacks?: string
  /** Of the estimated copay; null: none is estimated. */
  cents?: number | null
  services?: string[]
  day?: string
  /** Availity's form has one pair of dates for each plan, and no plans of one insurance type. */
  isBeyondAvaility?: boolean
}

/** NM103 of the payer, the segments after the subscriber, the truth. */
export type Message = [payer: string, rows: string, truth: Truth]

/** A name of a loop 2120. */
export const through = (code: string, name: string) => `LS*2120~NM1*${code}*2*${name}~LE*2120~`

const DAY = '2026-03-09'
const AVAILITY = 'Availity'

interface Given {
  rawResponse: string
  responses?: Response[]
  json?: unknown
}

const given = (json: Record<string, unknown>, read: (json: Record<string, unknown>) => Response): Given => {
  const { x12: _, ...alone } = JSON.parse(JSON.stringify(json)) as Record<string, unknown>
  return { rawResponse: JSON.stringify(alone), responses: [read(alone)], json: alone }
}

const DOORS: Record<string, (text: string, truth: Truth) => Given> = {
  X12: (text) => ({ rawResponse: text }),
  "Stedi's JSON of 2024-04-01": (text) => {
    const response = readAnswer(text)
    const shown = stediResponse(response, response.patients[0]!, { raw: text, id: 'c1' })
    return given({ ...shown }, readEligibility)
  },
  "Stedi's JSON of 2026-06-01": (text) => {
    const response = readAnswer(text)
    const ids = { raw: text, id: 'c1', eligibilitySearchId: 's1' }
    return given(writePlans(response, response.patients[0]!, ids), readPlans)
  },
  [AVAILITY]: (text, { day = DAY, services = ['30'] }) => {
    const frame = { id: 'c1', createdAt: new Date(0), payerId: 'P1', dateOfService: day, serviceTypeCodes: services }
    const coverage = writeCoverage(readAnswer(text).patients[0]!, frame)
    return given(coverage, (json) => readCoverage(json, { reference: 'TRACE-1' }))
  },
}

/** The outcome of a check about Iris Marlowe. */
export function checkAnswer(answer: Given, { services = ['30'], day = DAY }: Truth): Promise<CheckOutcome> {
  const subscriber = { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' }
  return runCheck(
    { name: 'test', checkEligibility: async () => answer as never },
    { payerId: 'P1', provider: { npi: '1999999984' }, subscriber, dateOfService: day, serviceTypeCodes: services },
    { organizationId: 'o1', checkId: 'TRACE-1', controlNumber: 1, at: new Date(0) },
  )
}

/** Declares one test for each message and form. */
export function testMessages(
  messages: Record<string, Message[]>,
  { forms = Object.keys(DOORS) }: { forms?: string[] } = {},
) {
  describe.each(forms)('through %s', (door) => {
    const carries = ([, , truth]: Message) => door !== AVAILITY || !truth.isBeyondAvaility
    const carried = Object.entries(messages).map(([name, all]) => [name, all.filter(carries)] as const)
    describe.each(carried.filter(([, all]) => all.length > 0))('%s', (_, all) => {
      test.each(all)('%s: %s', async (payer, rows, truth) => {
        const text = answerText(rows, SUBSCRIBER).replace('NORTHWIND HEALTH*****PI*NWH01', `${payer}*****PI*P1`)
        const {
          parsedResponse,
          readinessIssues = [],
          recommendations = [],
        } = await checkAnswer(DOORS[door]!(text, truth), truth)
        expect(parsedResponse?.eligibility_status).toBe(truth.status ?? 'ACTIVE')
        expect([...new Set(readinessIssues.map(({ kind }) => kind))]).toEqual(truth.obstacles ?? [])
        expect(parsedResponse?.benefits?.notes ?? '').toContain(truth.says ?? '')
        if (truth.lacks) expect(parsedResponse?.benefits?.notes ?? '').not.toContain(truth.lacks)
        if (truth.cents === undefined) return
        const estimate = recommendations.find(({ type }) => type === 'COPAY_ESTIMATION')
        expect((estimate?.payload as { structured_response?: number } | undefined)?.structured_response ?? null).toBe(
          truth.cents,
        )
      })
    })
  })
}

/** The forms that carry every part of an X12 answer. */
export const LOSSLESS = Object.keys(DOORS).filter((door) => door !== AVAILITY)
