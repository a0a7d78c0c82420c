import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { packageFile } from '../package-root.ts'
import { followCertificate, readCertificate, tlsOptions } from './tls.ts'

const pem = (name: string) => packageFile('test', 'support', 'tls', name)
const SERVER = { TLS_CERT_FILE: pem('server.pem'), TLS_KEY_FILE: pem('server-key.pem') }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-tls-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const saysOf = (files: Partial<typeof SERVER>) =>
  readCertificate(readConfig({ ...SERVER, ...files })).then(
    () => 'it is used',
    ({ message }: Error) => message,
  )

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

it('an operator reads which of the two files is wrong, and why', async () => {
  expect(await saysOf({})).toBe('it is used')
  await expect(readCertificate(readConfig({ TLS_CERT_FILE: SERVER.TLS_CERT_FILE }))).rejects.toThrow(
    'TLS_CERT_FILE and TLS_KEY_FILE must be set together',
  )
  expect(await saysOf({ TLS_KEY_FILE: pem('client-key.pem') })).toBe(
    'the key in TLS_KEY_FILE does not belong to the first certificate in TLS_CERT_FILE',
  )
  const missing = join(folder, 'missing.pem')
  expect(await saysOf({ TLS_CERT_FILE: missing })).toBe(
    `the file of TLS_CERT_FILE, ${missing}, cannot be read (ENOENT)`,
  )
  expect(await saysOf({ TLS_KEY_FILE: folder })).toBe(`the file of TLS_KEY_FILE, ${folder}, cannot be read (EISDIR)`)
  const noCertificate = 'the file of TLS_CERT_FILE does not contain a certificate in PEM format'
  expect(await saysOf({ TLS_CERT_FILE: SERVER.TLS_KEY_FILE })).toBe(noCertificate)
  const [, base64 = ''] = (await readFile(SERVER.TLS_CERT_FILE, 'utf8')).split(/-----[A-Z ]+-----/)
  expect(await saysOf({ TLS_CERT_FILE: await file('der', Buffer.from(base64, 'base64')) })).toBe(noCertificate)
  const noKey = 'the file of TLS_KEY_FILE does not contain a private key without a passphrase in PEM format'
  expect(await saysOf({ TLS_KEY_FILE: SERVER.TLS_CERT_FILE })).toBe(noKey)
  const locked = createPrivateKey(await readFile(SERVER.TLS_KEY_FILE)).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'words',
  })
  expect(await saysOf({ TLS_KEY_FILE: await file('locked.pem', locked) })).toBe(noKey)
})

it('the log warns of a certificate that has expired, or is not valid yet by the clock of the machine', async () => {
  const config = readConfig(SERVER)
  const current = (await readCertificate(config))!
  const warned = (now: string) => {
    const lines: string[] = []
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
    followCertificate(config, { current, servers: [], log: pino({}, { write: (line) => lines.push(line) }) }).stop()
    vi.useRealTimers()
    return lines.map((line) => JSON.parse(line).msg)
  }
  expect(warned('2100-01-01')).toEqual([])
  expect(warned('2127-01-01')).toEqual(['the certificate of TLS_CERT_FILE expired on 2126-10-28: callers refuse it'])
  expect(warned('2001-01-01')).toEqual([expect.stringMatching(/is not valid before \d{4}-.*clock of this machine/)])
})

it('a client cannot begin its handshake again on an open connection, which takes as long as the first, also after the certificate was replaced', async () => {
  const certificate = await readCertificate(readConfig(SERVER))
  const server = createServer(tlsOptions(certificate!))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const beginAnew = async () => {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' })
    await once(socket, 'secureConnect')
    const result = await new Promise((resolve) => {
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      socket.renegotiate({}, (error) => resolve(error ?? 'begun again'))
    })
    socket.destroy()
    return result
  }
  try {
    expect(await beginAnew()).toBe('ERR_SSL_NO_RENEGOTIATION')
    server.setSecureContext(tlsOptions(certificate!))
    expect(await beginAnew()).toBe('ERR_SSL_NO_RENEGOTIATION')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
