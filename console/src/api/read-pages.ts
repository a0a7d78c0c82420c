// Lists that are read as a whole, page by page.
interface Page<Item> {
  items: Item[]
  next_page_token?: string
}

/** The items of all pages. `readPage` reads the page that the query names; the first one without a token. @throws ApiError */
export async function readPages<Item>(
  readPage: (query: { page_token?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  let query: { page_token?: string } | undefined = {}
  while (query) {
    const page: Page<Item> = await readPage(query)
    items.push(...page.items)
    query = page.next_page_token === undefined ? undefined : { page_token: page.next_page_token }
  }
  return items
}
