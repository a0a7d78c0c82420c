// Visits: what an address of the board says, and what becomes of a visit that does not take place as planned.
import { expect, it } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody, nameBody, patientBody } from '../support/bodies.ts'
import { picture } from '../support/browser.ts'
import { press, type Site, signIn } from './site.ts'

export function visitJourneys(site: Site): void {
  const visitOf = async (family: string, more: object = {}) => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody(family, 'Vera') }))
    const visit = appointmentBody(patient.id, { start_timestamp: new Date().toISOString(), ...more })
    return { patient, visit: await site.make('/appointments/v1', visit) }
  }

  it('opens from an address what it can read in it, and never an error', async () => {
    const { patient } = await visitOf('Addressed')
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    for (const [place, heading] of [
      ['today?day=tomorrow&queue=12&doctor=5', /^Today, /],
      ['today?day=20261126&text=%5B1%5D', /^Today, /],
      ['week?day=2026-13-45', /^Week of \d/],
    ] as const) {
      await page.goto(`/console/${place}`)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.getByRole('row', { name: place.startsWith('week') ? /today/ : /Addressed/ }).waitFor()
    }
    await page.goto('/console/today?text=2026')
    await expect.poll(() => page.getByLabel('Filter by name or MRN').inputValue()).toBe('2026')
    await page.goto(`/console/today?text=${patient.mrn}`)
    await page.getByRole('row', { name: /Addressed/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('cancels a visit after a question, by keyboard, and moves or cancels none of a patient who was here', async () => {
    const { visit } = await visitOf('Cancelled', { placer_system_name: 'Scheduler' })
    const now = new Date().toISOString()
    const here = await visitOf('Arrived', { status: 'CHECKED_IN', checked_in_timestamp: now })
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const panel = page.getByRole('complementary', { name: 'Visit' })
    await page.locator(`[data-id="${here.visit.id}"]`).getByRole('cell').first().click()
    await panel.getByRole('heading', { name: 'Vera Arrived' }).waitFor()
    await panel.getByRole('button', { name: 'Check out' }).waitFor()
    expect(await panel.getByRole('button', { name: /^(Move|Cancel visit)$/ }).count()).toBe(0)
    const row = page.locator(`[data-id="${visit.id}"]`)
    await row.getByRole('cell').first().click()
    await press(page, panel.getByRole('button', { name: 'Cancel visit' }))
    await panel.getByText('Cancel this visit? It leaves all lists. Cancel it in Scheduler, too.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'cancel-visit')
    // The answer that changes nothing has the focus.
    await page.keyboard.press('Enter')
    await press(page, panel.getByRole('button', { name: 'Cancel visit' }))
    await press(page, panel.getByRole('button', { name: 'Yes, cancel visit' }))
    await page.getByText('The visit of Vera Cancelled was cancelled.').waitFor()
    await row.waitFor({ state: 'detached' })
    const stored = await site.caller.call('GET', `/appointments/v1/${visit.id}`)
    expect(stored.body).toMatchObject({ deactivated: true })
    expect(faults).toEqual([])
  })
}
