// Rich answers as payers write them, each with a truth that was written before the program read it (test/truth/rich): status, readiness issues, figures,
// notes and other payers, through every door and in the printed table.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CheckOutcome } from '../../src/eligibility/answers/outcome.ts'
import type {
  CoverageDetails,
  CoverageValue,
  PlanCoverage,
  ServiceCoverage,
} from '../../src/eligibility/answers/wire.ts'
import type { CheckRequest } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { printBenefits } from '../../src/eligibility/printing/print-benefits.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { DOORS, type Door, throughDoor } from '../support/answer-doors.ts'
import { interchangeOf } from '../support/answers.ts'
import { printedFigure } from '../support/printed-figure.ts'

const folder = join(packageRoot, 'test', 'truth', 'rich')
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.271') ? [file.replace('.271', '')] : []))
const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split('\n')

/** The payer's first segment is written with its level; the clinic is the same in all. */
function textOf(name: string): string {
  const [payer = '', ...segments] = linesOf(`${name}.271`)
  const clinic = ['HL*2*1*21*1', 'NM1*1P*2*HARBOR CLINIC*****XX*1999999984']
  return interchangeOf(`${['HL*1**20*1', payer, ...clinic, ...segments].join('~')}~`)
}

function requestOf(name: string): CheckRequest {
  const segments = linesOf(`${name}.271`).map((segment) => segment.split('*'))
  const subscriber = segments.find(([id, code]) => id === 'NM1' && code === 'IL') ?? []
  const payer = segments[0] ?? []
  const words = (first: string) =>
    linesOf(`${name}.truth`)
      .find((line) => line.startsWith(`${first} `))
      ?.split(' ')
      .slice(1)
  const [firstName, lastName, dateOfBirth] = words('dependent') ?? []
  return {
    payerId: payer[9] ?? 'P1',
    provider: { npi: '1999999984' },
    subscriber: { memberId: subscriber[9] ?? '', firstName: 'Iris', lastName: 'Marlowe' },
    ...(firstName && lastName && dateOfBirth && { dependent: { firstName, lastName, dateOfBirth } }),
    dateOfService: '2026-03-09',
    serviceTypeCodes: words('services') ?? ['30'],
  }
}

const outcomes = new Map<string, Promise<CheckOutcome>>()

function outcomeOf(name: string, door: Door): Promise<CheckOutcome> {
  const key = `${name} ${door}`
  const outcome = outcomes.get(key) ?? throughDoor(door, textOf(name), requestOf(name))
  outcomes.set(key, outcome)
  return outcome
}

/** Lines that `requestOf` reads: they say what was asked, and not what the answer means. */
const ABOUT_INQUIRY = /^(?:dependent|services) /

/** Lines about what a form has no field for end in `!door`. decisions/0096-what-the-forms-of-an-answer-cannot-say.md */
const truthOf = (name: string, door: Door) =>
  linesOf(`${name}.truth`).flatMap((line) => {
    const [text = '', ...without] = line.split(' !')
    return without.includes(door) ? [] : [text]
  })

describe.each(names.flatMap((name) => DOORS.map((door) => [name, door] as const)))('%s through %s', (name, door) => {
  test.each(truthOf(name, door).filter((line) => !ABOUT_INQUIRY.test(line)))('%s', async (line) => {
    const outcome = await outcomeOf(name, door)
    const [first = '', ...words] = line.split(' ')
    await (CHECKS[first] ?? hasFigure)(outcome, words, first)
  })

  test('has no other figure', async () => {
    const { parsedResponse } = await outcomeOf(name, door)
    const figures = [
      parsedResponse?.benefits?.plan_coverage,
      ...(parsedResponse?.benefits?.service_specific_coverage ?? []),
    ].flatMap((coverage) => [...(coverage?.in_network_flat ?? []), ...(coverage?.out_of_network_flat ?? [])])
    const known = new Set(
      truthOf(name, door)
        .filter((line) => !/^(?:slot|none) /.test(line))
        .map((line) => line.split(' ').slice(2, 5).join(' ')),
    )
    const found = figures.map(({ coverageLevel, type, value }) => `${coverageLevel} ${type} ${value}`)
    expect(found.filter((figure) => !known.has(figure))).toEqual([])
  })
})

type Check = (outcome: CheckOutcome, words: string[], first: string) => void

const CHECKS: Readonly<Record<string, Check>> = {
  status: ({ parsedResponse }, [status]) => expect(parsedResponse?.eligibility_status).toBe(status),
  obstacles: ({ readinessIssues = [] }, kinds) =>
    expect([...new Set(readinessIssues.map(({ kind }) => kind))].sort(), JSON.stringify(readinessIssues)).toEqual(
      kinds.sort(),
    ),
  cents: ({ recommendations = [] }, [cents]) => {
    const estimate = recommendations.find(({ type }) => type === 'COPAY_ESTIMATION')
    const { structured_response } = (estimate?.payload ?? {}) as { structured_response?: number }
    expect(structured_response).toBe(cents === 'none' ? undefined : Number(cents))
  },
  conversion: ({ recommendations = [] }, [type, ...payer]) => {
    const found = recommendations.filter((each) => each.type === type).map(({ payload }) => payload)
    expect(found).toEqual([expect.objectContaining({ payer_name: payer.join(' ') })])
  },
  recommends: ({ recommendations = [] }, [type]) => expect(recommendations.map((each) => each.type)).toContain(type),
  'plan-name': ({ parsedResponse }, words) => expect(parsedResponse?.plan_metadata?.plan_name).toBe(words.join(' ')),
  group: ({ parsedResponse }, [number]) => expect(parsedResponse?.plan_metadata?.group_number).toBe(number),
  entity: ({ parsedResponse }, words) =>
    expect(JSON.stringify(parsedResponse?.benefits?.benefits_related_entities)).toContain(words.join(' ')),
  note: ({ parsedResponse }, words) => expect(parsedResponse?.benefits?.notes).toContain(words.join(' ')),
  said: ({ parsedResponse }, words) => {
    expect(JSON.stringify(parsedResponse?.benefits)).toContain(words.join(' '))
    expect(printed(parsedResponse)).toContain(words.join(' ').toLowerCase())
  },
  uncovered: ({ parsedResponse }, [service]) =>
    expect(parsedResponse?.benefits?.non_covered_details?.flatMap((each) => each.service_type_codes ?? [])).toContain(
      service,
    ),
  slot: ({ parsedResponse }, [service = '', network, slot, level, value]) =>
    expect(slotOf(parsedResponse, service, network, slot)?.[level as keyof CoverageValue]).toBe(Number(value)),
  none: ({ parsedResponse }, [service = '', network, slot, level]) => {
    const value = slotOf(parsedResponse, service, network, slot)
    expect(level === undefined ? value : value?.[level as keyof CoverageValue]).toBeUndefined()
  },
}

const printed = (parsed: CheckOutcome['parsedResponse']) =>
  printBenefits({ parsed_response: parsed }).replaceAll(/\s+/g, ' ').toLowerCase()

function coverageOf(
  parsed: CheckOutcome['parsedResponse'],
  service: string,
): PlanCoverage | ServiceCoverage | undefined {
  const { plan_coverage: plan, service_specific_coverage: services = [] } = parsed?.benefits ?? {}
  return service === 'plan' ? plan : services.find(({ service_code }) => service_code === service)
}

function slotOf(parsed: CheckOutcome['parsedResponse'], service: string, network = '', slot = '') {
  const details = coverageOf(parsed, service)?.[network === 'in' ? 'in_network' : 'out_of_network']
  return (details as Record<string, CoverageValue> | undefined)?.[slot]
}

const hasFigure: Check = ({ parsedResponse }, [network = '', level, type, value, ...noted], service) => {
  const fits = (entry: CoverageDetails) =>
    entry.type === type &&
    entry.coverageLevel === level &&
    entry.value === Number(value) &&
    (entry.additional_notes ?? '').includes(noted.join(' '))
  const { in_network_flat = [], out_of_network_flat = [] } = coverageOf(parsedResponse, service) ?? {}
  expect(in_network_flat.some(fits), `in network: ${JSON.stringify(in_network_flat)}`).toBe(network !== 'out')
  if (network !== 'in') expect(out_of_network_flat.some(fits), 'out of network').toBe(true)
  expect(printed(parsedResponse)).toMatch(printedFigure(type, value))
  expect(printed(parsedResponse)).toContain(noted.join(' ').toLowerCase())
}
