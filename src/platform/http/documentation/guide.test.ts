import { describe, expect, it } from 'vitest'
import { testService } from '../../../../test/support/service.ts'
import { readGuide, render, searchGuide } from './guide.ts'

const service = testService()
const get = (url: string) => service.app.inject({ method: 'GET', url })

describe('the guide', () => {
  it('shows every page without a script, and every link leads to an existing page and heading', async () => {
    const pages = await readGuide()
    expect([...pages.keys()].slice(0, 3)).toEqual(['README', 'first-clinic', 'concepts'])
    for (const { name, title, html } of pages.values()) {
      const reply = await get(`/docs/guide/${name}`)
      expect([reply.statusCode, reply.body.includes('<script')]).toEqual([200, false])
      expect(title).not.toBe('')
      for (const [, page = '', anchor] of html.matchAll(/href="\/docs\/guide\/([\w-]+)(?:#([^"]*))?"/g)) {
        const ids = pages.get(page)?.sections.map(({ id }) => id)
        expect(ids, `${name} leads to ${page}`).toBeDefined()
        if (anchor !== undefined) expect(ids, `${name} leads to ${page}#${anchor}`).toContain(anchor)
      }
    }
  })

  it('starts at a path that is easy to guess, and returns 404 for unknown pages', async () => {
    expect((await get('/docs/guide')).headers.location).toBe('/docs/guide/README')
    expect((await get('/docs/guide/..%2F..%2Fpackage')).statusCode).toBe(404)
    expect((await get('/docs/guide/nothing')).statusCode).toBe(404)
  })

  it('finds the sections that have every word, those with it in the heading first', async () => {
    const found = searchGuide((await readGuide()).values(), 'date of SERVICE')
    expect(found.map(({ page }) => page)).toContain('eligibility')
    expect(searchGuide((await readGuide()).values(), 'troubleshooting')[0]?.page).toBe('troubleshooting')
    expect(searchGuide((await readGuide()).values(), 'date zzzz')).toEqual([])
    expect(searchGuide((await readGuide()).values(), ' ')).toEqual([])
  })

  it('escapes the search text', async () => {
    const query = '"><script>alert(1)</script>'
    const { body } = await get(`/docs/search?${new URLSearchParams({ q: query })}`)
    expect(body).not.toContain('<script')
    expect(body).toContain('&quot;&gt;&lt;script&gt;')
    const empty = await get('/docs/search')
    expect(empty.statusCode).toBe(200)
    expect(empty.headers['content-security-policy']).toContain(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self';",
    )
    expect((await get('/docs/search?q=a&q=b')).statusCode).toBe(200)
  })
})

describe('a page', () => {
  const page = (markdown: string) => render(markdown, (target) => (target === 'there.md' ? '/there' : undefined))

  it('shows HTML as text, and a link to a file that is not a page as plain words', () => {
    const { html } = page(
      '# A\n\n<img src=x onerror=alert(1)>\n\n[in](there.md) [out](../package.json) a <b>bold</b> word',
    )
    expect(html).not.toMatch(/<img|<b>|package\.json/)
    expect(html).toContain('<a href="/there">in</a> out')
  })

  it('shows no comment of its author', () => {
    const { html, sections } = page('# A\n\n<!-- Do not edit. -->\n\nwords of a')
    expect([html, sections[0]?.text]).toEqual(['<h1 id="top">A</h1>\n<p>words of a</p>\n', ' words of a'])
  })

  it('is found with its examples as they are typed', () => {
    const { sections } = page(
      "# A\n\n[in](there.md) <https://a.example/>\n\n```\na [--json] os.environ['B'] | c *:read\n```",
    )
    expect(sections[0]?.text).toBe(" in https://a.example/ a [--json] os.environ['B'] | c *:read")
  })

  it('does not treat comments in an example as headings', () => {
    const { sections } = page('# A\n\n```sh\n# not a heading\n```\n\n## B\n\nwords of b')
    expect(sections.map(({ id, title }) => [id, title])).toEqual([
      ['top', 'A'],
      ['b', 'B'],
    ])
    expect(sections[1]?.text).toContain('words of b')
  })
})
