// `npm run bench:console`: the waits of a front-desk user in a real Chromium (CHROMIUM, or /usr/bin/chromium), with the built program and
// a board of 300 visits. Figures in results.md.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { packageFile } from '../src/platform/package-root.ts'
import { startAnteroom } from './processes.ts'

const VISITS = 300
const TYPED = 'jane doe number'
const PASSWORD = 'seven lanterns above the harbor'

async function main(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-console-'))
  await chmod(dataDir, 0o755)
  const environment = { DATA_DIR: dataDir, PORT: '0', CORE_PORT: '0', TOKEN_RATE_LIMIT: '1000' }
  const server = await startAnteroom(environment)
  const command = (...words: string[]) =>
    JSON.parse(
      execFileSync('node', [packageFile('bin', 'anteroom.js'), ...words, '--json'], {
        encoding: 'utf8',
        env: { ...process.env, ...environment },
      }),
    )
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const client = command('client', 'create', 'bench', '--organization', 'sandbox')
    const user = command('user', 'create', 'bench', '--organization', 'sandbox', '--role', 'front_desk')
    const call = await api(server.url, client)
    const ids = await fill(call)
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    print('first screen, gzip', `${await signIn(page, server.url, user.one_time_password)} KB`)
    print(`board of ${VISITS} visits, from the address to the rows`, `${await timeBoard(page, server.url)} ms`)
    print('rows drawn again by a live change of one visit', String(await countDrawn(page, call, ids[150] ?? '')))
    print(
      'search, from a key to the answer on the screen, median and worst',
      `${(await timeSearch(page)).join(' and ')} ms`,
    )
  } finally {
    await browser.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

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

/** Patients with a visit each today; resolves to the ids of the appointments. */
async function fill(call: Call): Promise<string[]> {
  const ids: string[] = []
  const today = new Date().toISOString().slice(0, 10)
  for (let number = 0; number < VISITS; number++) {
    const patient = await call('POST', '/patients/v1?skip_duplicate_check=true', {
      name: { family: `Doe Number ${number}`, given: ['Jane'], use: 'USUAL' },
      other_names: [],
      birth_date: '1984-02-29',
      biological_sex: 'FEMALE',
      primary_address: {
        use: 'HOME',
        line: ['4 Quay St'],
        city: 'Portland',
        state: 'ME',
        postal_code: '04101',
        country: 'US',
      },
      other_addresses: [],
      other_telecoms: [],
      contacts: [],
      general_practitioners: [],
      filing_order: { coverages: [] },
    })
    const at = `${today}T${String(8 + Math.floor(number / 30)).padStart(2, '0')}:${String((number % 30) * 2).padStart(2, '0')}:00Z`
    const visit = { patient_id: patient.id, start_timestamp: at, service_duration: 20, services: [], status: 'READY' }
    ids.push((await call('POST', '/appointments/v1', visit)).id as string)
  }
  return ids
}

/** The kilobytes that the first screen loads until the board is visible. */
async function signIn(page: Page, url: string, oneTimePassword: string): Promise<number> {
  const files = new Set<string>()
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname
    if (path.startsWith('/console/assets/')) files.add(path)
  })
  await page.goto(`${url}/console/`)
  await page.locator('[name=username]').fill('bench')
  await page.locator('[name=password]').fill(oneTimePassword)
  await page.keyboard.press('Enter')
  await page.getByLabel('Current password').fill(oneTimePassword)
  await page.getByLabel('New password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await rows(page)
  files.clear()
  await page.reload()
  await rows(page)
  await page.getByText('Up to date').waitFor()
  const sizes = [...files].map(async (path) => gzipSync(await readFile(packageFile('dist', path.slice(1)))).length)
  return Math.round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024)
}

const rows = (page: Page) =>
  page
    .locator('tbody tr')
    .nth(VISITS - 1)
    .waitFor({ state: 'attached' })

async function timeBoard(page: Page, url: string): Promise<number> {
  const start = performance.now()
  await page.goto(`${url}/console/today`)
  await rows(page)
  return Math.round(performance.now() - start)
}

async function countDrawn(page: Page, call: Call, id: string): Promise<number> {
  await page.getByText('Up to date').waitFor()
  await page.waitForTimeout(1_000)
  await page.evaluate(`{
    window.changed = new Set()
    new MutationObserver((records) => {
      for (const { target } of records) {
        const row = (target.closest ? target : target.parentElement)?.closest('tr')
        if (row) window.changed.add(row)
      }
    }).observe(document.querySelector('tbody'), { subtree: true, childList: true, characterData: true, attributes: true })
  }`)
  const {
    id: _,
    organization_id,
    deactivated,
    version,
    updated_at,
    updating_user_id,
    ...visit
  } = await call('GET', `/appointments/v1/${id}`)
  const now = new Date().toISOString()
  await call('PUT', `/appointments/v1/${id}/${Number(version) + 1}`, {
    ...visit,
    status: 'CHECKED_IN',
    checked_in_timestamp: now,
  })
  await page.locator(`[data-id="${id}"]`).getByText('Checked in').waitFor()
  return await page.evaluate<number>('window.changed.size')
}

async function timeSearch(page: Page): Promise<number[]> {
  await page.keyboard.press('Control+k')
  const field = page.locator('input[role=combobox]')
  const times: number[] = []
  await field.pressSequentially('ja')
  await page.locator('[role=option]').first().waitFor()
  for (const key of TYPED.slice(2).replaceAll(' ', '')) {
    await page.waitForTimeout(300)
    const start = performance.now()
    const answer = page.waitForResponse((response) => response.url().includes('/lists/v1/patient'))
    await field.press(key)
    await answer
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return [times[Math.floor(times.length / 2)] ?? 0, times.at(-1) ?? 0].map(Math.round)
}

const print = (what: string, figure: string) => console.log(`${what.padEnd(70)} ${figure}`)

await main()
