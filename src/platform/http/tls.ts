// The service's own TLS certificate, for installations without a proxy.
import { constants, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { reasonOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'
import { HANDSHAKE_MS } from './limits/greet-in-turns.ts'

export interface Certificate {
  cert: Buffer
  key: Buffer
}

/** A server that accepts a new certificate while it serves: `https.Server`. */
export interface TlsServer {
  setSecureContext(options: ReturnType<typeof tlsOptions>): void
}

/**
 * What a server with this certificate permits. A client may not begin a handshake again on an open connection (TLS 1.2, RFC 5246 7.4.1.1): each takes as
 * long as the first, and those of many connections may come at the same moment, in no turn. Since TLS 1.3 there is no such thing.
 */
export const tlsOptions = (certificate: Certificate) => ({
  ...certificate,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  handshakeTimeout: HANDSHAKE_MS,
})

/** Certificates are renewed weeks before the old one expires. */
const LOOK_EVERY_MS = 10_000

/**
 * The certificate of these settings, undefined when they name none.
 * @throws StartupError when only one of its files is named, or when they cannot be read or do not match.
 */
export async function readCertificate(config: Config): Promise<Certificate | undefined> {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config
  requireBothFiles(config)
  if (certFile === undefined || keyFile === undefined) return undefined
  const [cert, key] = await Promise.all([readPart(certFile, 'TLS_CERT_FILE'), readPart(keyFile, 'TLS_KEY_FILE')])
  requirePair(cert, key)
  return { cert, key }
}

/** @throws StartupError when only one of the two files is named. */
export function requireBothFiles({ TLS_CERT_FILE, TLS_KEY_FILE }: Config): void {
  if ((TLS_CERT_FILE === undefined) === (TLS_KEY_FILE === undefined)) return
  throw new StartupError('TLS_CERT_FILE and TLS_KEY_FILE must be set together')
}

async function readPart(path: string, setting: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new StartupError(`the file of ${setting}, ${path}, cannot be read (${reasonOf(error)})`, { cause: error })
  }
}

/** @throws StartupError that says which of the two files is wrong, and why. */
function requirePair(cert: Buffer, key: Buffer): void {
  const certificate = parsed('TLS_CERT_FILE', 'a certificate', () => new X509Certificate(pemOf(cert)))
  const privateKey = parsed('TLS_KEY_FILE', 'a private key without a passphrase', () => createPrivateKey(pemOf(key)))
  if (!certificate.checkPrivateKey(privateKey))
    throw new StartupError('the key in TLS_KEY_FILE does not belong to the first certificate in TLS_CERT_FILE')
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new StartupError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used (${reasonOf(error)})`, { cause: error })
  }
}

function parsed<T>(setting: string, what: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new StartupError(`the file of ${setting} does not contain ${what} in PEM format`, { cause: error })
  }
}

/** Node would also take a certificate in DER form here, but not in a secure context. */
function pemOf(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  if (!text.includes('-----BEGIN ')) throw new Error('not PEM')
  return text
}

/** What is wrong with the days of a certificate, undefined if nothing is. */
export function whyNotValid({ validFrom, validTo }: X509Certificate, now = Date.now()): string | undefined {
  if (Date.parse(validTo) < now) return `expired on ${dayOf(validTo)}: callers refuse it`
  if (Date.parse(validFrom) > now)
    return `is not valid before ${dayOf(validFrom)}: callers refuse it, unless only the clock of this machine is wrong`
  return undefined
}

const dayOf = (date: string) => new Date(date).toISOString().slice(0, 10)

/**
 * Reloads the certificate into the servers when its files change, and at SIGHUP. While the files do not match, as
 * during a replacement, the current certificate stays in use.
 */
export function followCertificate(
  config: Config,
  options: { current: Certificate; servers: TlsServer[]; log: FastifyBaseLogger; everyMs?: number },
): { stop(): void } {
  const { servers, log, everyMs = LOOK_EVERY_MS } = options
  let { current } = options
  let isWarned = false
  const look = async () => {
    try {
      const found = await readCertificate(config)
      isWarned = false
      if (!found || (found.cert.equals(current.cert) && found.key.equals(current.key))) return
      current = found
      for (const server of servers) server.setSecureContext(tlsOptions(found))
      log.info('the certificate was replaced')
      warnOfDays(found, log)
    } catch (error) {
      if (!isWarned) log.warn({ reason: (error as Error).message }, 'the new certificate cannot be used')
      isWarned = true
    }
  }
  warnOfDays(current, log)
  const lookNow = () => void look()
  const timer = setInterval(lookNow, everyMs).unref()
  process.on('SIGHUP', lookNow)
  return {
    stop() {
      clearInterval(timer)
      process.off('SIGHUP', lookNow)
    },
  }
}

function warnOfDays({ cert }: Certificate, log: FastifyBaseLogger): void {
  const reason = whyNotValid(new X509Certificate(cert))
  if (reason !== undefined) log.warn(`the certificate of TLS_CERT_FILE ${reason}`)
}
