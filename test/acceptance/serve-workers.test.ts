// `anteroom serve --workers 2`: one command, two processes, and a decision of one takes effect in the other.
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { Agent, get } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'
import { eligibilityRequestBody } from '../support/bodies.ts'
import { freePort } from '../support/free-port.ts'
import {
  type Credentials,
  newClonePlace,
  newDataFolder,
  newMigratedFolder,
  runCommand,
  type Settings,
  type StartedProgram,
  startProgram,
} from '../support/started-server.ts'

const RATE_LIMIT = 60
const ANSWERS = /^Anteroom answers on (.+)\n/m
const EFFECTIVE = { timeout: 60_000, interval: 250 }
const own: Settings = { PORT: '0', CORE_PORT: '0', LOG_LEVEL: 'info', TOKEN_RATE_LIMIT: '1000' }

const start = (settings: Settings) => startProgram(['serve', '--workers', '2'], { ...own, ...settings }, ANSWERS)

/** The processes that have reported that they listen, in this order. */
function listeners(program: StartedProgram): number[] {
  const said = program.output().matchAll(/^\{.*"process":(\d+).*"msg":"listening on .*\}$/gm)
  return [...new Set([...said].map(([, pid]) => Number(pid)))]
}

/** `fetch` would use a connection that an earlier call left open, to a process that may do nothing now. */
async function statusOnNewConnection(url: string): Promise<number | undefined> {
  const request = getPlain(`${url}/healthz`, { agent: false, signal: AbortSignal.timeout(60_000) })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

/** On a separate connection, which any process accepts that is not busy. */
const call = (url: string, token = '') =>
  fetch(url, { headers: { connection: 'close', ...(token && { authorization: `Bearer ${token}` }) } })

async function tokenOf(url: string, { client_id, client_secret }: Credentials): Promise<string> {
  const body = new URLSearchParams({ client_id, client_secret })
  const reply = await fetch(`${url}/api/auth/v2/token`, { method: 'POST', body })
  return ((await reply.json()) as { access_token: string }).access_token
}

describe('two processes on an external database', () => {
  let place: Awaited<ReturnType<typeof newClonePlace>>
  let program: StartedProgram
  const clients: Credentials[] = []

  beforeAll(async () => {
    place = await newClonePlace()
    program = await start({ ...place.settings, RATE_LIMIT: String(RATE_LIMIT) })
    const { organization_id } = await command('organization', 'create', 'clinic')
    for (const name of ['limited', 'revoked', 'asking']) {
      clients.push(await command('client', 'create', name, '--organization', organization_id))
    }
  })
  afterAll(async () => {
    await program?.stop()
    await place?.remove()
  })

  async function command(...args: string[]) {
    const { code, stdout, stderr } = await runCommand([...args, '--json'], place.settings)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  const client = () => clients.shift()!

  it('together grant a client the limit of one process', async () => {
    const token = await tokenOf(program.address, client())
    const callAtOnce = async () => {
      const calls = Array.from({ length: 2 * RATE_LIMIT }, () => call(`${program.address}/tags/v1`, token))
      return (await Promise.all(calls)).map(({ status }) => status)
    }
    const statuses = await callAtOnce()
    // A busy process refuses calls with 503 before it counts them, so that the limit may not be reached yet.
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(RATE_LIMIT)
    if (!statuses.includes(429)) await expect.poll(callAtOnce).toContain(429)
  })

  it('both refuse a revoked client', async () => {
    const revoked = client()
    const token = await tokenOf(program.address, revoked)
    await command('client', 'revoke', revoked.client_id)
    await vi.waitFor(async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => call(`${program.address}/tags/v1`, token)))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
    }, EFFECTIVE)
  })

  it('answer every check of a batch once, regardless of the process that accepted it', async () => {
    const token = await tokenOf(program.address, client())
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const batch = `${program.address}/eligibility-checks/v1/batch`
    const body = JSON.stringify(Array.from({ length: 40 }, () => eligibilityRequestBody()))
    const { batch_id } = (await (await fetch(batch, { method: 'POST', headers, body })).json()) as { batch_id: string }
    await vi.waitFor(
      async () => {
        const page = (await (await call(`${batch}/${batch_id}`, token)).json()) as { total: number }
        expect(page.total).toBe(40)
      },
      { ...EFFECTIVE, interval: 3_000 },
    )
  })

  it('keep answering while one of them does nothing', async () => {
    const [first] = listeners(program)
    process.kill(first!, 'SIGSTOP')
    try {
      const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOnNewConnection(program.address)))
      expect(statuses).toEqual(Array(8).fill(200))
    } finally {
      process.kill(first!, 'SIGCONT')
    }
  })

  it('keep answering when one of them is killed, and a new one replaces it', async () => {
    const [first, second] = listeners(program)
    expect([first, second]).toEqual([expect.any(Number), expect.any(Number)])
    process.kill(second!, 'SIGKILL')
    await vi.waitFor(() => expect(listeners(program)).toHaveLength(3), EFFECTIVE)
    expect(program.output()).toContain('a process of the service ended and is restarted')
    const replies = await Promise.all(Array.from({ length: 8 }, () => call(`${program.address}/readyz`)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })
})

describe('two processes on the embedded database', () => {
  it('create it once, print one first client as soon as it exists, and stop together with it', async () => {
    const folder = await newDataFolder()
    try {
      const program = await start({ DATA_DIR: folder.path })
      await vi.waitFor(() => expect(listeners(program)).toHaveLength(2), EFFECTIVE)
      const output = program.output()
      expect(output.match(/client_secret {4}\S+/g)).toHaveLength(1)
      // Shown before the second process starts, which may fail to.
      expect(output.search('client_secret')).toBeLessThan(output.search('Anteroom answers on'))
      const [, client_id = ''] = /client_id +(\S+)/.exec(output) ?? []
      const [, client_secret = ''] = /client_secret +(\S+)/.exec(output) ?? []
      const token = await tokenOf(program.address, { client_id, client_secret, organization_id: '' })
      const replies = await Promise.all(Array.from({ length: 8 }, () => call(`${program.address}/tags/v1`, token)))
      expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
      await program.stop()
      for (const pid of listeners(program)) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
      expect(program.output()).toContain('Embedded PostgreSQL stopped')
      await expect(call(`${program.address}/healthz`)).rejects.toThrow()
    } finally {
      await folder.remove()
    }
  })

  it('exit with code 1 if the port is in use, and leave no process behind', async () => {
    const folder = await newMigratedFolder()
    const { createServer } = await import('node:net')
    const port = await freePort()
    const taken = createServer().listen(port, '127.0.0.1')
    try {
      await delay(100)
      const settings = { ...own, DATA_DIR: folder.path, PORT: String(port) }
      const { code, stderr } = await runCommand(['serve', '--workers', '2'], settings)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`port ${port} is in use`)])
    } finally {
      taken.close()
      await folder.remove()
    }
  })
})

describe('two processes with a certificate', () => {
  const subjectAt = (url: string) =>
    new Promise<unknown>((resolve, reject) => {
      get(`${url}/healthz`, { agent: new Agent({ rejectUnauthorized: false }) }, (response) => {
        resolve((response.socket as TLSSocket).getPeerCertificate().subject.CN)
        response.resume()
      }).on('error', reject)
    })

  it('go on at SIGHUP, and use the certificate that is there by then', async () => {
    const place = await newClonePlace()
    const [TLS_CERT_FILE, TLS_KEY_FILE] = [`${place.settings.DATA_DIR}/cert.pem`, `${place.settings.DATA_DIR}/key.pem`]
    const use = async (name: string) => {
      await copyFile(packageFile('test', 'support', 'tls', `${name}.pem`), TLS_CERT_FILE)
      await copyFile(packageFile('test', 'support', 'tls', `${name}-key.pem`), TLS_KEY_FILE)
    }
    await use('server')
    const program = await start({ ...place.settings, TLS_CERT_FILE, TLS_KEY_FILE })
    try {
      const before = await subjectAt(program.address)
      await use('client')
      program.signal('SIGHUP')
      const several = () => Promise.all(Array.from({ length: 8 }, () => subjectAt(program.address)))
      await vi.waitFor(async () => expect(await several()).not.toContain(before), EFFECTIVE)
      expect(program.output()).not.toContain('ended and is restarted')
    } finally {
      await program.stop()
      await place.remove()
    }
  })
})

describe('the metrics of several processes', () => {
  const metricsOf = async (url: string) => {
    const text = await (await fetch(url)).text()
    const metric = (name: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith(name))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    return { text, metric }
  }

  it('are served on one port like those of one process, and do not decrease when a process crashes', async () => {
    const place = await newClonePlace()
    const url = `http://127.0.0.1:${await freePort()}/metrics`
    const program = await start({ ...place.settings, METRICS_PORT: new URL(url).port })
    try {
      const CALLS = 20
      for (let turn = 0; turn < CALLS; turn++) await call(`${program.address}/tags/v1`)
      const counted = 'anteroom_http_requests_total{operation="tags.getAll",status="401"}'
      await vi.waitFor(async () => expect((await metricsOf(url)).metric(counted)).toBe(CALLS), EFFECTIVE)
      const { text, metric } = await metricsOf(url)
      // Both have separate connections to one database.
      expect(metric('anteroom_database_connections_max{pool="application"}')).toBeGreaterThanOrEqual(20)
      expect(text.match(/^anteroom_database_size_bytes .*/gm)).toHaveLength(1)
      expect(metric('anteroom_database_size_bytes')).toBeLessThan(1e9)
      process.kill(listeners(program)[0] as number, 'SIGKILL')
      await vi.waitFor(() => expect(listeners(program).length).toBe(3), EFFECTIVE)
      await vi.waitFor(async () => expect((await metricsOf(url)).metric(counted)).toBe(CALLS), EFFECTIVE)
      await call(`${program.address}/tags/v1`)
      await vi.waitFor(async () => expect((await metricsOf(url)).metric(counted)).toBe(CALLS + 1), EFFECTIVE)
    } finally {
      await program.stop()
      await place.remove()
    }
  })
})
