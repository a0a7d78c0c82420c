import { expect, it } from 'vitest'
import { testService } from '../../test/support/service.ts'
import { records } from '../main/resources.ts'

const service = testService()

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

it('a page of a change feed is read from the feed alone, and records only for the page, whatever the planner expects', async () => {
  const { organizationId } = await service.newCaller()
  for (const { name, statements } of records) {
    const text = statements.scan.text.replaceAll('$1', `'${organizationId}'::uuid`)
    const given = text
      .replace('$2', `'2020-01-01'`)
      .replace('$3', '100')
      .replace('$4', `'00000000-0000-0000-0000-000000000000'`)
    const [json = '[]'] = (await service.database.row(`explain (format json) ${given}`)) ?? []
    const [{ Plan: plan }] = JSON.parse(json) as [{ Plan: Plan }]
    const limits = nodesOf(plan).filter((node) => node['Node Type'] === 'Limit')
    expect(limits, name).toHaveLength(1)
    const read = limits.flatMap(nodesOf).flatMap((node) => node['Relation Name'] ?? [])
    expect(read, name).toEqual(['record_change'])
  }
})
