// `npm run bench:console`: the waits of a front-desk user in a real Chromium (CHROMIUM, or /usr/bin/chromium), with the built program, 200,000
// patients and a board of 300 visits. The first run seeds the patients into a folder that later runs use again (CONSOLE_BENCH_DIR). Figures in
// results.md.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { packageFile } from '../src/platform/package-root.ts'
import { type Call, countDrawn, firstScreen, rows, searchTimes, switchDays, throttled } from './console-screen.ts'
import { startAnteroom } from './processes.ts'

const PATIENTS = 200_000
const VISITS = 300
const PASSWORD = 'seven lanterns above the harbor'
const DATA_DIR = process.env.CONSOLE_BENCH_DIR ?? join(tmpdir(), `anteroom-console-${PATIENTS}`)
const SEEDED = join(DATA_DIR, 'seeded')

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  await mkdir(DATA_DIR, { recursive: true })
  await chmod(DATA_DIR, 0o755)
  const environment = { DATA_DIR, PORT: '0', CORE_PORT: '0', TOKEN_RATE_LIMIT: '1000' }
  const server = await startAnteroom(environment)
  const run = (words: string[]) =>
    execFileSync('node', [packageFile('bin', 'anteroom.js'), ...words, '--json'], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    if (!existsSync(SEEDED)) {
      console.log(`seeding ${PATIENTS} patients into ${DATA_DIR}, once`)
      run(['seed', '--organization', 'sandbox', '--patients', `${PATIENTS}`, '--appointments', '20000'])
      await writeFile(SEEDED, '')
    }
    const name = `bench${Date.now()}`
    const client = JSON.parse(run(['client', 'create', name, '--organization', 'sandbox']))
    const user = JSON.parse(run(['user', 'create', name, '--organization', 'sandbox', '--role', 'front_desk']))
    const call = await api(server.url, client)
    const ids = await fill(call)
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await signIn(page, server.url, name, user.one_time_password)
    print('load average of the machine, with this run', loadavg()[0]?.toFixed(1) ?? '')
    const { assetsKb, allKb } = await firstScreen(page, VISITS)
    print('first screen as transferred: scripts, styles and page, brotli', `${assetsKb} KB`)
    print(`the same with the answers for ${VISITS} visits`, `${allKb} KB`)
    const slow = await throttled(page, VISITS)
    print('first screen without a cache, CPU slowed 2 times, 50 Mbit/s, 10 ms: heading', `${slow.headingMs} ms`)
    print(`the same, until the first rows of ${VISITS} visits, and until all`, `${slow.windowMs} ms, ${slow.rowsMs} ms`)
    const board = await switchDays(page, VISITS)
    print(
      `board of ${VISITS} visits from memory, from the key to the frame with its first rows, median`,
      `${board.windowMs} ms`,
    )
    print('the same, until all rows are drawn: time, and CPU of the page', `${board.allMs} ms, ${board.cpuMs} ms`)
    print('rows drawn again by a live change of one visit', String(await countDrawn(page, call, ids.at(-1) ?? '')))
    for (const round of ['after a start', 'again']) {
      for (const { what, server: atServer, screen } of await searchTimes(page)) {
        print(
          `search by ${what}, ${round}, p95: requests, and from the key to the frame`,
          `${atServer} ms, ${screen} ms`,
        )
      }
      // Without what the page remembers.
      await page.reload()
      await rows(page, VISITS)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function api(url: string, { client_id, client_secret }: Record<string, string>): Promise<Call> {
  const send = async (method: string, path: string, body: unknown, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  const { access_token } = await send('POST', '/api/auth/v2/token', { client_id, client_secret })
  return (method, path, body) => send(method, path, body, access_token as string)
}

/** Adds visits until today has as many as the board needs; resolves to the ids of today's visits. */
async function fill(call: Call): Promise<string[]> {
  const today = new Date().toISOString().slice(0, 10)
  const filters = encodeURIComponent(`appointment.startTimestamp|eq|${today}`)
  const stored = await call('GET', `/lists/v1/appointment?limit=1000&filters=${filters}`)
  const ids = (stored.items as { appointment: { id: string } }[]).map(({ appointment }) => appointment.id)
  const { items } = await call('GET', `/lists/v1/patient?limit=${VISITS}`)
  for (const { patient } of items as { patient: { id: string } }[]) {
    if (ids.length >= VISITS) break
    const at = `${today}T${String(8 + Math.floor(ids.length / 30)).padStart(2, '0')}:${String((ids.length % 30) * 2).padStart(2, '0')}:00Z`
    const visit = { patient_id: patient.id, start_timestamp: at, service_duration: 20, services: [], status: 'READY' }
    ids.push((await call('POST', '/appointments/v1', visit)).id as string)
  }
  return ids
}

async function signIn(page: Page, url: string, username: string, oneTimePassword: string): Promise<void> {
  await page.goto(`${url}/console/`)
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(oneTimePassword)
  await page.keyboard.press('Enter')
  await page.getByLabel('One-time password').and(page.locator('input')).fill(oneTimePassword)
  await page.getByLabel('New password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await rows(page, VISITS)
}

const print = (what: string, figure: string) => console.log(`${what.padEnd(88)} ${figure}`)

await main()
