import { Type } from 'typebox'
import { PAGE_LIMIT_MAX } from '../../../contract/limits.ts'
import type { Deps } from '../../../deps.ts'
import { payerToWire } from '../../../payers/directory.ts'
import { pageOfRanking } from '../../../payers/page.ts'
import { isSandboxStandard } from '../../../payers/payer-ids.ts'
import { findPayers } from '../../../payers/search.ts'
import { statsOf } from '../../../payers/stats.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { type PagePosition, readPageToken, writePageToken } from '../../../platform/http/page-token.ts'
import { PayerSearchResponse } from './payer.schema.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'vault' | 'payers'>

/** Source: rules.md 13.7. */
const PAGE_SIZE = 10

const SearchPayers = Type.Object({
  query: Type.Optional(Type.String()),
  page_size: Type.Optional(Type.Integer({ minimum: 0 })),
  page_token: Type.Optional(Type.String()),
})

/** GET /payer/search. Source: rules.md 13.7; a page size above the cap is reduced to the cap (1.7). */
export const searchPayers = endpoint({
  operation: 'payerSearch',
  method: 'GET',
  path: '/payer/search',
  summary: 'Finds payers by name, alias or id, the best first; all of them by name without a query.',
  query: SearchPayers,
  answer: PayerSearchResponse,
  errors: [],
  async handle(deps: Needs, { actor: { organizationId }, query: parameters }) {
    const { query = '', page_size = PAGE_SIZE, page_token } = parameters
    const request = { operation: 'eligibilityChecks.payerSearch', organizationId, query }
    const position = page_token === undefined ? undefined : readPageToken(deps.vault, request, page_token)
    const index = await deps.payers.index({ withSandbox: await isSandboxStandard(deps, organizationId) })
    const ranking = findPayers(index, query)
    const { items, next, prev } = pageOfRanking(ranking, Math.min(page_size, PAGE_LIMIT_MAX), position)
    const token = (at: PagePosition | undefined) => at && writePageToken(deps.vault, request, at)
    return {
      items: items.map(({ score, payer }) => ({ score, payer: payerToWire(payer) })),
      stats: statsOf(ranking),
      next_page_token: token(next),
      prev_page_token: token(prev),
      total: ranking.length,
    }
  },
})
