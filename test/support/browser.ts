// A real Chromium for the tests of the console: the machine's, otherwise the one of an npm package. One for all files.
import { existsSync, mkdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { packageFile } from '../../src/platform/package-root.ts'

const OF_THE_MACHINE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Containers have a small /dev/shm and no user for a sandbox. All pages come from the service under test. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb']

/** The reason why there is no browser; undefined if there is one. */
export function whyNoBrowser(): string | undefined {
  if (!existsSync(packageFile('dist', 'console', 'index.html'))) return 'the console is not built: npm run build'
  if (OF_THE_MACHINE.some(existsSync) || (platform() === 'linux' && arch() === 'x64')) return undefined
  return `there is no Chromium on this machine, and the package carries none for ${platform()} ${arch()}`
}

let opening: Promise<Browser> | undefined

/** Started at first use; Playwright ends it with this process. */
export function openBrowser(): Promise<Browser> {
  opening ??= launch()
  return opening
}

async function launch(): Promise<Browser> {
  const executablePath = OF_THE_MACHINE.find(existsSync)
  if (executablePath) return chromium.launch({ executablePath, args: ARGUMENTS })
  // Makes the package provide its libraries as well, which a machine without a desktop lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: carried } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await carried.executablePath(), args: ARGUMENTS })
}

export interface Sheet {
  context: BrowserContext
  page: Page
  /** Unexpected reports of the console: errors, and violations of the content security policy. */
  faults: string[]
}

/** A separate window without cookies. */
export async function openWindow(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Sheet> {
  const browser = await openBrowser()
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser reports every refused call itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  return { context, page, faults }
}

/** Saves a screenshot if SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
