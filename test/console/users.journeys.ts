// What an administrator does for the people of a clinic.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { intercept, picture } from '../support/browser.ts'
import { GOOD_PASSWORD, newPerson, openPage } from '../support/people.ts'
import { fillIn, focused, press, type Site, signIn } from './site.ts'

const FACTOR = '/anteroom/v1/session/second-factor'

export function usersJourneys(site: Site): void {
  it('creates a person with a password that is shown once, changes the role, gives another password, and lets nobody in who is disabled', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const username = `ned.${randomUUID()}`
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/people')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ned Newman')
    const asUsed = page.getByRole('textbox', { name: 'Username' })
    await asUsed.fill(admin.username)
    await press(page, page.getByRole('button', { name: 'Create person' }))
    await asUsed.and(page.locator('[aria-invalid="true"]:focus')).waitFor()
    await page.getByText('This is taken.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await asUsed.fill(username)
    expect(await page.getByText(/is taken|was not accepted/).count()).toBe(0)
    await press(page, page.getByRole('button', { name: 'Create person' }))
    const shown = page.getByRole('alert').filter({ hasText: 'This is shown only once' }).locator('code')
    const signsIn = async (password: string) =>
      (await site.caller.call('POST', '/anteroom/v1/session', { username, password })).status
    await shown.first().waitFor()
    const [, first = ''] = await shown.allInnerTexts()
    expect(await signsIn(first)).toBe(200)
    expect(await faultsOf(page)).toEqual([])
    await press(page, page.getByRole('button', { name: 'I have stored it' }))
    const row = page.getByRole('row', { name: /Ned Newman/ }).filter({ hasText: username })
    await row.first().getByLabel('Role of Ned Newman').selectOption('Billing')
    await press(page, row.first().getByRole('button', { name: 'Change role' }))
    await page.getByText('Ned Newman is now Billing').waitFor()
    await press(page, row.first().getByRole('button', { name: 'New password' }))
    await press(page, row.first().getByRole('button', { name: /^Yes/ }))
    await shown.first().waitFor()
    const [, second = ''] = await shown.allInnerTexts()
    expect([await signsIn(first), await signsIn(second)]).toEqual([401, 200])
    await press(page, page.getByRole('button', { name: 'I have stored it' }))
    await focused(page, page.getByRole('button', { name: 'New password for Ned Newman' }))
    await press(page, row.first().getByRole('button', { name: 'Disable' }))
    await press(page, row.first().getByRole('button', { name: /^Yes/ }))
    await row.first().getByText('Disabled').waitFor()
    expect(await signsIn(second)).toBe(401)
    // The button in the place of the one that was pressed, named for whom it concerns.
    await focused(page, page.getByRole('button', { name: 'Enable Ned Newman' }))
    // A service that takes longer than a button that stays disabled is waited for (keep-focus.ts).
    const late = async (route: Route) => {
      await delay(2_000)
      await route.continue()
    }
    await intercept(page, '**/anteroom/v1/users/*', late, { times: 1 })
    // Nor does the focus go elsewhere while the new button is shown and still disabled, because another list is read again.
    await intercept(page, '**/anteroom/v1/sessions', late, { times: 1 })
    await page.keyboard.press('Enter')
    await row.first().getByText('Active', { exact: true }).waitFor()
    await focused(page, page.getByRole('button', { name: 'Disable Ned Newman' }))
    expect(await signsIn(second)).toBe(200)
    expect(faults).toEqual([])
  })

  it('removes the second factor of a person who has lost the phone and the codes, and ends a session that was left open', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const lost = await newPerson(site.service, { organizationId, role: 'front_desk', name: 'Lotte Lost' })
    const own = await openPage(site.service, lost)
    const { body } = await own.call('POST', FACTOR, { current_password: GOOD_PASSWORD })
    const one_time_code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
    expect((await own.call('POST', `${FACTOR}/confirmation`, { one_time_code })).status).toBe(200)
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/people')
    const row = page.getByRole('row', { name: /Lotte Lost/ }).first()
    await row.getByText('Second factor enabled').waitFor()
    await press(page, row.getByRole('button', { name: 'Reset second factor' }))
    await row.getByText('Verify first that the request is theirs').waitFor()
    await press(page, row.getByRole('button', { name: /^Yes/ }))
    await row.getByText('Second factor enabled').waitFor({ state: 'detached' })
    expect((await own.call('GET', '/anteroom/v1/session')).status).toBe(401)
    // Signs in with the password alone, and leaves the browser open.
    const left = await site.open({ viewport: { width: 820, height: 1180 } })
    await signIn(left.page, lost)
    await page.reload()
    const end = page.getByRole('button', { name: /^End session of Lotte Lost since/ })
    await end.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, end)
    await end.waitFor({ state: 'detached' })
    await left.page.getByText('Your session has expired').waitFor()
    await left.page.goto('/')
    await fillIn(left.page, lost)
    await left.page.getByRole('table').waitFor()
    expect(faults).toEqual([])
  })

  it('tells an administrator in words what does not work, and when it works again', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const checkId = await site.caller.newCheckId()
    await site.service.database.rows(
      `update eligibility_check set status = 'PENDING', due_at = now() - interval '2 hours' where id = $1`,
      [checkId],
    )
    const { storage } = site.service.deps
    const { open } = storage
    storage.open = async () => Promise.reject(new Error('gone'))
    const { page, faults } = await site.open()
    try {
      await signIn(page, admin)
      await press(page, page.getByRole('link', { name: 'Administration' }))
      await page.getByRole('heading', { level: 1, name: 'System health' }).waitFor()
      const row = (part: string) => page.getByRole('row', { name: new RegExp(`^${part} `) })
      await row('Database').getByText('Good', { exact: true }).waitFor()
      await row('Storage').getByText('Not working', { exact: true }).waitFor()
      await row('Storage').getByText('The storage of images does not answer.').waitFor()
      await row('Checks').getByText('Not working', { exact: true }).waitFor()
      await row('Checks')
        .getByText(/checks? (is|are) waiting, the oldest for 2 hours: is a worker running\?$/)
        .waitFor()
      await page.getByText(/^As of \d\d\/\d\d\/\d{4} \d+:\d\d [AP]M$/).waitFor()
      await page.getByText(/^Anteroom \d+\.\d+\.\d+ on Node \d+.* and PostgreSQL \d+/).waitFor()
      expect(await faultsOf(page)).toEqual([])
      await picture(page, 'health-faults')
      storage.open = open
      await site.service.database.rows(`update eligibility_check set status = 'FAILED' where id = $1`, [checkId])
      const refresh = page.getByRole('button', { name: 'Refresh' })
      await press(page, refresh)
      await row('Storage').getByText('Good', { exact: true }).waitFor()
      await row('Checks').getByText('Good', { exact: true }).waitFor()
      await focused(page, refresh)
    } finally {
      storage.open = open
    }
    expect(faults).toEqual([])
  })
}
