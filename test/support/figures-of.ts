import type { CoverageValue, ParsedResponse } from '../../src/eligibility/answers/wire.ts'

export interface Figure {
  /** `plan`, or a service type code. */
  service: string
  network: 'in' | 'out'
  slot: string
  level: keyof CoverageValue
  value: number
}

/** Every figure of the structured summary. */
export function figuresOf({ benefits }: Pick<ParsedResponse, 'benefits'>): Figure[] {
  const services = (benefits?.service_specific_coverage ?? []).map((each) => [each.service_code, each] as const)
  return [['plan', benefits?.plan_coverage] as const, ...services].flatMap(([service, coverage]) =>
    (['in', 'out'] as const).flatMap((network) => {
      const details = network === 'in' ? coverage?.in_network : coverage?.out_of_network
      return Object.entries(details ?? {}).flatMap(([slot, levels]) =>
        Object.entries(levels as CoverageValue).map(([level, value]) => {
          return { service, network, slot, level: level as keyof CoverageValue, value: Number(value) }
        }),
      )
    }),
  )
}
