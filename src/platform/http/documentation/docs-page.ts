// The API description as one page of plain HTML, with nothing from other hosts (decisions/0006-openapi.md). Its script
// adds forms to it.
import { formatted, escapeHtml as text } from './docs-text.ts'
import { searchForm } from './guide-page.ts'
import type { Content, OpenApiDocument, Operation, Parameter, Response } from './openapi.ts'
import type { JsonSchema } from './openapi-schemas.ts'

interface Route {
  method: string
  path: string
  operation: Operation
}

/** The whole page. */
export function docsPage(document: OpenApiDocument): string {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    routes: routes.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const { title, version, summary, description } = document.info
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} ${text(version)}</title>
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
<nav aria-label="Operations">
<a class="home" href="#top">${text(title)} <small>${text(version)}</small></a>
<a href="/docs/guide/README">Guide</a>
${searchForm()}
${groups.map(({ name, routes }) => `<details open><summary>${text(name)}</summary>${routes.map(navLink).join('')}</details>`).join('\n')}
<details><summary>types</summary>${Object.keys(document.components.schemas).map(typeLink).join('')}</details>
</nav>
<main id="top">
<header><h1>${text(title)}</h1><p class="lead">${text(summary)}</p>${formatted(description)}
<p>New here? The <a href="/docs/guide/README">guide</a> begins with the first eligibility check. <a href="/openapi.json">openapi.json</a> describes the same for programs (OpenAPI ${text(document.openapi)}).</p></header>
${groups.map(({ name, description, routes }) => `<section id="${text(name)}"><h2>${text(name)}</h2><p>${formatted(description)}</p>${routes.map((route) => operationSection(route, document)).join('')}</section>`).join('\n')}
<section id="types"><h2>Types</h2>${Object.entries(document.components.schemas)
    .map(([name, schema]) => typeSection(name, schema))
    .join('\n')}</section>
</main>
</body>
</html>
`
}

const navLink = ({ method, operation }: Route) =>
  `<a href="#${operation.operationId}"><b class="${method}">${method}</b> ${text(operation.operationId.split('.')[1] ?? '')}</a>`

const typeLink = (name: string) => `<a href="#type-${name}">${text(name)}</a>`

function operationSection({ method, path, operation }: Route, document: OpenApiDocument): string {
  const { operationId, summary, security, parameters = [], requestBody, responses } = operation
  return `<article id="${operationId}">
<h3><a href="#${operationId}">${text(operationId)}</a><small>${text(accessOf(security))}</small></h3>
<p class="address"><b class="${method}">${method}</b> <code>${text(path)}</code></p>
<p>${formatted(summary)}</p>
${parameters.length > 0 ? parameterTable(parameters) : ''}
${requestBody ? `<h4>Body</h4>${contentBlock(requestBody.content)}` : ''}
<h4>Answers</h4>
<dl>${Object.entries(responses)
    .map(([status, response]) => answer(status, response, document))
    .join('')}</dl>
</article>`
}

/** The scope that a client needs, or that none is needed. */
const accessOf = (security: Operation['security']) => Object.values(security[0] ?? {})[0]?.join(' ') ?? 'public'

function parameterTable(parameters: Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${text(name)}</code>${required ? ' <em>required</em>' : ''}</td><td>${place}</td><td>${typeText(schema)}</td><td>${formatted(description)}</td></tr>`,
  )
  return `<h4>Parameters</h4><table>${rows.join('')}</table>`
}

function contentBlock(content: Content): string {
  const [first] = Object.values(content)
  if (!first) return ''
  const types = Object.keys(content).filter((type) => type !== 'application/json')
  const also = types.length > 0 ? `, also as <code>${types.map(text).join(', ')}</code>` : ''
  const example = first.example === undefined ? '' : exampleBlock(first.example)
  return `<p>${typeText(first.schema)}${also}</p>${example}`
}

const exampleBlock = (example: unknown) =>
  `<details><summary>Example</summary><pre>${text(JSON.stringify(example, null, 2))}</pre></details>`

function answer(status: string, response: Response | { $ref: string }, document: OpenApiDocument): string {
  const name = '$ref' in response ? (response.$ref.split('/').at(-1) ?? '') : undefined
  const resolved = '$ref' in response ? document.components.responses[name ?? ''] : response
  if (!resolved) return ''
  const title = status === 'default' ? 'other' : status
  const body = name || !resolved.content ? '' : contentBlock(resolved.content)
  return `<dt><b class="s${title[0]}">${title}</b></dt><dd>${name && status !== 'default' ? `<code>${text(name)}</code> ` : ''}${formatted(resolved.description)}${body}</dd>`
}

function typeSection(name: string, schema: JsonSchema): string {
  const required = new Set(schema.required)
  const rows = Object.entries(schema.properties ?? {}).map(
    ([key, property]) =>
      `<tr><td><code>${text(key)}</code>${required.has(key) ? ' <em>required</em>' : ''}</td><td>${typeText(property)}</td></tr>`,
  )
  const body = rows.length > 0 ? `<table>${rows.join('')}</table>` : `<p>${typeText(schema)}</p>`
  return `<article id="type-${name}"><h3><a href="#type-${name}">${text(name)}</a></h3>${body}</article>`
}

/** A type in one line, with links to named types. */
function typeText(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return typeLink(schema.$ref.split('/').at(-1) ?? '')
  if (schema.enum) return schema.enum.map((value) => `<code>${text(String(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${text(String(schema.const))}</code>`
  if (schema.items) return `list of ${typeText(schema.items)}`
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ')
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(
      ([key, each]) => `<code>${text(key)}</code>${schema.required?.includes(key) ? '' : '?'} ${typeText(each)}`,
    )
    return `{ ${fields.join(', ')} }`
  }
  if (typeof schema.additionalProperties === 'object') return `map to ${typeText(schema.additionalProperties)}`
  return text(schema.format ?? schema.type ?? 'any')
}
