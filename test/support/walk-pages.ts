import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** What every page has. */
export interface Walked<Item> {
  items: Item[]
  next_page_token?: string
  prev_page_token?: string
  total: number
}

/**
 * All pages of a list from the first to the last, `read` being asked for each by its token; then back again, where the same
 * pages must come in turn and none before the first.
 */
export async function walkPages<Item>(read: (token?: string) => Promise<Walked<Item>>): Promise<Walked<Item>[]> {
  const pages = [await read()]
  for (let token = pages[0]?.next_page_token; token !== undefined; token = pages.at(-1)?.next_page_token) {
    pages.push(await read(token))
  }
  let before = pages.at(-1)?.prev_page_token
  for (let index = pages.length - 2; index >= 0; index--) {
    const page = await read(before ?? 'none')
    expectSame(page.items, pages[index]?.items)
    before = page.prev_page_token
  }
  expect(before).toBeUndefined()
  return pages
}

/** Like `toEqual`, for thousands of items; the words of a difference come from there. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}
