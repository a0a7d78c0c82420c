// On a slow network somebody types on while the entry before is being saved.
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { appointmentBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept } from '../support/browser.ts'
import { newPerson } from '../support/people.ts'
import { go, goWithin, type Site, signIn } from './site.ts'

export function typedOnJourneys(site: Site): void {
  it('says again what was done again, so that who hears the screen hears of the second one too', async () => {
    const { id } = await site.make('/patients/v1', patientBody({ name: nameBody('Twicesaid', 'Tia') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}?tab=details`)
    // A screen reader says what is added to a region, and nothing of a text that is set to what it was.
    await page.getByLabel('City').waitFor()
    await page.evaluate(`
      window.said = 0
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          const region = target.nodeType === Node.TEXT_NODE ? target.parentElement : target
          const isNew = target.nodeType === Node.TEXT_NODE || addedNodes.length > 0
          if (isNew && region?.closest('[role="status"]')?.textContent === 'The patient was saved.') window.said += 1
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    `)
    for (const [index, city] of ['Harwich', 'Ipswich', 'Norwich'].entries()) {
      await page.getByLabel('City').fill(city)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => page.evaluate('window.said')).toBe(index + 1)
    }
    expect(faults).toEqual([])
  })

  it('keeps what is typed while the entry before is saved, in the notes and details of a patient, of a visit and in Administration, and turns no ring meanwhile for who asked for less motion', async () => {
    const family = `Typeon${randomUUID().slice(0, 6)}`
    const { id } = await site.make('/patients/v1', patientBody({ name: nameBody(family, 'Ines') }))
    await site.make('/appointments/v1', appointmentBody(id, { start_timestamp: new Date().toISOString() }))
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const { page, faults } = await site.open()
    await signIn(page, admin, `/console/patients/${id}?tab=notes`)
    const note = page.getByLabel('New note')
    await note.fill('First note')
    await whileHeld(page, ['POST', '**/notes/v1*'], 'Add note', () => note.fill('Second note'))
    await page.getByRole('article').getByText('First note').waitFor()
    expect(await note.inputValue()).toBe('Second note')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('article').getByText('Second note').waitFor()
    await expect.poll(() => note.inputValue()).toBe('')

    await goWithin(page, `/console/patients/${id}?tab=details`)
    const [street, city] = [page.getByLabel('Street'), page.getByLabel('City')]
    await street.fill('7 Quay Road')
    await whileHeld(page, ['PUT', `**/patients/v1/${id}/*`], 'Save', () => city.fill('Portside'))
    await page.getByText('The patient was saved.').waitFor()
    expect([await street.inputValue(), await city.inputValue()]).toEqual(['7 Quay Road', 'Portside'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(async () => (await site.caller.call('GET', `/patients/v1/${id}`)).body.primary_address)
      .toMatchObject({ line: ['7 Quay Road'], city: 'Portside' })
    expect(await page.getByText('in another window').count()).toBe(0)

    await go(page, '/console/today')
    await page.getByRole('row', { name: new RegExp(family) }).click()
    const ofVisit = page.getByLabel('Visit notes')
    await ofVisit.fill('Brings a friend')
    await whileHeld(page, ['PUT', '**/appointments/v1/**'], 'Save notes', () =>
      ofVisit.fill('Brings a friend and a dog'),
    )
    await page.getByText('The note was saved.').waitFor()
    expect(await ofVisit.inputValue()).toBe('Brings a friend and a dog')
    expect(await page.getByRole('alert').count()).toBe(0)

    await go(page, '/console/admin/people')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    const username = page.getByRole('textbox', { name: 'Username' })
    await name.fill('Ona One')
    await username.fill(`ona.${randomUUID()}`)
    await whileHeld(page, ['POST', '**/anteroom/v1/users'], 'Create person', async () => {
      await name.fill('Two Twice')
      expect(await isTurning(page)).toBe(false)
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      expect(await isTurning(page)).toBe(true)
      await page.emulateMedia({ reducedMotion: 'reduce' })
    })
    await page
      .getByRole('row', { name: /Ona One/ })
      .first()
      .waitFor()
    await expect.poll(() => username.inputValue()).toBe('')
    expect(await name.inputValue()).toBe('Two Twice')
    expect(faults).toEqual([])
  })

  it('does not take the notes of a visit that the board shows before the answer to their save for those of another window', async () => {
    const family = `Early${randomUUID().slice(0, 6)}`
    const { id } = await site.make('/patients/v1', patientBody({ name: nameBody(family, 'Ines') }))
    await site.make('/appointments/v1', appointmentBody(id, { start_timestamp: new Date().toISOString() }))
    const { organizationId } = site.caller
    const desk = await newPerson(site.service, { organizationId, role: 'front_desk', name: 'Della Marsh' })
    const { page } = await site.open()
    await signIn(page, desk, '/console/today')
    await page.getByRole('row', { name: new RegExp(family) }).click()
    const notes = page.getByLabel('Visit notes')
    await notes.fill('Brings a friend')
    const steps = new EventEmitter()
    const released = once(steps, 'released')
    await intercept(page, '**/appointments/v1/**', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    })
    const shown = page.waitForResponse(
      async (response) =>
        response.url().includes('/lists/board?') && (await response.text()).includes('Brings a friend'),
    )
    await page.getByRole('button', { name: 'Save notes' }).click()
    await notes.fill('Brings a friend and a dog')
    await shown
    // A turn for the rendering of what has come.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await page.getByRole('alert').count()).toBe(0)
    steps.emit('released')
    await page.getByText('The note was saved.').waitFor()
    expect(await notes.inputValue()).toBe('Brings a friend and a dog')
    expect(await page.getByRole('alert').count()).toBe(0)
  })
}

/** Whether something turns until it is ended. A frame may change its color for a moment. */
const isTurning = (page: Page) =>
  page.evaluate<boolean>(`document.getAnimations().some(({ effect }) => effect.getTiming().iterations === Infinity)`)

/** Presses a button, and does something while its write is on its way. */
async function whileHeld(page: Page, [method, address]: [string, string], button: string, work: () => Promise<void>) {
  const steps = new EventEmitter()
  const [arrived, released, passed] = ['arrived', 'released', 'passed'].map((step) => once(steps, step))
  const hold = async (route: Route) => {
    if (route.request().method() !== method) return route.fallback()
    steps.emit('arrived')
    await released
    await route.continue()
    steps.emit('passed')
  }
  await intercept(page, address, hold)
  await page.getByRole('button', { name: button, exact: true }).click()
  await arrived
  await work()
  steps.emit('released')
  await passed
  await page.unroute(address, hold)
}
