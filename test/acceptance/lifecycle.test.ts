// Starting, stopping and kill -9: acknowledged writes are kept, and accepted requests are answered.
// Each test has its own servers and mostly waits for them, so the tests run concurrently.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { CandidApiClient, CandidApiEnvironment } from 'candidhealth'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { cloneDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { publishedClient } from '../support/published-client.ts'
import {
  type Credentials,
  newDataFolder,
  newMigratedFolder,
  runCommand,
  type Settings,
  type StartedServer,
  startProgram,
  startServer,
  startServerOnClone,
} from '../support/started-server.ts'
import { activeCheck, bodyOf, somePatient } from './requests.ts'

const closers: (() => Promise<void>)[] = []
/** Stops every started process, also when a test or a stop fails. */
afterAll(async () => {
  const faults: unknown[] = []
  for (const close of closers.toReversed()) await close().catch((error) => faults.push(error))
  expect(faults).toEqual([])
})

async function started(settings: Settings): Promise<StartedServer> {
  const server = await startServer(settings)
  closers.push(server.kill)
  return server
}

/** The client that a first start creates and prints. */
function firstCredentials(server: StartedServer): Credentials {
  const shown = (name: string) => new RegExp(`${name} +(\\S+)`).exec(server.output())?.[1] ?? ''
  const [client_id, client_secret] = [shown('client_id'), shown('client_secret')]
  return { client_id, client_secret, organization_id: shown('organization_id') }
}

const inTime = { timeout: 60_000 }

const readiness = async (server: StartedServer) => (await fetch(`${server.url}/readyz`)).status

async function tokenFor(server: StartedServer, credentials: Credentials): Promise<string> {
  const { clientId, clientSecret } = { clientId: credentials.client_id, clientSecret: credentials.client_secret }
  const answer = await publishedClient(server, credentials).auth.default.getToken({ clientId, clientSecret })
  return bodyOf(answer).accessToken
}

const clientWithToken = (server: StartedServer, token: string) =>
  new CandidApiClient({ baseUrl: server.url, token, maxRetries: 0 }).preEncounter

describe.concurrent('a server on its embedded database', () => {
  test('keeps data and tokens after a stop and after kill -9', async () => {
    const folder = await newDataFolder()
    closers.push(folder.remove)
    const settings = { DATA_DIR: folder.path }

    const first = await started(settings)
    const credentials = firstCredentials(first)
    const token = await tokenFor(first, credentials)
    const patient = bodyOf(await clientWithToken(first, token).patients.v1.create({ body: somePatient() }))
    await first.stop()

    const second = await started(settings)
    const { patients } = clientWithToken(second, token)
    expect(bodyOf(await patients.v1.get(patient.id))).toEqual(patient)
    const changed = bodyOf(await patients.v1.update(patient.id, '2', somePatient({ language: 'es' })))
    await second.kill()

    const third = await started(settings)
    expect(bodyOf(await clientWithToken(third, token).patients.v1.get(patient.id))).toEqual(changed)
    expect(await tokenFor(third, credentials)).toMatch(/^ey/)
    await third.stop()
  })

  test('prints the credentials only at its first start, and refuses a second server on its folder', async () => {
    const folder = await newMigratedFolder()
    closers.push(folder.remove)
    const server = await started({ DATA_DIR: folder.path })
    const [, secret = ''] = /client_secret {4}(\S{43})\n/.exec(server.output()) ?? []
    const [line = ''] = /read -rs .*/.exec(server.output()) ?? []
    expect(line).not.toContain(secret)
    const token = execFileSync('bash', ['-c', line], { encoding: 'utf8', input: `${secret}\n` })
    expect(JSON.parse(token)).toMatchObject({ token_type: 'Bearer' })

    const second = await runCommand(['serve'], {
      DATA_DIR: folder.path,
      PORT: '0',
      CORE_PORT: '0',
      LOG_LEVEL: 'silent',
    })
    expect([second.code, second.stdout]).toEqual([1, ''])
    expect(second.stderr).toMatch(/^anteroom: .*\n$/)
    await vi.waitFor(async () => expect(await readiness(server)).toBe(200), inTime)
    await server.stop()

    const again = await started({ DATA_DIR: folder.path })
    expect(again.output()).not.toMatch(/client_secret/)
    await again.stop()
  })

  test('is ready only when its first client exists', async () => {
    const folder = await newMigratedFolder()
    closers.push(folder.remove)
    // A command, which keeps everybody from creating organizations.
    const embedded = await openEmbedded({ dataDir: folder.path, log: () => {}, role: 'command' })
    closers.push(embedded.stop)
    const client = new Client(embedded.connection)
    await client.connect()
    await client.query('begin; lock table organization in share mode')
    const server = await startProgram(
      ['serve'],
      { DATA_DIR: folder.path, LOG_LEVEL: 'info' },
      /listening on (http[^"]+)/,
    )
    closers.push(server.kill)
    const ready = async () => {
      const answer = await fetch(`${server.address}/readyz`)
      return { code: answer.status, ...((await answer.json()) as object) }
    }
    const starting = { code: 503, status: 'starting', database: 'ok' }
    await vi.waitFor(async () => expect(await ready()).toEqual(starting), inTime)
    expect(server.output()).not.toContain('client_secret')
    await client.query('commit')
    await client.end()
    await vi.waitFor(() => expect(server.output()).toContain('client_secret'), inTime)
    expect(await ready()).toEqual({ code: 200, status: 'ready', database: 'ok' })
    await server.stop()
    await embedded.stop()
  })
})

describe.concurrent('a server with two ports', () => {
  test('serves the published client in the two-port form of its Local environment', async () => {
    const [port, corePort] = [await freePort(), await freePort()]
    const server = await startServerOnClone({ PORT: String(port), CORE_PORT: String(corePort) })
    closers.push(server.kill)
    expect([server.url, server.coreUrl]).toEqual([`http://127.0.0.1:${port}`, `http://127.0.0.1:${corePort}`])

    const { client_id: clientId, client_secret: clientSecret } = await server.newCredentials()
    // Like CandidApiEnvironment.Local, whose ports are 5050 and 4000.
    expect(Object.keys(CandidApiEnvironment.Local)).toEqual(['candidApi', 'preEncounter'])
    const environment = { candidApi: server.coreUrl!, preEncounter: server.url }
    const { preEncounter } = new CandidApiClient({ environment, clientId, clientSecret, maxRetries: 0 })
    const check = bodyOf(await preEncounter.eligibilityChecks.v1.post(activeCheck()))
    expect(check.parsedResponse?.eligibilityStatus).toBe('ACTIVE')

    // Either port serves both groups.
    for (const url of [server.url, server.coreUrl]) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      const refused = await fetch(`${url}/api/auth/v2/token`, { method: 'POST', body: 'x' })
      expect(refused.status).toBe(415)
    }
    await server.stop()
  })
})

describe.concurrent('a stop', () => {
  const slow = activeCheck({
    payerId: 'SBTEST',
    subscriber: { memberId: 'SLOW2000', firstName: 'Test', lastName: 'SLOW', dateOfBirth: '1980-01-01' },
  })

  test('finishes requests in flight on both ports, whatever is signaled meanwhile, then exits with code 0 and waits for no idle connection', async ({
    expect,
  }) => {
    const server = await startServerOnClone({ CORE_PORT: String(await freePort()) })
    closers.push(server.kill)
    const token = await tokenFor(server, await server.newCredentials())
    const inFlight = [server.url, server.coreUrl!].map((baseUrl) =>
      new CandidApiClient({ baseUrl, token, maxRetries: 0 }).preEncounter.eligibilityChecks.v1.post(slow),
    )
    const headers = { authorization: `Bearer ${token}` }
    const begun = async () => {
      const stored = await fetch(`${server.url}/anteroom/v1/eligibility-checks?limit=10`, { headers })
      return ((await stored.json()) as { items: object[] }).items.length
    }
    await expect.poll(begun).toBe(inFlight.length)
    const idle = connect(Number(new URL(server.url).port), '127.0.0.1').unref()
    idle.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(idle, 'data')
    const stopped = server.stop()
    // systemd with SendSIGHUP sends one, a terminal that closes two.
    for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM', 'SIGUSR2', 'SIGQUIT'] as const) {
      // Signals that arrive together count as one.
      await delay(50)
      server.signal(signal)
    }
    for (const answer of await Promise.all(inFlight)) {
      expect(bodyOf(answer).parsedResponse?.eligibilityStatus).toBe('ACTIVE')
    }
    const answeredAt = performance.now()
    await stopped
    // The server keeps an idle connection for 72 seconds.
    expect(performance.now() - answeredAt).toBeLessThan(60_000)
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })
})

describe.concurrent('readiness', () => {
  test('follows the database: 503 while it is unavailable, 200 when it is available again, without a restart', async ({
    expect,
  }) => {
    const clone = await cloneDatabase()
    const folder = await newDataFolder()
    const database = await openDoorTo(inject('postgres'), folder.path)
    closers.push(folder.remove, clone.drop, database.shut)
    const { host } = inject('postgres')
    const url = clone.url.replace(encodeURIComponent(host), encodeURIComponent(folder.path))
    const server = await started({ DATABASE_URL: url, DATA_DIR: folder.path })
    const { patients } = publishedClient(server, await server.newCredentials()).preEncounter
    const { id } = bodyOf(await patients.v1.create({ body: somePatient() }))
    // A database that takes more than a second and a half is unavailable too, as it may be on a busy machine.
    await expect.poll(() => readiness(server), inTime).toBe(200)

    await database.shut()
    // It queries the database at most once a second for all callers.
    await expect.poll(() => readiness(server), inTime).toBe(503)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const refused = await patients.v1.get(id)
    expect(refused).toMatchObject({
      ok: false,
      error: { content: { statusCode: 503, body: { errorName: 'InternalError' } } },
    })

    await database.open()
    await expect.poll(() => readiness(server), inTime).toBe(200)
    expect(bodyOf(await patients.v1.get(id))).toMatchObject({ id, version: 1 })
    await server.stop()
  })
})

/** How many connections the system keeps waiting for a program; unlimited here where it does not tell in a file. */
const somaxconn = (() => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'latin1'))
  } catch {
    return Number.POSITIVE_INFINITY
  }
})()
const CALLERS = 1500

describe(`a server that accepts no connection for a moment (the system keeps ${somaxconn} waiting)`, () => {
  test.skipIf(process.platform !== 'linux' || somaxconn < CALLERS)(
    'answers each of 1,500 callers that connected meanwhile, on the port of all operations and on that of /api',
    async () => {
      const server = await startServerOnClone({ CORE_PORT: String(await freePort()) })
      closers.push(server.kill)
      for (const url of [server.url, server.coreUrl ?? '']) {
        server.signal('SIGSTOP')
        const port = Number(new URL(url).port)
        const callers = Array.from({ length: CALLERS }, () => connect(port, '127.0.0.1').on('error', () => {}))
        try {
          // Beyond its backlog the system forgets connections that their callers take for open, and resets them later.
          await Promise.all(callers.map((caller) => once(caller, 'connect')))
          for (const caller of callers) caller.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
          server.signal('SIGCONT')
          const answers = await Promise.all(callers.map((caller) => text(caller)))
          expect(new Set(answers.map((answer) => answer.slice(0, 15)))).toEqual(new Set(['HTTP/1.1 200 OK']))
        } finally {
          server.signal('SIGCONT')
          for (const caller of callers) caller.destroy()
        }
      }
      await server.stop()
    },
  )
})

/** A socket in `folder` that forwards to the database and can be closed and opened again. */
async function openDoorTo(database: { host: string; port: number }, folder: string) {
  const name = `.s.PGSQL.${database.port}`
  const sockets = new Set<Socket>()
  const door = createServer((near) => {
    const far = connect(join(database.host, name))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  const open = async () => {
    door.listen(join(folder, name))
    await once(door, 'listening')
  }
  const shut = async () => {
    if (!door.listening) return
    door.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await once(door, 'close')
    await rm(join(folder, name), { force: true })
  }
  await open()
  return { open, shut }
}
