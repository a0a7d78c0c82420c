// The reference in a real browser: operations tried out with a token, and copied as commands.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { updateOrganization } from '../../src/platform/auth/clients.ts'
import { faultsOf } from '../support/axe.ts'
import { patientBody } from '../support/bodies.ts'
import { closeIdleWindows, openWindow, picture, type Sheet, whyNoBrowser } from '../support/browser.ts'
import { type Caller, testService } from '../support/service.ts'

const reason = whyNoBrowser()
if (reason !== undefined) process.stderr.write(`Skipped: the reference in a browser. ${reason}\n`)

const service = testService()
let url = ''
let caller: Caller
const opened: Sheet[] = []

async function openReference(): Promise<Sheet> {
  const sheet = await loadReference()
  opened.push(sheet)
  return sheet
}

async function loadReference(): Promise<Sheet> {
  const sheet = await openWindow(url)
  await sheet.page.goto('/docs')
  await sheet.page.getByRole('heading', { name: 'Try it out' }).waitFor()
  return sheet
}

let loading: Promise<Sheet> | undefined

/** One window with a token, for journeys that each use operations of their own: the page has all of them, and takes a second to load. */
function sharedReference(): Promise<Sheet> {
  loading ??= loadReference().then(async (sheet) => {
    await getToken(sheet.page)
    return sheet
  })
  return loading
}

async function getToken(page: Page): Promise<void> {
  await page.getByLabel('Client id').fill(caller.credentials.client_id)
  await page.getByLabel('Client secret').fill(caller.credentials.client_secret)
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText('Calls use this token.').waitFor()
}

async function openForm(page: Page, operation: string): Promise<Locator> {
  const article = page.locator(`[id="${operation}"]`)
  await article.getByText('Try it out').click()
  return article.locator('form')
}

/** The answer, once there is one. */
async function send(form: Locator): Promise<{ status: string; body: string }> {
  await form.getByRole('button', { name: 'Send' }).click()
  await form.locator('output', { hasText: /^\d{3}/ }).waitFor()
  return {
    status: (await form.locator('output').innerText()).slice(0, 3),
    body: await form.locator('pre').last().innerText(),
  }
}

describe.skipIf(reason !== undefined)('the reference', () => {
  beforeAll(async () => {
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
    caller = await service.newCaller()
  })
  afterEach(async () => {
    for (const sheet of opened.splice(0)) await sheet.close()
  })
  afterAll(async () => {
    await (await loading)?.close()
    await closeIdleWindows(url)
  })

  it('calls an operation with a token that it was asked for, and shows the answer', async () => {
    const { page, faults } = await sharedReference()
    const form = await openForm(page, 'patients.create')
    await form.getByLabel('Body').fill(JSON.stringify(patientBody()))
    const made = await send(form)
    expect(made.status).toBe('200')
    const { id, mrn } = JSON.parse(made.body)
    const read = await openForm(page, 'patients.getByMrn')
    await read.getByLabel('mrn (required)').fill(mrn)
    const { status, body } = await send(read)
    expect([status, JSON.parse(body).id]).toEqual(['200', id])
    expect(faults).toEqual([])
  })

  it('copies the call as a shell command, with any content quoted and without the token', async () => {
    const { page } = await sharedReference()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
    const form = await openForm(page, 'notes.create')
    const value = `O'Neil "$HOME" \`id\` $(id) \\ ! é`
    await form.getByLabel('Body').fill(JSON.stringify({ value }))
    await form.getByRole('button', { name: 'Copy as curl' }).click()
    await form.getByText('Copied.').waitFor()
    const command = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(command).not.toContain(caller.token)
    expect(command).toContain('Bearer $TOKEN')
    const run = await promisify(execFile)('sh', ['-c', command], {
      env: { PATH: process.env.PATH, TOKEN: caller.token },
    }).catch((error) => error)
    if (/curl: not found/.test(String((run as { stderr?: string }).stderr))) return
    expect(JSON.parse(run.stdout).value).toBe(value)
  })

  it('makes a command of a query with every character that a shell or an address gives a meaning', async () => {
    const { page } = await sharedReference()
    const form = await openForm(page, 'appointments.getVisits')
    await form.getByLabel('filters (required)').fill(`patient.name|similarTo|O'N & {a,b}[1]#`)
    const text = await form.locator('pre').first().innerText()
    const address = /'(http[^']+)'/.exec(text)?.[1] ?? ''
    expect(new URL(address).searchParams.get('filters')).toBe(`patient.name|similarTo|O'N & {a,b}[1]#`)
    expect(address).not.toMatch(/[[\]{}|']/)
  })

  it('keeps the token in the page alone: it is gone after a reload, and nothing is stored', async () => {
    const { page, context } = await openReference()
    await getToken(page)
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
    expect(await context.cookies()).toEqual([])
    await page.reload()
    const form = await openForm(page, 'tags.create')
    expect((await send(form)).status).toBe('401')
  })

  it('names the missing parameter, and shows any answer as text', async () => {
    const { page, faults } = await sharedReference()
    const read = await openForm(page, 'patients.get')
    await read.getByRole('button', { name: 'Send' }).click()
    await read.getByText('id is missing.').waitFor()
    const form = await openForm(page, 'tags.create')
    const hostile = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>'
    await form.getByLabel('Body').fill(JSON.stringify({ value: hostile }))
    expect(JSON.parse((await send(form)).body).value).toBe(hostile)
    expect(await page.evaluate('window.broken')).toBeUndefined()
    expect(faults).toEqual([])
  })

  it('can be read completely without the script', async () => {
    const sheet = await openWindow(url, { javaScriptEnabled: false })
    opened.push(sheet)
    const { page } = sheet
    await page.goto('/docs')
    await page.locator('[id="patients.create"] h3').waitFor()
    expect(await page.getByText('Try it out').count()).toBe(0)
  })

  it('has no fault that axe finds, and fits, in both themes and at two widths', async () => {
    const looks = [1280, 820].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width, name: `${colorScheme}-${width}` })),
    )
    const { page } = await openReference()
    const show = async ({ colorScheme, width }: (typeof looks)[number]) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
    }
    await getToken(page)
    const form = await openForm(page, 'patients.scan')
    await form.getByLabel('since (required)').fill('2020-01-01T00:00:00.000Z')
    await send(form)
    await openForm(page, 'patients.create')
    for (const look of looks) {
      await show(look)
      expect(await page.evaluate('document.documentElement.scrollWidth'), look.name).toBeLessThanOrEqual(look.width)
      await picture(page, `reference-${look.name}-call`)
    }
    // The other operations and types look the same: 300 of them take axe minutes.
    await page.evaluate(
      `[...document.querySelectorAll('article')].filter((each, index) => index > 3 && !each.querySelector('form')).forEach((each) => each.remove())`,
    )
    for (const look of looks) {
      await show(look)
      await page.evaluate('scrollTo(0, 0)')
      await picture(page, `reference-${look.name}-top`)
      // The themes differ in colors alone.
      expect(await faultsOf(page, { colorsOnly: look.colorScheme === 'dark' }), look.name).toEqual([])
    }
  })

  it('a page of an allowed origin calls the service as the published client does, and one of another origin reads nothing', async () => {
    const pages = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>'))
    await once(pages.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void pages.close().closeAllConnections())
    const { port } = pages.address() as AddressInfo
    const [allowed, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
    await updateOrganization(service.database, caller.organizationId, { allowed_origins: [allowed] })
    const sheet = await openWindow(allowed, { locale: 'en' })
    opened.push(sheet)
    const { page } = sheet
    const headers = {
      authorization: `Bearer ${caller.token}`,
      'content-type': 'application/json',
      'X-Fern-Language': 'JavaScript',
      'X-Fern-SDK-Version': '1.33.0',
    }
    const post = ([address, sent]: [string, Record<string, string>]) =>
      fetch(address, { method: 'POST', headers: sent, body: '{"value":"x"}' }).then(
        (answer) => [answer.status, answer.headers.get('x-request-id') !== null],
        (error: Error) => `${error}`,
      )
    const from = async (origin: string) => {
      await page.goto(`${origin}/`)
      return page.evaluate(post, [`${url}/notes/v1`, headers] as [string, Record<string, string>])
    }
    // A new origin takes effect within seconds.
    await expect.poll(() => from(allowed)).toEqual([200, true])
    expect(await from(other)).toBe('TypeError: Failed to fetch')
  })
})
