import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.ts'
import { docsStyle } from './docs-style.ts'
import type { OpenApiDocument } from './openapi.ts'

/** What a browser heeds for documents alone. Source: OWASP Secure Headers Project. */
const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** `/openapi.json` for programs, `/docs` for people; both for anyone, both made when first asked for. */
export function publishDocs(app: FastifyInstance, describe: () => OpenApiDocument): void {
  let json: string | undefined
  let page: string | undefined
  app.get('/openapi.json', async (_request, reply) => {
    json ??= JSON.stringify(describe())
    return reply.type('application/json; charset=utf-8').send(json)
  })
  app.get('/docs', async (_request, reply) => {
    page ??= docsPage(describe())
    return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page)
  })
  app.get('/docs/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(docsStyle))
}
