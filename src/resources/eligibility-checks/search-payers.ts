import { type Static, Type } from 'typebox'
import { readRoster } from '../../clearinghouses/sandbox/roster.ts'
import type { Deps } from '../../deps.ts'
import { type Actor, endpoint } from '../../http/endpoint.ts'
import { type PagePosition, readPageToken, writePageToken } from '../../http/page-token.ts'
import { payerToWire } from '../../payers/directory.ts'
import type { DirectoryPayer } from '../../payers/directory-payer.ts'
import { type LiveDirectory, openLiveDirectory } from '../../payers/live-directory.ts'
import { pageOfRanking } from '../../payers/page.ts'
import { isSandboxStandard } from '../../payers/payer-ids.ts'
import { sandboxPayersOf } from '../../payers/sandbox-payers.ts'
import { findPayers } from '../../payers/search.ts'
import { statsOf } from '../../payers/stats.ts'
import type { Route } from '../../records/endpoints.ts'
import { PAGE_LIMIT_MAX } from '../../records/page.ts'
import { PayerSearchResponse } from './payer.schema.ts'

/** Source: rules.md 13.7. */
const PAGE_SIZE = 10

const SearchPayers = Type.Object({
  query: Type.Optional(Type.String()),
  page_size: Type.Optional(Type.Integer({ minimum: 0 })),
  page_token: Type.Optional(Type.String()),
})

/** GET /payer/search. Source: rules.md 13.7; a page size above the cap is the cap (1.7). */
export const searchPayers: Route = (deps, base) => {
  const directory = openLiveDirectory(deps.database)
  const sandboxPayers = readOnce(async () => sandboxPayersOf(await readRoster(deps.config.SANDBOX_ROSTER)))
  return endpoint({
    operation: 'payerSearch',
    method: 'GET',
    path: `${base}/payer/search`,
    summary: 'Finds payers by name, alias or id, the best first; all of them by name without a query.',
    query: SearchPayers,
    answer: PayerSearchResponse,
    errors: [],
    handle: async ({ actor, query }) => {
      const sandbox = (await isSandboxStandard(deps, actor.organizationId)) ? await sandboxPayers() : undefined
      return answer(deps, actor, directory, query, sandbox)
    },
  })
}

async function answer(
  deps: Deps,
  actor: Actor,
  directory: LiveDirectory,
  asked: Static<typeof SearchPayers>,
  sandbox: DirectoryPayer[] | undefined,
): Promise<object> {
  const { query = '', page_size = PAGE_SIZE, page_token } = asked
  const request = { operation: 'eligibilityChecks.payerSearch', organizationId: actor.organizationId, query }
  const position = page_token === undefined ? undefined : readPageToken(deps.vault, request, page_token)
  const ranking = findPayers(await directory.index(sandbox), query)
  const { items, next, prev } = pageOfRanking(ranking, Math.min(page_size, PAGE_LIMIT_MAX), position)
  const token = (at: PagePosition | undefined) => at && writePageToken(deps.vault, request, at)
  return {
    items: items.map(({ score, payer }) => ({ score, payer: payerToWire(payer) })),
    stats: statsOf(ranking),
    next_page_token: token(next),
    prev_page_token: token(prev),
    total: ranking.length,
  }
}

/** What was read, or is being read, is not read again; what failed is. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }
}
