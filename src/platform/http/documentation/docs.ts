import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '../../../contract/errors.ts'
import { packageFile } from '../../package-root.ts'
import { contentSecurityPolicy, PAGE_HEADERS } from '../security-headers.ts'
import { docsPage } from './docs-page.ts'
import { docsStyle } from './docs-style.ts'
import type { GuidePage } from './guide.ts'
import { guidePage, searchPage } from './guide-page.ts'
import type { OpenApiDocument } from './openapi.ts'

type SendPage = (reply: FastifyReply, page: string, policy?: string) => FastifyReply

/** Sends pages whose links lead below `base`. Text in a page is escaped, so that it holds no such attribute. */
function pagesBelow(base: string): SendPage {
  return (reply, page, policy = contentSecurityPolicy("'self'")) =>
    reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(/ (href|src|action)="\//g, ` $1="${base}/`))
}

/** The reference has its own script, which calls only this service and never renders text as HTML. Source: Trusted Types. */
const SCRIPT_POLICY = "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

/**
 * `/openapi.json` for programs, `/docs` and the guide for people: all public, and built on first use. `home`: where the
 * root path redirects to. `base`: the path below which a proxy publishes the service.
 */
export function publishDocs(
  app: FastifyInstance,
  describe: () => OpenApiDocument,
  { home = '/docs', base = '' }: { home?: string; base?: string } = {},
): void {
  const sendPage = pagesBelow(base)
  let json: string | undefined
  let page: string | undefined
  let script: string | undefined
  app.get('/openapi.json', async (_request, reply) => {
    json ??= JSON.stringify(withServer(describe(), base))
    return reply.type('application/json; charset=utf-8').send(json)
  })
  // For a person who opens the root path; there is nothing here for programs.
  app.get('/', async (request, reply) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) throw notFound('address')
    return reply.redirect(base + home, 302)
  })
  app.get('/docs', async (_request, reply) => {
    page ??= docsPage(describe())
    return sendPage(reply, page, `${contentSecurityPolicy("'self'")}; ${SCRIPT_POLICY}`)
  })
  app.get('/docs/reference.js', async (_request, reply) => {
    script ??= await readFile(packageFile('src', 'platform', 'http', 'documentation', 'reference.js'), 'utf8')
    return reply.type('text/javascript; charset=utf-8').send(script)
  })
  app.get('/docs/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(docsStyle))
  publishGuide(app, base)
}

function withServer(document: OpenApiDocument, base: string): OpenApiDocument {
  return base === '' ? document : { ...document, servers: document.servers.map((server) => ({ ...server, url: base })) }
}

/** Read when it is first asked for: loading what renders it would take a fortieth of a start. */
const loadGuide = () => import('./guide.ts')

function publishGuide(app: FastifyInstance, base: string): void {
  const sendPage = pagesBelow(base)
  let reading: Promise<Map<string, GuidePage>> | undefined
  const pages = async () => {
    reading ??= loadGuide().then(({ readGuide }) => readGuide())
    // A read that failed, for instance for lack of file handles, may succeed next time.
    reading.catch(() => {
      reading = undefined
    })
    return reading
  }
  app.get('/docs/guide', async (_request, reply) => reply.redirect(`${base}/docs/guide/README`))
  app.get<{ Params: { name: string } }>('/docs/guide/:name', async (request, reply) => {
    const all = await pages()
    const page = all.get(request.params.name)
    if (!page) throw notFound('Page')
    return sendPage(reply, guidePage(page, all.values()))
  })
  app.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async (request, reply) => {
    const [all, { searchGuide }] = await Promise.all([pages(), loadGuide()])
    const query = String(request.query.q ?? '').slice(0, 200)
    return sendPage(reply, searchPage(query, searchGuide(all.values(), query), all.values()))
  })
}
