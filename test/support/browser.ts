// A real Chromium for the tests of the console: that of the machine, else the one that an npm package carries. One for all files.
import { existsSync, mkdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { packageFile } from '../../src/platform/package-root.ts'

const OF_THE_MACHINE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Containers have a small /dev/shm, and no user that a sandbox could be left to. What is shown comes from the service under test alone. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb']

/** Why there is no browser here; undefined where there is one. */
export function whyNoBrowser(): string | undefined {
  if (!existsSync(packageFile('dist', 'console', 'index.html'))) return 'the console is not built: npm run build'
  if (OF_THE_MACHINE.some(existsSync) || (platform() === 'linux' && arch() === 'x64')) return undefined
  return `there is no Chromium on this machine, and the package carries none for ${platform()} ${arch()}`
}

let opening: Promise<Browser> | undefined

/** Started when it is first needed; Playwright ends it with this process. */
export function openBrowser(): Promise<Browser> {
  opening ??= launch()
  return opening
}

async function launch(): Promise<Browser> {
  const executablePath = OF_THE_MACHINE.find(existsSync)
  if (executablePath) return chromium.launch({ executablePath, args: ARGUMENTS })
  // So it brings the libraries, too, which a machine without a desktop does not have.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: carried } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await carried.executablePath(), args: ARGUMENTS })
}

export interface Sheet {
  context: BrowserContext
  page: Page
  /** What the console reported that it should not: errors, and what its policy refused. */
  faults: string[]
}

/** A window of its own, without anybody's cookies. */
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
    // An answer that is a refusal is told of by the browser itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  return { context, page, faults }
}

/** For whoever looks at the screens: SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
