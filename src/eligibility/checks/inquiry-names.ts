// The names of the payer and the inquiring clinic: the guide requires both, and a request has ids. Source: 005010X279A1 2100A and 2100B
// NM103; x12-271.md 2.

import type { Clearinghouse } from '../../clearinghouses/clearinghouse.ts'
import { isSandbox } from '../../clearinghouses/uses-sandbox.ts'
import type { Deps } from '../../deps.ts'
import { type RecentlyUsed, recentlyUsed } from '../../platform/recently-used.ts'
import type { InquiryNames } from '../inquiries/check-inquiry.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'payers'>

interface Asked {
  organizationId: string
  clearinghouse: Clearinghouse
  payerId: string
}

/** How long names are cached after a payer or clinic is renamed. */
const BELIEVED_MS = 60_000
/** Far more payers than organizations inquire about at a time; the rest are looked up again. */
const MAX_LOOKUPS = 20_000

/** A payer's own id takes precedence over another payer's alias; several payers with the same id have no common name. */
const namesStatement = {
  name: 'inquiry_names',
  text: `with known as (
      select display_name, case when primary_payer_id = $2 then 1 when stedi_id = $2 then 2 else 3 end as rank
      from payer where primary_payer_id = $2 or stedi_id = $2 or aliases ? $2
    )
    select (select name from organization where id = $1),
      (select min(display_name) from known where rank = (select min(rank) from known) having min(display_name) = max(display_name))`,
}

interface KeptNames {
  until: number
  names: Promise<InquiryNames>
}

const caches = new WeakMap<Needs['database'], RecentlyUsed<KeptNames>>()

/**
 * The names in the payer directory, and among the sandbox's payers when this inquiry goes to the sandbox. Without a name, the inquiry uses
 * the id: a failed lookup prevents no check.
 */
export function findInquiryNames(
  deps: Needs,
  { organizationId, clearinghouse, payerId }: Asked,
): Promise<InquiryNames> {
  const inSandbox = isSandbox(deps.config, clearinghouse)
  const cache = caches.get(deps.database) ?? recentlyUsed<KeptNames>(MAX_LOOKUPS)
  caches.set(deps.database, cache)
  const key = JSON.stringify([organizationId, payerId, inSandbox])
  const known = cache.get(key)
  if (known && performance.now() < known.until) return known.names
  const names = lookUp(deps, organizationId, payerId, inSandbox).catch(() => {
    cache.delete(key)
    return {}
  })
  cache.set(key, { until: performance.now() + BELIEVED_MS, names })
  return names
}

async function lookUp(
  { database, payers }: Needs,
  organizationId: string,
  payerId: string,
  inSandbox: boolean,
): Promise<InquiryNames> {
  const [receiver, listed] = (await database.row(namesStatement, [organizationId, payerId])) ?? []
  const payer = listed ?? (inSandbox ? await findSandboxName(payers, payerId) : undefined)
  return { ...(payer && { payer }), ...(receiver && { receiver }) }
}

async function findSandboxName(payers: Needs['payers'], payerId: string): Promise<string | undefined> {
  const known = await payers.sandboxPayers()
  return known.find(({ primary_payer_id: id, aliases }) => [id, ...aliases].includes(payerId))?.display_name
}
