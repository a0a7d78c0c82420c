// What the browser journeys share: a service for each file, one browser, and steps that occur on every screen.
import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { readToken } from '../../src/platform/auth/session-store.ts'
import { appointmentBody, type Body, coverageBody, nameBody, patientBody } from '../support/bodies.ts'
import { closeIdleWindows, openWindow, type Sheet, whyNoBrowser } from '../support/browser.ts'
import { verifyVisit } from '../support/clinic.ts'
import { freePort } from '../support/free-port.ts'
import { GOOD_PASSWORD, newPerson, type Person } from '../support/people.ts'
import { type ScriptedPayer, scriptedPayer } from '../support/scripted-payer.ts'
import { type Caller, type TestService, testService } from '../support/service.ts'

/** `url`, `timeZone`, `caller` and `ana` are set before the first journey. */
export interface Site {
  service: TestService
  payer: ScriptedPayer
  url: string
  /** Of the clinic. */
  timeZone: string
  /** An API client of the clinic with every scope. */
  caller: Caller
  /** A user with the role front desk. */
  ana: Person
  open(options?: Parameters<typeof openWindow>[1]): Promise<Sheet>
  /** Makes a record by the API. */
  make(path: string, body: object): Promise<Body & { id: string; version: number }>
}

/** Journeys through the console of a clinic of their own. */
export function inBrowser(what: string, journeys: (site: Site) => void): void {
  const reason = whyNoBrowser()
  if (reason !== undefined) process.stderr.write(`Skipped: ${what} in a browser. ${reason}\n`)
  const payer = scriptedPayer()
  const service = testService(() => ({ clearinghouses: payer.clearinghouses }))
  const opened: Sheet[] = []
  const site = { service, payer, open, make } as Site

  async function open(options: Parameters<typeof openWindow>[1] = {}): Promise<Sheet> {
    const sheet = await openWindow(site.url, options)
    opened.push(sheet)
    return sheet
  }

  async function make(path: string, body: object) {
    const reply = await site.caller.call('POST', path, body)
    expect(reply.status, `${path} ${reply.text}`).toBe(200)
    return reply.body
  }

  describe.skipIf(reason !== undefined)(what, () => {
    beforeAll(async () => {
      // The journeys take the service away, and it comes back to its port.
      const port = await freePort()
      await service.app.listen({ host: '127.0.0.1', port })
      site.url = `http://127.0.0.1:${port}`
      site.timeZone = zoneAtNoon(new Date())
      site.caller = await service.newCaller({ timeZone: site.timeZone })
      const { organizationId } = site.caller
      site.ana = await newPerson(service, { organizationId, role: 'front_desk', name: 'Ana Reyes' })
      // Without a visit, the board of the day has no table.
      const patient = await make('/patients/v1', patientBody({ name: nameBody('Abara', 'Ngozi') }))
      await make('/appointments/v1', appointmentBody(patient.id, { start_timestamp: new Date().toISOString() }))
    })

    afterEach(async () => {
      for (const sheet of opened.splice(0)) await sheet.close()
    })

    afterAll(() => closeIdleWindows(site.url))

    journeys(site)
  })
}

/**
 * Where it is noon now, so that visits of an hour ago and in an hour are on the board of today at any time of the day. It has the date of UTC. The
 * names of the IANA time zone database count hours west of Greenwich.
 */
function zoneAtNoon(now: Date): string {
  const east = 12 - now.getUTCHours()
  return `Etc/GMT${east > 0 ? `-${east}` : `+${-east}`}`
}

/** Gives the clinic an NPI, in whose name payers are asked. */
export async function giveNpi({ service, caller }: Site): Promise<void> {
  await service.database.rows(`update organization set npi = '1999999984' where id = $1`, [caller.organizationId])
}

/** A patient with filed coverages, by payer name and member id. */
export async function patientWith(
  site: Site,
  family: string,
  ...plans: [payer: string, member: string][]
): Promise<string> {
  const { id: _, ...patient } = await site.make('/patients/v1', patientBody({ name: nameBody(family, 'Rosa') }))
  const coverages: string[] = []
  for (const [payer_name, member_id] of plans) {
    const insurance_plan = { payer_name, member_id, payer_id: '60054' }
    coverages.push((await site.make('/coverages/v1', coverageBody(String(_), { insurance_plan }))).id)
  }
  const body = { ...patient, filing_order: { coverages } }
  const filed = await site.caller.call('PUT', `/patients/v1/${_}/${Number(patient.version) + 1}`, body)
  expect(filed.status, filed.text).toBe(200)
  return String(_)
}

/** A visit now, verified, of such a patient, whose id is returned. */
export async function verifiedVisit(
  site: Site,
  family: string,
  plan: [payer: string, member: string],
): Promise<string> {
  await giveNpi(site)
  const patient = await patientWith(site, family, plan)
  const start_timestamp = new Date().toISOString()
  const visit = await site.make('/appointments/v1', appointmentBody(patient, { start_timestamp }))
  await verifyVisit(site.caller, visit.id)
  return patient
}

/** Signs in with the form, which is shown at any address. */
export async function fillIn(page: Page, { username }: Pick<Person, 'username'>): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Username').fill(username)
  await page.locator('input[name=password]').fill(GOOD_PASSWORD)
  await page.keyboard.press('Enter')
}

/**
 * Signs in without the form, and opens an address: by default that of today's visits, until they are shown. To show the form first, and today's
 * visits before another screen, took up to half a second of CPU time a journey (decisions/0177-journeys-begin-signed-in.md).
 */
export async function signIn(page: Page, { username }: Pick<Person, 'username'>, address?: string): Promise<void> {
  const data = { username, password: GOOD_PASSWORD }
  const reply = await page.context().request.post('/anteroom/v1/session', { data })
  expect(reply.status(), username).toBe(200)
  await page.goto(address ?? '/console/today')
  if (address === undefined) await page.getByRole('table').waitFor()
}

/** Ends the sessions of the clinic's users, as if the one of this page had expired. */
export async function endSession({ service, caller }: Site, page: Page): Promise<void> {
  const cookies = await page.context().cookies(page.url())
  const token = cookies.find(({ name }) => name === 'anteroom_session')?.value ?? ''
  await service.database.rows('delete from user_session where organization_id = $1', [caller.organizationId])
  service.deps.sessions.forget(readToken(token)?.id ?? '')
}

/** Closes every connection and accepts none during `work`, as a service that is restarted. */
export async function whileAway({ service, url }: Site, work: () => Promise<void>): Promise<void> {
  const { server } = service.app
  const isDown = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await isDown
  try {
    await work()
  } finally {
    server.listen(Number(new URL(url).port), '127.0.0.1')
    await once(server, 'listening')
  }
}

/** Signs in again in the dialog of an expired session, which covers the page. */
export async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
  await dialog.locator('input[name=password]').fill(GOOD_PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}

/** Focuses an element and presses Enter. */
export async function press(page: Page, part: ReturnType<Page['getByRole']>): Promise<void> {
  await part.focus()
  await page.keyboard.press('Enter')
}

/** Waits until an element has the focus. */
export async function focused(page: Page, part: ReturnType<Page['getByRole']>): Promise<void> {
  await part.and(page.locator(':focus')).waitFor()
}

/** Goes to another screen of the console as its links do, without a page load, until its heading is shown. */
export async function go(page: Page, path: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 }).first()
  const before = await heading.innerText()
  await goWithin(page, path)
  await heading.filter({ hasNotText: before }).waitFor()
}

/** Goes to another part of the same screen, whose heading stays: what is there is to be awaited. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
}

/** Waits until the page is rendered. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)))')
}
