import type { FastifyInstance } from 'fastify'

/**
 * What a page of the service may load and where its forms may lead; scripts never run. Source: Content Security Policy
 * Level 3.
 */
export const contentSecurityPolicy = (formAction: "'none'" | "'self'") =>
  `default-src 'none'; style-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`

/**
 * For every response: it must not be cached, sniffed, framed or executed. Pages have no script and load nothing from
 * other hosts. Source: OWASP REST Security Cheat Sheet, "Security Headers"; OWASP Secure Headers Project; RFC 6797 for
 * TLS, which browsers ignore over plain HTTP.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  // A browser must not pass a response to a page of another site.
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': contentSecurityPolicy("'none'"),
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

/** Headers that browsers apply to documents only. Source: OWASP Secure Headers Project. */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Set before anything can fail, so that refusals have them too; a route may override them. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
    done()
  })
}
