// What holds for every screen: window sizes, themes, keyboard focus, other scripts.
import { beforeAll, describe, expect, it } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody, nameBody, patientBody } from '../support/bodies.ts'
import { picture } from '../support/browser.ts'
import { COVERED_FOCUS } from '../support/page-laws.ts'
import { newPerson, type Person } from '../support/people.ts'
import { go, type Site, settle, signIn } from './site.ts'

export function rolesAndScriptsJourneys(site: Site): void {
  let chief: Person
  beforeAll(async () => {
    const { organizationId } = site.caller
    chief = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Olu Chief' })
  })

  it('tells a user which pages the role does not include, before anything is typed', async () => {
    const { organizationId } = site.caller
    const reader = await newPerson(site.service, { organizationId, role: 'read_only', name: 'Rea Donly' })
    const { page, faults } = await site.open()
    await signIn(page, reader)
    for (const path of ['patients/new', 'batch', 'admin', 'admin/people']) {
      await page.goto(`/console/${path}`)
      await page.getByRole('heading', { level: 1, name: 'Your role does not include this page' }).waitFor()
      expect(await page.getByRole('textbox').count(), path).toBe(0)
    }
    expect(await faultsOf(page)).toEqual([])
    // Another role reaches the open page: by what it refuses, and where nothing is pressed by the live stream.
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Rolle', 'Rut') }))
    const becomes = (role: string) =>
      site.service.database.rows('update user_account set role = $1 where id = $2', [role, reader.id])
    // What cannot be changed says so.
    await go(page, `/console/patients/${patient.id}?tab=details`)
    await page.getByText('Your role allows you to view this record, but not to change it.').waitFor()
    expect(await page.getByLabel('Last name').isDisabled()).toBe(true)
    await becomes('front_desk')
    await expect
      .poll(async () => {
        await page.goto(`/console/patients/${patient.id}?tab=notes`)
        // A busy machine shows the screen long after the page is loaded.
        await page.getByRole('heading', { level: 1, name: 'Rut Rolle' }).waitFor()
        await page.getByText('No notes').waitFor()
        return page.getByRole('button', { name: 'Add note' }).count()
      })
      .toBe(1)
    await page.getByLabel('New note').fill('Kept')
    await becomes('read_only')
    const add = page.getByRole('button', { name: 'Add note' })
    await expect
      .poll(() =>
        add
          .click({ timeout: 1_000 })
          .catch(() => 'gone, or not clicked in time')
          .then(() => add.count()),
      )
      .toBe(0)
    await becomes('front_desk')
    await add.waitFor()
    expect(faults).toEqual([])
  })

  it('prints the visits of a day without controls, dark on light in both themes', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Paper', 'Pia') }))
    await site.make('/appointments/v1', appointmentBody(patient.id, { start_timestamp: new Date().toISOString() }))
    const { page } = await site.open()
    await page.emulateMedia({ colorScheme: 'dark' })
    await signIn(page, chief)
    await page.getByText('Paper, Pia').first().waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.getByRole('heading', { level: 1, name: /^Today/ }).waitFor()
    expect(await page.getByText('Paper, Pia').first().isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(23, 33, 43)')
    await picture(page, 'printed-today')
  })

  describe('with a name in Arabic', () => {
    it('displays the name right to left and the page left to right', async () => {
      const patient = await site.make('/patients/v1', patientBody({ name: nameBody('الخوارزمي', 'محمد') }))
      await site.make('/appointments/v1', appointmentBody(patient.id, { start_timestamp: new Date().toISOString() }))
      const { page } = await site.open()
      await signIn(page, site.ana)
      for (const place of ['/console/today', `/console/patients/${patient.id}`]) {
        if (new URL(page.url()).pathname !== place) await go(page, place)
        await page.getByText('الخوارزمي').first().waitFor()
        const directions = await page.evaluate(`[...document.querySelectorAll('bdi')]
          .filter((each) => each.textContent.includes('الخوارزمي')).map((each) => getComputedStyle(each).direction)`)
        expect(new Set(directions as string[]), place).toEqual(new Set(['rtl']))
        expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('ltr')
        await picture(page, `arabic-${place.split('/')[2]}`)
      }
    })
  })

  it('never hides the focused element under the header, forwards and backwards through the longest screens', async () => {
    for (let number = 0; number < 12; number++) {
      const patient = await site.make('/patients/v1', patientBody({ name: nameBody(`Queue${number}`, 'Quy') }))
      await site.make('/appointments/v1', appointmentBody(patient.id, { start_timestamp: new Date().toISOString() }))
    }
    const { page } = await site.open({ viewport: { width: 640, height: 480 } })
    await signIn(page, chief)
    const hidden: string[] = []
    for (const place of ['/console/today', '/console/admin/people', '/console/account', '/console/patients/new']) {
      if (new URL(page.url()).pathname !== place) await go(page, place)
      await settle(page)
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let presses = 0; presses < 40; presses++) {
          await page.keyboard.press(key)
          const under = await page.evaluate<string | undefined>(COVERED_FOCUS)
          if (under) hidden.push(`${place} ${key}: ${under}`)
        }
      }
    }
    expect(hidden).toEqual([])
  })
}
