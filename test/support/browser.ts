// A real Chromium for the tests of the console: the machine's, otherwise the one of an npm package. One for all files.
import { existsSync, mkdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'
import { placeCarriedBrowser } from './carried-browser.ts'

const OF_THE_MACHINE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Containers have a small /dev/shm and no user for a sandbox. All pages come from the service under test. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--in-process-gpu',
  // One part of a page in place of some forty: without a graphics processor, each is drawn, uploaded and composed by itself.
  '--default-tile-width=2048',
  '--default-tile-height=2048',
  '--force-color-profile=srgb',
]

/** The reason why there is no browser; undefined if there is one. */
export function whyNoBrowser(): string | undefined {
  if (!existsSync(packageFile('dist', 'console', 'index.html'))) return 'the console is not built: npm run build'
  if (OF_THE_MACHINE.some(existsSync) || (platform() === 'linux' && arch() === 'x64')) return undefined
  return `there is no Chromium on this machine, and the package carries none for ${platform()} ${arch()}`
}

let opening: Promise<Browser> | undefined

/** Started at first use; Playwright ends it with this process. */
function openBrowser(): Promise<Browser> {
  opening ??= launch()
  return opening
}

async function launch(): Promise<Browser> {
  const executablePath = OF_THE_MACHINE.find(existsSync)
  if (executablePath) return chromium.launch({ executablePath, args: ARGUMENTS })
  return chromium.launch({ ...(await placeCarriedBrowser()), args: ARGUMENTS })
}

export interface Sheet {
  context: BrowserContext
  page: Page
  /** Unexpected reports of the console: errors, and violations of the content security policy. */
  faults: string[]
  /** To be called at the end of the test. */
  close(): Promise<void>
}

type Options = NonNullable<Parameters<Browser['newContext']>[0]>

const VIEWPORT = { width: 1280, height: 800 }
/** Windows that no test uses, by site. Starting a window's processes takes longer than most tests that use it. */
const idle = new Map<string, Sheet[]>()

/** A separate window without cookies and storage. One with a viewport and a theme only may have served another test, and was emptied after it. */
export async function openWindow(
  url: string,
  { viewport = VIEWPORT, colorScheme, ...special }: Options = {},
): Promise<Sheet> {
  const isReusable = Object.keys(special).length === 0
  const sheet = (isReusable && idle.get(url)?.pop()) || (await newWindow(url, special, isReusable))
  if (viewport) await sheet.page.setViewportSize(viewport)
  // A test may have printed in it.
  await sheet.page.emulateMedia({ media: null, colorScheme: colorScheme ?? 'light' })
  return sheet
}

async function newWindow(url: string, special: Options, isReusable: boolean): Promise<Sheet> {
  const browser = await openBrowser()
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...special })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser reports every refused call itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  const sheet = { context, page, faults, close }
  async function close() {
    if (!isReusable) return context.close()
    await empty(sheet, url)
    idle.set(url, [...(idle.get(url) ?? []), sheet])
  }
  return sheet
}

/** Leaves a window as a new one is, except that it keeps its processes. */
async function empty({ context, page, faults }: Sheet, url: string): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.unrouteAll()
  await page.unrouteAll()
  await context.clearPermissions()
  await showNothing(await context.newCDPSession(page), page, `${url}/console/empty`)
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await context.clearCookies()
  faults.length = 0
}

/** Of all pages, else the browser starts another process for a page without them. */
const PAGE_HEADERS = [
  { name: 'content-type', value: 'text/html' },
  { name: 'cross-origin-opener-policy', value: 'same-origin' },
  { name: 'cross-origin-embedder-policy', value: 'require-corp' },
]

/**
 * Shows a page without scripts, so that nothing is written afterwards. Answered without `route`, which turns the browser's caches off: the load
 * after it would take twice as long (decisions/0203-what-the-browser-takes.md).
 */
async function showNothing(devtools: CDPSession, page: Page, address: string): Promise<void> {
  devtools.on('Fetch.requestPaused', ({ requestId }) => {
    void devtools.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: PAGE_HEADERS })
  })
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: address }] })
  await page.goto(address)
  await devtools.detach()
}

/**
 * `page.route` on a page that is shown, done when the browser knows of it: a busy page sends requests for a moment as before, which then nobody
 * holds. The probe is answered by the console's start page until then.
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route)
  const probe = '/console/intercepted'
  await page.route(`**${probe}`, (each) => each.fulfill({ body: probe }))
  const answer = () => page.evaluate<string>(`fetch('${probe}').then((reply) => reply.text())`)
  await expect.poll(answer).toBe(probe)
  await page.unroute(`**${probe}`)
}

/** At the end of a file: no other one uses its site. */
export async function closeIdleWindows(url: string): Promise<void> {
  for (const { context } of idle.get(url) ?? []) await context.close()
  idle.delete(url)
}

/** Saves a screenshot if SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
