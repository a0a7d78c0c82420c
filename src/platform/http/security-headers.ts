import type { FastifyInstance } from 'fastify'

/** What a page of ours may load and where its forms may lead: nothing runs. Source: Content Security Policy Level 3. */
export const contentSecurityPolicy = (formAction: "'none'" | "'self'") =>
  `default-src 'none'; style-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`

/**
 * On every answer: nothing of it may be kept, sniffed, framed, or run. Pages of ours have no script, and nothing of theirs
 * comes from elsewhere. Source: OWASP REST Security Cheat Sheet, "Security Headers"; OWASP Secure Headers Project; RFC 6797 for TLS, which browsers ignore
 * over plain HTTP.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  // A browser that has opened it for one site must not hand it to another.
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': contentSecurityPolicy("'none'"),
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

/** What browsers heed for documents alone. Source: OWASP Secure Headers Project. */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Set before anything can fail, so that refusals carry them too; a route may say otherwise. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
    done()
  })
}
