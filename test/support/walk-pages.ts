import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** The properties of every page. */
export interface Walked<Item> {
  items: Item[]
  next_page_token?: string
  prev_page_token?: string
  total: number
}

/**
 * Reads all pages of a list from the first to the last with `read`, then back again, where the same
 * pages must follow in reverse order, and no page precedes the first.
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

/** Like `toEqual`, but fast for thousands of items; `toEqual` describes a difference. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}
