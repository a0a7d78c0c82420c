// The service restarts, and sessions end, in the middle of everything: nothing that was typed or begun is lost.
import { pino } from 'pino'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startCheckWorker } from '../../src/eligibility/checks/check-worker.ts'
import { importPayers } from '../../src/payers/directory.ts'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept } from '../support/browser.ts'
import { newGate } from '../support/gate.ts'
import { somePayer } from '../support/payer-names.ts'
import { newPerson } from '../support/people.ts'
import { ACTIVE } from '../support/scripted-payer.ts'
import { endSession, giveNpi, go, goWithin, press, type Site, settle, signIn, signInAgain, whileAway } from './site.ts'

interface Entry {
  /** The address of the form. */
  place: string
  fill: (page: Page) => Promise<void>
  save: string | RegExp
  /** What the page shows when it was saved. */
  saved: (page: Page) => Promise<void>
}

export function restartsJourneys(site: Site): void {
  it('saves what was typed into each form, though the service was away and the session ended meanwhile', async () => {
    await importPayers(site.service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    const { organizationId } = site.caller
    const chief = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Rhea Start' })
    const { id } = await site.make('/patients/v1', patientBody({ name: nameBody('Awayname', 'Ira') }))
    const insurance_plan = { payer_name: 'Plan One', member_id: 'AWAY1', payer_id: '60054' }
    await site.make('/coverages/v1', coverageBody(id, { insurance_plan }))
    const start_timestamp = new Date().toISOString()
    const visit = await site.make('/appointments/v1', appointmentBody(id, { start_timestamp }))
    const fields = (typed: Record<string, string>) => async (page: Page) => {
      for (const [label, text] of Object.entries(typed)) {
        await page.getByRole('textbox', { name: label, exact: true }).and(page.locator(':visible')).fill(text)
      }
    }
    const row = (name: RegExp) => (page: Page) => page.getByRole('row', { name }).first().waitFor()
    const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()
    const entries: Entry[] = [
      {
        place: `patients/${id}?tab=details`,
        fill: fields({ 'Last name': 'Awaychanged' }),
        save: 'Save',
        saved: (page) => page.getByRole('heading', { level: 1, name: /Awaychanged/ }).waitFor(),
      },
      {
        place: `patients/${id}?form=new`,
        async fill(page) {
          await page.getByRole('combobox', { name: 'Find payer' }).fill('aetna')
          await page.getByRole('option', { name: /60054/ }).first().click()
          await fields({ 'Member ID': 'AWAY2' })(page)
        },
        save: 'Add',
        saved: text('AWAY2'),
      },
      {
        place: `patients/${id}?tab=visits&form=new`,
        fill: fields({ 'Last name': 'Awaydoctor', 'First name': 'Ada' }),
        save: 'Add visit',
        saved: row(/Ada Awaydoctor/),
      },
      {
        place: 'today',
        async fill(page) {
          await page.locator(`[data-id="${visit.id}"]`).getByRole('cell').first().click()
          await page.getByLabel('Visit notes').fill('Needs a ramp')
        },
        save: 'Save notes',
        saved: text('The note was saved.'),
      },
      {
        place: 'admin/people',
        fill: fields({ Name: 'Awa Yperson', Username: 'awayperson' }),
        save: 'Create person',
        saved: row(/Awa Yperson/),
      },
      {
        place: 'admin/clients',
        async fill(page) {
          await fields({ Name: 'Away client' })(page)
          await page.getByRole('checkbox', { disabled: false }).first().check()
        },
        save: /^Create/,
        saved: row(/Away client/),
      },
      {
        place: 'admin/fields',
        fill: fields({ 'Group name': 'Awaygroup' }),
        save: 'Save group',
        saved: row(/Awaygroup/),
      },
      {
        place: 'admin/webhooks',
        fill: fields({ Address: 'https://hooks.example.com/away', Events: '*' }),
        save: 'Create webhook',
        saved: row(/hooks\.example\.com\/away/),
      },
    ]
    const { page, faults } = await site.open()
    // The end of the session is noticed by the call that saves, and not by the live events before it.
    await page.context().route('**/anteroom/v1/events?*', (route) => route.abort())
    await signIn(page, chief)
    for (const { place, fill, save, saved } of entries) {
      // The forms of one patient are on screens with one heading.
      await (place.includes('form=new') ? goWithin : go)(page, `/console/${place}`)
      await settle(page)
      await fill(page)
      const button = page.getByRole('main').getByRole('button', { name: save, exact: true }).last()
      await whileAway(site, async () => {
        await press(page, button)
        await page
          .getByText(/Check the network and try again/)
          .first()
          .waitFor()
        // While no other request can find the session.
        await endSession(site, page)
      })
      await press(page, button)
      await signInAgain(page)
      await saved(page)
    }
    expect(faults).toEqual([])
  })

  it('asks for the password once, although the refusal of another call arrives after it was given', async () => {
    const { organizationId } = site.caller
    const chief = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Rhea Once' })
    const { page, faults } = await site.open()
    await page.context().route('**/anteroom/v1/events?*', (route) => route.abort())
    await signIn(page, chief, '/console/account')
    await page.getByText('This session').waitFor()
    const late = newGate()
    const refused: number[] = []
    // The screen reads two lists at once.
    await intercept(
      page,
      '**/anteroom/v1/payer-routes*',
      async (route) => {
        const response = await route.fetch()
        refused.push(response.status())
        await late.opened
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    try {
      await endSession(site, page)
      await goWithin(page, '/console/admin/routes')
      await expect.poll(() => refused).toEqual([401])
      await signInAgain(page)
      const again = page.waitForResponse((each) => each.url().includes('/anteroom/v1/payer-routes') && each.ok())
      late.open()
      await again
      await settle(page)
      expect(await page.getByText('Your session has expired').count()).toBe(0)
    } finally {
      late.open()
    }
    expect(faults).toEqual([])
  })

  it('keeps a form when a dialog cannot be loaded, and asks for the password again without loading anything', async () => {
    // A context of its own: nothing is in its cache.
    const { page } = await site.open({ locale: 'en-US' })
    await page.route(/search-dialog-[\w-]+\.js/, (route) => route.abort())
    await signIn(page, site.ana, '/console/patients/new')
    const family = page.getByLabel(/^Last name/).first()
    await family.fill('Kept Form')
    await page.getByRole('button', { name: 'Find patient' }).click()
    await page.getByText('This could not be loaded.').filter({ visible: true }).waitFor()
    expect(await family.inputValue()).toBe('Kept Form')
    await page.route('**/assets/**', (route) => route.abort())
    await endSession(site, page)
    await signInAgain(page)
    expect(await family.inputValue()).toBe('Kept Form')
  })

  it('says what to do when the console itself cannot be loaded, such as behind two servers of two releases', async () => {
    const { page } = await site.open({ locale: 'en-US' })
    await page.route('**/assets/index-*.js', (route) => route.fulfill({ status: 404 }))
    await page.goto('/console/today')
    const advice = page.getByRole('status').filter({ hasText: 'Reload the page.' })
    await advice.waitFor()
    await page.unroute('**/assets/index-*.js')
    await page.reload()
    await page.getByLabel('Username').waitFor()
    expect(await advice.count()).toBe(0)
  })

  it('follows a batch over a restart in the middle of it, and begins it although the service was away when it was sent', async () => {
    await giveNpi(site)
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    site.payer.answers.set('HELD2', () => held.then(() => ACTIVE))
    const rows = [1, 2, 3].map((row) => `60054,Bo,Batchrow${row},HELD${row},1980-01-0${row}`)
    const csv = ['Payer,First Name,Last Name,Member ID,DOB', ...rows].join('\n')
    const { page, faults } = await site.open()
    await signIn(page, site.ana, '/console/batch')
    await page.getByLabel('CSV file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const send = page.getByRole('button', { name: 'Check 3 patients' })
    await whileAway(site, async () => {
      await press(page, send)
      await page
        .getByText(/Check the network and try again/)
        .first()
        .waitFor()
    })
    await press(page, send)
    await page.getByRole('heading', { level: 1, name: 'Batch', exact: true }).waitFor()
    const worker = startCheckWorker(site.service.deps, { concurrency: 3, log: pino({ level: 'silent' }) })
    try {
      await page.getByText('2 of 3 answered').waitFor()
      await whileAway(site, async () => {
        await page.getByText('The service cannot be reached.').first().waitFor()
        // Answered while nobody could hear of it.
        release()
        await expect.poll(() => site.payer.countFor('HELD2')).toBe(1)
        await page.getByText('2 of 3 answered').waitFor()
      })
      await page.getByText('All patients have been checked.').waitFor()
      await page.getByText('3 of 3 answered').waitFor()
    } finally {
      release()
      await worker.stop()
    }
    expect(faults).toEqual([])
  })
}
