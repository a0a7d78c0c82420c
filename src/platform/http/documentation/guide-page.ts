// The layout of the guide's pages: the list of pages and a search beside the content, no script
// (decisions/0006-openapi.md).
import { escapeHtml as text } from './docs-text.ts'
import type { Found, GuidePage } from './guide.ts'

/** One page. */
export function guidePage(page: GuidePage, pages: Iterable<GuidePage>): string {
  const sections = page.sections.slice(1).map(({ id, title }) => `<a href="#${text(id)}">${text(title)}</a>`)
  return layout(page.title, navigation(pages, page.name, sections.join('')), `<div class="guide">${page.html}</div>`)
}

/** The results of a search. */
export function searchPage(query: string, found: readonly Found[], pages: Iterable<GuidePage>): string {
  const items = found.map(
    ({ page, pageTitle, id, title, excerpt }) =>
      `<li><a href="/docs/guide/${text(page)}#${text(id)}">${text(pageTitle === title ? title : `${pageTitle}: ${title}`)}</a><p>${text(excerpt)}</p></li>`,
  )
  const count = found.length === 0 ? 'Nothing was found. Try fewer words.' : `${found.length} found`
  const body = `<h1>Search</h1><p>${count}</p><ol class="found">${items.join('\n')}</ol>`
  return layout('Search', navigation(pages, '', '', query), body)
}

function navigation(pages: Iterable<GuidePage>, current: string, sections: string, query = ''): string {
  const links = [...pages].map(({ name, title }) => {
    const here = name === current
    return `<a href="/docs/guide/${text(name)}"${here ? ' aria-current="page"' : ''}>${text(title)}</a>${here ? `<div class="sections">${sections}</div>` : ''}`
  })
  return `<nav aria-label="Guide">
<a class="home" href="/docs">Anteroom <small>reference</small></a>
${searchForm(query)}
${links.join('\n')}
</nav>`
}

/** Searches the guide. */
export const searchForm = (query = '') =>
  `<form action="/docs/search" role="search"><input type="search" name="q" aria-label="Search the guide" placeholder="Search the guide" value="${text(query)}"></form>`

const layout = (title: string, navigation: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} · Anteroom</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${navigation}
<main id="main">${body}</main>
</body>
</html>
`
