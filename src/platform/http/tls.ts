// The service's own TLS certificate, for installations without a proxy.
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { StartupError } from '../startup-error.ts'

export interface Certificate {
  cert: Buffer
  key: Buffer
}

/** A server that accepts a new certificate while it serves: `https.Server`. */
export interface TlsServer {
  setSecureContext(certificate: Certificate): void
}

/** Certificates are renewed weeks before the old one expires. */
const LOOK_EVERY_MS = 10_000

/**
 * The certificate of these settings, undefined when they name none.
 * @throws StartupError when only one of its files is named, or when they cannot be read or do not match.
 */
export async function readCertificate(config: Config): Promise<Certificate | undefined> {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    throw new StartupError('TLS_CERT_FILE and TLS_KEY_FILE must be set together')
  }
  try {
    const certificate = { cert: await readFile(certFile), key: await readFile(keyFile) }
    createSecureContext(certificate)
    return certificate
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used (${code ?? 'not PEM'})`, { cause: error })
  }
}

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
      for (const server of servers) server.setSecureContext(found)
      log.info('the certificate was replaced')
    } catch (error) {
      if (!isWarned) log.warn({ reason: (error as Error).message }, 'the new certificate cannot be used')
      isWarned = true
    }
  }
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
