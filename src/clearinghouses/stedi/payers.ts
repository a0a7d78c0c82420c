import type { StediJson } from '../clearinghouse.ts'
import { toError } from '../failures.ts'
import { objectsOf, textOf } from '../json-values.ts'
import type { StediExchange } from './exchange.ts'
import { takeJson } from './take-answer.ts'

const PAGE_SIZE = 100

/** Every payer; pages are fetched as they are read. @throws ClearinghouseError. Source: clearinghouse.md A6. */
export async function* listPayers(
  exchange: StediExchange,
  options: { url: string; signal?: AbortSignal },
): AsyncGenerator<StediJson, void> {
  const seen = new Set<string>()
  let pageToken: string | undefined
  do {
    const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), ...(pageToken !== undefined && { pageToken }) })
    const { signal } = options
    const answer = await exchange({ method: 'GET', url: `${options.url}/payers?${query}`, ...(signal && { signal }) })
    const page = takeJson(answer, new Date())
    yield* objectsOf(page.items)
    pageToken = textOf(page.nextPageToken)
    if (pageToken !== undefined && seen.has(pageToken)) throw repeatedPage()
    if (pageToken !== undefined) seen.add(pageToken)
  } while (pageToken !== undefined)
}

const repeatedPage = () =>
  toError({
    code: 'RepeatedPage',
    retryable: true,
    message: 'The payer list of the clearinghouse repeats a page',
  })
