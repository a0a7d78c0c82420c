// Every figure of rich answers compared with hand-written expectations (test/truth), in the parsed response and in the printed table.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodePatient } from '../../src/eligibility/answers/decode.ts'
import type {
  CoverageDetails,
  CoverageValue,
  PlanCoverage,
  ServiceCoverage,
} from '../../src/eligibility/answers/wire.ts'
import { printBenefits } from '../../src/eligibility/printing/print-benefits.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { answerAbout } from '../support/answers.ts'
import { printedFigure } from '../support/printed-figure.ts'

const folder = join(packageRoot, 'test', 'truth')
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.rows') ? [file.replace('.rows', '')] : []))
const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').trim().split('\n')

describe.each(names)('%s', (name) => {
  const patient = answerAbout(`${linesOf(`${name}.rows`).join('~')}~`)
  const parsed = decodePatient(patient)
  const printed = printBenefits({ parsed_response: parsed }).replaceAll(/\s+/g, ' ')
  const truth = linesOf(`${name}.truth`)

  const coverageOf = (service: string): PlanCoverage | ServiceCoverage | undefined =>
    service === 'plan'
      ? parsed.benefits?.plan_coverage
      : parsed.benefits?.service_specific_coverage?.find(({ service_code }) => service_code === service)

  const slotOf = (service: string, network: string, slot: string): CoverageValue | undefined => {
    const details = coverageOf(service)?.[network === 'in' ? 'in_network' : 'out_of_network']
    return (details as Record<string, CoverageValue> | undefined)?.[slot]
  }

  test.each(truth)('%s', (line) => {
    const [first = '', ...words] = line.split(' ')
    if (first === 'slot') {
      const [service = '', network = '', slot = '', level = '', value] = words
      expect(slotOf(service, network, slot)?.[level as keyof CoverageValue]).toBe(Number(value))
      return
    }
    if (first === 'none') {
      const [service = '', network = '', slot = '', level] = words
      const value = slotOf(service, network, slot)
      expect(level === undefined ? value : value?.[level as keyof CoverageValue]).toBeUndefined()
      return
    }
    const [network = '', level, type, value, ...noted] = words
    const fits = (entry: CoverageDetails) =>
      entry.type === type &&
      entry.coverageLevel === level &&
      entry.value === Number(value) &&
      (entry.additional_notes ?? '').includes(noted.join(' '))
    const coverage = coverageOf(first)
    expect(coverage?.in_network_flat?.some(fits) ?? false, 'in network').toBe(network !== 'out')
    if (network !== 'in') expect(coverage?.out_of_network_flat?.some(fits), 'out of network').toBe(true)
    expect(printed).toMatch(printedFigure(type, value))
    expect(printed.toLowerCase()).toContain(noted.join(' ').toLowerCase())
  })

  test('contains no other figure', () => {
    const figures = [parsed.benefits?.plan_coverage, ...(parsed.benefits?.service_specific_coverage ?? [])].flatMap(
      (coverage) => [...(coverage?.in_network_flat ?? []), ...(coverage?.out_of_network_flat ?? [])],
    )
    const known = new Set(
      truth.filter((line) => !/^(slot|none) /.test(line)).map((line) => line.split(' ').slice(2, 5).join(' ')),
    )
    const found = figures.map(({ coverageLevel, type, value }) => `${coverageLevel} ${type} ${value}`)
    expect(found.filter((figure) => !known.has(figure))).toEqual([])
  })
})
