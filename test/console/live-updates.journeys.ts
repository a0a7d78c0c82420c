// What the board says about its own age, and how it comes up to date again by itself.
import { expect, it } from 'vitest'
import { appointmentBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept } from '../support/browser.ts'
import { press, type Site, settle, signIn } from './site.ts'

const BOARD = '**/anteroom/v1/lists/board?*'
const EVENTS = '**/anteroom/v1/events?*'

export function liveUpdatesJourneys(site: Site): void {
  it('says that the board is up to date when its visits were read and their changes arrive, and not before', async () => {
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const state = page.getByRole('status').filter({ hasText: /^(Connecting…|Up to date|Not up to date)$/ })
    // The events are there, and the visits are not.
    let answer = () => {}
    const held = new Promise<void>((done) => {
      answer = done
    })
    await intercept(page, BOARD, async (route) => {
      await held
      await route.continue()
    })
    try {
      const open = page.waitForResponse(EVENTS)
      await page.reload()
      await open
      await settle(page)
      expect(await state.innerText()).toBe('Connecting…')
      answer()
      await state.getByText('Up to date', { exact: true }).waitFor()
    } finally {
      answer()
      await page.unroute(BOARD)
    }
    // The visits are there, and the events are not.
    await page.route(EVENTS, (route) => route.abort())
    await page.reload()
    await page.getByRole('table').waitFor()
    await settle(page)
    expect(await state.innerText()).toBe('Connecting…')
    await page.unroute(EVENTS)
    await state.getByText('Up to date', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('says that the board is not up to date when a change could not be read, and reads it again after 15 seconds without anybody’s doing', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Missedevent', 'Mo') }))
    // With an option, so that no other test gets the window and its clock.
    const { page, faults } = await site.open({ reducedMotion: 'reduce' })
    await page.clock.install()
    await signIn(page, site.ana)
    await page.getByText('Up to date', { exact: true }).waitFor()
    await intercept(page, BOARD, (route) => route.fulfill({ status: 503, body: '{}' }))
    const start_timestamp = new Date().toISOString()
    const { id } = await site.make('/appointments/v1', appointmentBody(patient.id, { start_timestamp }))
    const isOld = page.getByText('Not up to date', { exact: true })
    await expect
      .poll(async () => {
        await page.clock.runFor(2_000)
        return isOld.count()
      })
      .toBe(1)
    // Before the way is free: on a slow machine the fifteen seconds may be over at once, and nothing is read after that.
    const again = page.waitForResponse((each) => each.url().includes('/lists/board?') && each.ok())
    await page.unroute(BOARD)
    // Nothing else happens in the clinic.
    await page.clock.runFor(15_000)
    await again
    await page.locator(`[data-id="${id}"]`).waitFor()
    await isOld.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('tells screen readers what was done and what has failed, in a region that was on the page before', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Angesagt', 'Ada') }))
    const start_timestamp = new Date().toISOString()
    await site.make('/appointments/v1', appointmentBody(patient.id, { start_timestamp, status: 'READY' }))
    const { page, context, faults } = await site.open()
    await signIn(page, site.ana, '/console/today?text=Angesagt')
    const row = page.getByRole('row', { name: /Angesagt/ })
    await row.waitFor()
    // What is added together with its text is not announced.
    await page.evaluate(
      `document.querySelectorAll('[role=status]').forEach((each) => each.setAttribute('data-before', ''))`,
    )
    const region = page.locator('[role=status][data-before]')
    await press(page, row.getByRole('button', { name: 'Check in' }))
    await region.getByText('Ada Angesagt is checked in.').waitFor()
    await row.getByText('Checked in').waitFor()
    await context.route('**/appointments/v1/**', (route) => route.abort())
    await press(page, row.getByRole('button', { name: 'Check out' }))
    await region.getByText('The service cannot be reached').waitFor()
    expect(faults).toEqual([])
  })
}
