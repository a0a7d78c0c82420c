import type { FullOrganization } from './full-organization.ts'
import { endpoints, urlOf } from './operations.ts'

/** Calls every operation once on each possible record; operations that remove something come last. */
export async function useAll({ owner, ids, canary }: FullOrganization): Promise<void> {
  const ending = ({ method }: { method: string }) => Number(method === 'DELETE')
  for (const endpoint of [...endpoints]
    .filter(({ access }) => access !== 'public')
    .sort((a, b) => ending(a) - ending(b))) {
    const { group = '' } = /^(?<group>\w+)\./.exec(endpoint.operation)?.groups ?? {}
    for (const id of [...new Set([...Object.values(ids)])]) {
      const params = Object.fromEntries([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, id]))
      for (const version of endpoint.path.includes(':version') ? [1, 2, 3] : [1]) {
        const url = urlOf(endpoint, { id, ...params, version, check_id: ids.coverageCheck, partner: 'availity' })
        const body =
          endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : bodies[group]?.({ canary, ids })
        await owner.call(endpoint.method, url, body)
      }
      if (!endpoint.path.includes(':')) break
    }
  }
}

/** Bodies that are valid enough for the updates; `fillOrganization` has sent the other statements already. */
const bodies: Record<string, (of: Pick<FullOrganization, 'canary' | 'ids'>) => object> = {
  notes: ({ canary }) => ({ value: canary }),
  tags: ({ canary }) => ({ value: `${canary} changed` }),
  coverages: () => ({ payer_plan_group_id: 'none', payer_id: '60054', payer_name: 'Aetna', plan_type: 'HM' }),
  eligibilityRecommendations: ({ ids }) => ({ user_id: ids.user, value: 'UPVOTE' }),
}
