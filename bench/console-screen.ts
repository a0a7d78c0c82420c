// What bench/console.ts measures in the browser.
import type { Page, Request } from 'playwright-core'

/** Typed in search, each character after the second one a measurement. */
const TYPED = {
  name: ['harrison natalie', 'garcia mar', 'ngu', 'andrea'],
  MRN: ['S0012345', '0012345', '19876'],
  'birth date': ['02/29/1984', '1990-05-17', '11151978'],
  telephone: ['2105559652', '210-555-0', '(602) 555-1'],
}

/** More than a window of 800 px shows: the first part of a long board (console/src/screens/today/use-drawn.ts). */
const WINDOW_ROWS = 25

export const rows = (page: Page, count: number) =>
  page
    .locator('tbody tr')
    .nth(count - 1)
    .waitFor({ state: 'attached' })

/** What the console loads a second later for the next screen is not part of the first one. */
const WITHOUT_PRELOAD = `{
  const later = window.setTimeout
  window.setTimeout = (work, delay, ...rest) => (delay === 1_000 ? 0 : later(work, delay, ...rest))
}`

/** The kilobytes that a browser without a cache receives until the board is up to date, as sent (brotli). */
export async function firstScreen(signedIn: Page, visits: number): Promise<{ assetsKb: number; allKb: number }> {
  const page = await signedIn.context().newPage()
  await page.addInitScript(WITHOUT_PRELOAD)
  const network = await page.context().newCDPSession(page)
  const paths = new Map<string, string>()
  const sizes = new Map<string, number>()
  network.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
  await network.send('Network.enable')
  await network.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.goto(signedIn.url())
  await rows(page, visits)
  await page.getByText('Up to date').waitFor()
  const kilobytes = (isCounted: (path: string) => boolean) => {
    const counted = [...sizes].filter(([id]) => isCounted(paths.get(id) ?? ''))
    return Math.round(counted.reduce((sum, [, size]) => sum + size, 0) / 1024)
  }
  const result = { assetsKb: kilobytes((path) => path.startsWith('/console')), allKb: kilobytes(() => true) }
  await page.close()
  return result
}

interface FirstTimes {
  headingMs: number
  /** Until the rows of the window are drawn. */
  windowMs: number
  rowsMs: number
}

/** The first screen on a slower computer and network, without a cache. */
export async function throttled(page: Page, visits: number): Promise<FirstTimes> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 2 })
  const bytes = (50 * 1024 * 1024) / 8
  const profile = { offline: false, latency: 10, downloadThroughput: bytes, uploadThroughput: bytes }
  await devtools.send('Network.emulateNetworkConditions', profile)
  const times: FirstTimes[] = []
  for (let look = 0; look < 5; look++) {
    const start = performance.now()
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const headingMs = Math.round(performance.now() - start)
    await rows(page, WINDOW_ROWS)
    const windowMs = Math.round(performance.now() - start)
    await rows(page, visits)
    times.push({ headingMs, windowMs, rowsMs: Math.round(performance.now() - start) })
  }
  await devtools.detach()
  times.sort((a, b) => a.rowsMs - b.rowsMs)
  return times[2] ?? { headingMs: 0, windowMs: 0, rowsMs: 0 }
}

/** Leaves the day and returns to it, whose visits are then in memory: the medians until its first rows and until all rows are drawn. */
export async function switchDays(
  page: Page,
  visits: number,
): Promise<{ windowMs: number; allMs: number; cpuMs: number }> {
  await page.getByText('Up to date').waitFor()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpu = async () =>
    ((await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) *
    1000
  const times: { windowMs: number; allMs: number; cpuMs: number }[] = []
  for (let turn = 0; turn < 7; turn++) {
    await page.keyboard.press(']')
    await page.getByRole('heading', { name: /^Tomorrow/ }).waitFor()
    await page.waitForTimeout(1_000)
    const before = await cpu()
    const [windowMs = 0, allMs = 0] = await page.evaluate<number[]>(`new Promise((done) => {
      const start = performance.now()
      const times = []
      const look = () => {
        const count = document.querySelector('h1')?.textContent.startsWith('Today') ? document.querySelectorAll('tbody tr').length : 0
        if (count < [${WINDOW_ROWS}, ${visits}][times.length]) return requestAnimationFrame(look)
        requestAnimationFrame(() => setTimeout(() => {
          times.push(performance.now() - start)
          if (times.length === 2) done(times)
          else look()
        }))
      }
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true }))
      look()
    })`)
    times.push({ windowMs, allMs, cpuMs: (await cpu()) - before })
  }
  await devtools.detach()
  const median = (of: (time: (typeof times)[number]) => number) =>
    Math.round(times.map(of).sort((a, b) => a - b)[3] ?? 0)
  return {
    windowMs: median(({ windowMs }) => windowMs),
    allMs: median(({ allMs }) => allMs),
    cpuMs: median(({ cpuMs }) => cpuMs),
  }
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

/** The rows that the change of a visit by another client touches. The change is one that the row shows. */
export async function countDrawn(page: Page, call: Call, id: string): Promise<number> {
  await page.getByText('Up to date').waitFor()
  const row = page.locator(`[data-id="${id}"]`)
  await row.waitFor({ state: 'attached' })
  await page.evaluate(`{
    window.changed = new Set()
    new MutationObserver((records) => {
      for (const { target } of records) {
        const row = (target.closest ? target : target.parentElement)?.closest('tr')
        if (row) window.changed.add(row)
      }
    }).observe(document.querySelector('tbody'), { subtree: true, childList: true, characterData: true, attributes: true })
  }`)
  const stored = await call('GET', `/appointments/v1/${id}`)
  const { id: _, organization_id, deactivated, version, updated_at, updating_user_id, ...visit } = stored
  const copay = Number(visit.estimated_copay_cents ?? 0) === 1_234 ? 4_321 : 1_234
  await call('PUT', `/appointments/v1/${id}/${Number(version) + 1}`, { ...visit, estimated_copay_cents: copay })
  await row.filter({ hasText: `$${copay / 100}` }).waitFor({ state: 'attached' })
  return await page.evaluate<number>('window.changed.size')
}

interface SearchTime {
  what: string
  server: number
  screen: number
}

/** The 95th percentiles, in milliseconds, until the last answer to a text; `screen` includes the pause before a search begins. */
export async function searchTimes(page: Page): Promise<SearchTime[]> {
  const found: SearchTime[] = []
  const asked: Request[] = []
  page.on('request', (request) => isSearch(request) && asked.push(request))
  page.on('requestfailed', (request) => isSearch(request) && asked.splice(asked.indexOf(request), 1))
  for (const [what, texts] of Object.entries(TYPED)) {
    const server: number[] = []
    const screen: number[] = []
    for (const text of texts) {
      await page.keyboard.press('Control+k')
      const field = page.locator('input[role=combobox]')
      await field.pressSequentially(text.slice(0, 2))
      await page.waitForTimeout(500)
      for (const key of text.slice(2)) {
        asked.length = 0
        const start = performance.now()
        const answered = page
          .waitForResponse(isSearch, { timeout: /\w/.test(key) ? 10_000 : 1_500 })
          .then((response) => response.finished())
          .catch(() => undefined)
        await field.press(key)
        // A separator may not change what is searched for.
        if ((await answered) === undefined) continue
        // First letters that few family names begin with are followed by a search for similar names.
        do {
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
        } while (asked.some((request) => request.timing().responseEnd < 0))
        screen.push(performance.now() - start)
        const times = asked.map((request) => request.timing())
        const [first, last] = [times.map(({ startTime }) => startTime), times.map(endOf)]
        server.push(Math.max(...last) - Math.min(...first))
        await page.waitForTimeout(100)
      }
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
    found.push({ what, server: p95(server), screen: p95(screen) })
  }
  return found
}

const isSearch = (call: { url(): string }) => call.url().includes('/anteroom/v1/lists/patients')

const endOf = ({ startTime, responseEnd }: ReturnType<Request['timing']>) => startTime + responseEnd

function p95(times: number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0)
}
