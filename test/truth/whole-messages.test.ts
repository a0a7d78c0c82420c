// Whole messages as payers write them, each with a truth that was written before the program read it (test/truth/messages.jsonl).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/clearinghouses/json-values.ts'
import type { CheckMember } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { DOORS, type Door, throughDoor, throughForm } from '../support/answer-doors.ts'
import { interchangeOf, SUBSCRIBER } from '../support/answers.ts'
import { figuresOf } from '../support/figures-of.ts'

interface Whole {
  /** EB loops of a payer, or the levels of the people, or all of the message. */
  payer?: string
  rows?: string
  levels?: string
  message?: string
  /** An answer in the JSON of a clearinghouse, in place of X12. */
  form?: Exclude<Door, 'x12'>
  json?: JsonObject
  subscriber?: CheckMember
  dependent?: CheckMember
  services?: string[]
  status: string
  obstacles?: string[]
  says?: string[]
  lacks?: string[]
  cents?: number | null
  /** The name of the plan. */
  plan?: string
  /** `98 in copay individual`: the figure, or null for none. */
  slots?: Record<string, number | null>
  /** All slots that are filled, in the same form: no other is. */
  figures?: Record<string, number>
  errors?: string[]
  corrections?: string[]
  /** The type of the recommendation that another plan pays instead. */
  conversion?: string
  /** Doors whose form cannot say it. decisions/0096-what-the-forms-of-an-answer-cannot-say.md */
  not?: Door[]
}

const IRIS = { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' }
const lines = readFileSync(join(packageRoot, 'test', 'truth', 'messages.jsonl'), 'utf8')
  .trim()
  .split('\n')

function textOf({ payer = 'NORTHWIND HEALTH', rows, levels, message }: Whole): string {
  const source = `HL*1**20*1~NM1*PR*2*${payer}*****PI*P1~HL*2*1*21*1~NM1*1P*2*HARBOR CLINIC*****XX*1999999984~`
  return message ?? interchangeOf(source + (levels ?? SUBSCRIBER + rows))
}

/** What a payer or a clearinghouse sends as such has one form; what it says has four. */
function doorsOf({ message, form, not = [] }: Whole): readonly Door[] {
  if (form !== undefined) return [form]
  return message === undefined ? DOORS.filter((door) => !not.includes(door)) : ['x12']
}

test.each(lines)('%s', async (line) => {
  const truth = JSON.parse(line) as Whole
  for (const door of doorsOf(truth)) await holds(truth, door)
})

async function holds(truth: Whole, door: Door): Promise<void> {
  const request = {
    payerId: 'P1',
    provider: { npi: '1999999984' },
    subscriber: truth.subscriber ?? IRIS,
    ...(truth.dependent && { dependent: truth.dependent }),
    dateOfService: '2026-03-09',
    serviceTypeCodes: truth.services ?? ['30'],
  }
  const { form, json } = truth
  const outcome =
    form && json ? await throughForm(form, json, request) : await throughDoor(door, textOf(truth), request)
  const { parsedResponse, readinessIssues = [], errors, requestCorrections = [], recommendations = [] } = outcome
  expect(parsedResponse?.eligibility_status ?? 'UNKNOWN', door).toBe(truth.status)
  const kinds = [...new Set(readinessIssues.map(({ kind }) => kind))]
  if (truth.obstacles) expect(kinds, door).toEqual(truth.obstacles)
  const shown = JSON.stringify([parsedResponse ?? {}, errors])
  for (const words of truth.says ?? []) expect(shown).toContain(words)
  for (const words of truth.lacks ?? []) expect(shown).not.toContain(words)
  const codes = errors.map(({ errorDetails }) => errorDetails['code?'])
  for (const code of truth.errors ?? []) expect(codes).toContain(code)
  if (truth.corrections) expect(requestCorrections.map(({ property }) => property)).toEqual(truth.corrections)
  const { plan_coverage: plan, service_specific_coverage: services = [] } = parsedResponse?.benefits ?? {}
  for (const [place, figure] of Object.entries(truth.slots ?? {})) {
    const [service = '', network = '', slot = '', level = ''] = place.split(' ')
    const coverage = service === 'plan' ? plan : services.find(({ service_code }) => service_code === service)
    const details = coverage?.[network === 'in' ? 'in_network' : 'out_of_network'] as
      | Record<string, Record<string, number>>
      | undefined
    expect(details?.[slot]?.[level] ?? null, place).toBe(figure)
  }
  if (truth.figures) {
    const filled = figuresOf(parsedResponse ?? {}).map(({ service, network, slot, level, value }) => [
      [service, network, slot, level].join(' '),
      value,
    ])
    expect(Object.fromEntries(filled), door).toEqual(truth.figures)
  }
  if (truth.plan) expect(parsedResponse?.plan_metadata?.plan_name, door).toBe(truth.plan)
  if (truth.conversion)
    expect(
      recommendations.map(({ type }) => type),
      door,
    ).toContain(truth.conversion)
  if (truth.cents === undefined) return
  const estimate = recommendations.find(({ type }) => type === 'COPAY_ESTIMATION')
  expect((estimate?.payload as { structured_response?: number } | undefined)?.structured_response ?? null).toBe(
    truth.cents,
  )
}
