// Visits: what an address of the board says, and what becomes of a visit that does not take place as planned.
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept, picture } from '../support/browser.ts'
import { focused, go, goWithin, press, type Site, settle, signIn, verifiedVisit } from './site.ts'

export function visitsJourneys(site: Site): void {
  it('says beside its field what the service refuses in a form, and takes no year of two digits, also by Enter in another field', async () => {
    const { id } = await site.make('/patients/v1', patientBody({ name: nameBody('Beside', 'Bea') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}?tab=details`)
    const [born, city, email] = [page.getByLabel('Birth date'), page.getByLabel('City'), page.getByLabel('Email')]
    const saidOf = async (field: Locator) => {
      await field.and(page.locator('[aria-invalid="true"]:focus')).waitFor()
      const ids = (await field.getAttribute('aria-describedby')) ?? ''
      return page
        .locator(
          ids
            .split(' ')
            .map((each) => `[id="${each}"]`)
            .join(),
        )
        .allInnerTexts()
    }
    const family = page.getByLabel('Last name')
    await city.fill('Riverton')
    await born.fill('2999-01-01')
    await email.press('Enter')
    expect(await saidOf(born)).toContain('Must not be in the future.')
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
    // What a browser makes of 90.
    await born.fill('0090-01-02')
    await email.press('Enter')
    expect(await saidOf(born)).toContain('Enter a year of four digits.')
    // As another program writes it, and mistyped. What is unusual is seen before it is saved, also where the field has not been left.
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ' 09 Mar 1890\\n')
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('[name="birth_date"]').dispatchEvent(paste)
    }`)
    expect(await born.inputValue()).toBe('1890-03-09')
    await born.press('Enter')
    await page.getByText('This is more than 120 years ago.').waitFor()
    const notSaved = page.getByRole('alert').filter({ hasText: 'Not saved. Correct the entry' })
    await notSaved.waitFor()
    await born.fill('1990-01-02')
    await family.fill('x'.repeat(501))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await saidOf(family)).toContain('Must have at most 500 characters.')
    await family.fill('Beside')
    await city.press('Enter')
    await page.getByText('The patient was saved.').waitFor()
    const stored = await site.caller.call('GET', `/patients/v1/${id}`)
    expect([stored.body.version, stored.body.birth_date]).toEqual([2, '1990-01-02'])

    await goWithin(page, `/console/patients/${id}?tab=visits&form=new`)
    const minutes = page.getByLabel('Duration (minutes)')
    await minutes.fill('-5')
    await page.getByLabel('Day').press('Enter')
    expect(await saidOf(minutes)).toContain('Must not be negative.')
    // A new record's form is gone with the first press of its button.
    await minutes.fill('1500')
    await page.getByRole('button', { name: 'Add visit' }).click()
    await page.getByText('This is longer than a day.').waitFor()
    await notSaved.waitFor()
    await page.getByRole('button', { name: 'Add visit' }).click()
    await minutes.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  const visitOf = async (family: string, more: object = {}) => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody(family, 'Vera') }))
    const visit = appointmentBody(patient.id, { start_timestamp: new Date().toISOString(), ...more })
    return { patient, visit: await site.make('/appointments/v1', visit) }
  }

  it('opens what it can read in a URL, and never shows an error', async () => {
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
    await expect.poll(() => page.getByLabel('Filter by name, MRN or member ID').inputValue()).toBe('2026')
    await page.goto(`/console/today?text=${patient.mrn}`)
    await page.getByRole('row', { name: /Addressed/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('cancels a visit after a confirmation, by keyboard, and cannot move or cancel one whose patient was here', async () => {
    const { visit } = await visitOf('Cancelled', { placer_system_name: 'Scheduler' })
    const now = new Date().toISOString()
    const here = await visitOf('Arrived', { status: 'CHECKED_IN', checked_in_timestamp: now })
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const panel = page.getByRole('complementary', { name: 'Visit' })
    await page.locator(`[data-id="${here.visit.id}"]`).getByRole('cell').first().click()
    await panel.getByRole('heading', { name: 'Vera Arrived' }).waitFor()
    expect(await panel.getByRole('button', { name: /^(Move|Cancel visit)$/ }).count()).toBe(0)
    // Not the button in its place, with which a second Enter would take back the first.
    await panel.getByRole('heading', { name: 'Vera Arrived' }).focus()
    await press(page, panel.getByRole('button', { name: 'Check out' }))
    await panel.getByRole('button', { name: 'Undo “Checked out”' }).waitFor()
    await focused(page, panel.getByRole('heading', { name: 'Vera Arrived' }))
    // Back closes the panel, and opens no other one that was closed before.
    await press(page, panel.getByRole('button', { name: 'Close' }))
    await panel.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await panel.waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'hidden' })
    await focused(page, page.locator(`[data-id="${here.visit.id}"]`))
    await page.goForward()
    await panel.getByRole('heading', { name: 'Vera Arrived' }).waitFor()
    const row = page.locator(`[data-id="${visit.id}"]`)
    await row.getByRole('cell').first().click()
    await press(page, panel.getByRole('button', { name: 'Cancel visit' }))
    await panel.getByText('Cancel this visit? It leaves all lists. Cancel it in Scheduler, too.').waitFor()
    // Where it happens to be scrolled to, a button may lie half under the sticky header.
    await page.evaluate('scrollTo(0, 0)')
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

  it('leads from the panel of a visit to its next step, and to check-in only where it is ready', async () => {
    const undecided = { status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE', work_queue: 'NEW_PATIENT' }
    const unready = await visitOf('Unready', undecided)
    const ready = await visitOf('Allready', { status: 'READY' })
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const panel = page.getByRole('complementary', { name: 'Visit' })
    const main = panel.locator('button[data-variant=filled]')
    for (const [{ visit }, name, steps] of [
      [ready, 'Vera Allready', ['Check in']],
      [unready, 'Vera Unready', []],
    ] as const) {
      await page.locator(`[data-id="${visit.id}"]`).getByRole('cell').first().click()
      await panel.getByRole('heading', { name }).waitFor()
      expect(await main.allInnerTexts()).toEqual(steps)
      // The patient stands at the desk, whatever is missing.
      await panel.getByRole('button', { name: 'Check in' }).waitFor()
    }
    expect(faults).toEqual([])
  })

  it('treats a key that is pressed twice as one action, and blames no other user', async () => {
    const { patient, visit } = await visitOf('Zweimal', { status: 'READY' })
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/today?text=${patient.mrn}`)
    const row = page.locator(`[data-id="${visit.id}"]`)
    await row.focus()
    let writes = 0
    let answer = () => {}
    const held = new Promise<void>((done) => {
      answer = done
    })
    await intercept(page, '**/appointments/v1/**', async (route) => {
      writes++
      await held
      await route.continue()
    })
    // The row shows the new status before the call is sent.
    const answered = page.waitForResponse('**/appointments/v1/**')
    await page.keyboard.press('i')
    // The second one has another time in it.
    await page.waitForTimeout(20)
    await page.keyboard.press('i')
    answer()
    await answered
    await row.getByText('Checked in').waitFor()
    expect(writes).toBe(1)
    expect(await page.getByText('This visit was changed').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('opens a typed day once its year is complete, and no other day before', async () => {
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const asked: string[] = []
    page.on('request', (request) => asked.push(decodeURIComponent(request.url())))
    const field = page.getByLabel('Day', { exact: true })
    await field.focus()
    await page.keyboard.type('12012031')
    await page.getByRole('heading', { level: 1, name: 'Monday, December 1, 2031' }).waitFor()
    expect(await field.inputValue()).toBe('2031-12-01')
    expect(asked.filter((url) => /startTimestamp\|eq\|0/.test(url))).toEqual([])
    expect(faults).toEqual([])
  })

  it('shows a day that does not exist as today', async () => {
    const { patient } = await visitOf('Februarydays')
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/today?day=2026-02-30&text=${patient.mrn}`)
    await page.getByRole('row', { name: /Februarydays/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('treats a double click and a held key as one action, also where another button takes the place of the first', async () => {
    const { patient, visit } = await visitOf('Doubleclick', { status: 'READY' })
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/today?text=${patient.mrn}`)
    const row = page.locator(`[data-id="${visit.id}"]`)
    const checkIn = row.getByRole('button', { name: 'Check in' })
    // Waits until the row is where it stays.
    await checkIn.click({ trial: true })
    const box = await checkIn.boundingBox()
    const click = async (clickCount: number) => {
      await page.mouse.down({ clickCount })
      await page.mouse.up({ clickCount })
    }
    const stored = async (id: string) => (await site.caller.call('GET', `/appointments/v1/${id}`)).body.status
    await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10)
    await click(1)
    const checkOut = row.getByRole('button', { name: 'Check out' })
    await checkOut.waitFor()
    await click(2)
    await settle(page)
    expect(await stored(visit.id)).toBe('CHECKED_IN')
    await click(1)
    await row.getByText('Checked out').waitFor()
    const other = await visitOf('Gehalten', { status: 'READY' })
    await page.goto(`/console/today?text=${other.patient.mrn}`)
    await page.getByRole('button', { name: 'Check in' }).focus()
    await page.keyboard.down('Enter')
    await page.getByRole('button', { name: 'Check out' }).focus()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await settle(page)
    expect(await stored(other.visit.id)).toBe('CHECKED_IN')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Gehalten.*Checked out/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('moves a visit to a day that is typed with the keyboard', async () => {
    const { visit } = await visitOf('Typedday')
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.locator(`[data-id="${visit.id}"]`).getByRole('cell').first().click()
    const panel = page.getByRole('complementary', { name: 'Visit' })
    const move = panel.getByRole('button', { name: 'Move' })
    await panel.getByLabel('Day').focus()
    await page.keyboard.type('12012')
    await settle(page)
    expect(await move.isDisabled()).toBe(true)
    await page.keyboard.type('031')
    await press(page, move)
    await page.getByText('Moved to 12/01/2031').waitFor()
    expect(faults).toEqual([])
  })

  it('shows what the payer wrote and no rule understands beside the status: on the board, in the panel, with the patient and in the answer', async () => {
    const [first, second] = ['ZEPHYR TIER APPLIES', 'SEE QUILL ADDENDUM']
    site.payer.answers.set('WROTE1', `EB*1**30**TEST PLAN~MSG*${first}~MSG*${second}~`)
    const patient = await verifiedVisit(site, 'Written', ['Open Plan', 'WROTE1'])
    const { page, faults } = await site.open()
    await signIn(page, site.ana, '/console/today?text=Written')
    const row = page.getByRole('row', { name: /Written/ })
    // The text alone proves nothing: the visit is ready.
    await row.getByText('Ready', { exact: true }).waitFor()
    await row.locator('[data-state="active"]').getByText(`Payer's note: ${first} (and 1 more note)`).waitFor()
    await row.getByRole('cell').first().click()
    const panel = page.getByRole('complementary', { name: 'Visit' })
    await panel.getByText(`Payer's note: ${first}`).first().waitFor()
    await panel.getByText(`Payer's note: ${second}`).waitFor()
    await settle(page)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'payers-note')
    await go(page, `/console/patients/${patient}`)
    await page.getByRole('article').getByText(`Payer's note: ${first} (and 1 more note)`).waitFor()
    await page.getByRole('link', { name: 'View response' }).first().click()
    await page.getByRole('heading', { name: 'Notes from the payer' }).waitFor()
    await page.getByText(`Payer's note: ${first} (and 1 more note)`).waitFor()
    for (const text of [first, second]) {
      await page.getByRole('listitem').getByText(`Payer's note: ${text}`, { exact: true }).waitFor()
    }
    expect(faults).toEqual([])
  })

  it('says on the page of a patient who pays why the visit is not ready, and makes it ready there, by keyboard', async () => {
    const patient = await site.make(
      '/patients/v1',
      patientBody({ name: nameBody('Selbstzahler', 'Vera'), self_pay: true }),
    )
    const decided = { status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE', work_queue: 'NEW_PATIENT' }
    const visit = await site.make(
      '/appointments/v1',
      appointmentBody(patient.id, { start_timestamp: new Date().toISOString(), ...decided }),
    )
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}`)
    const next = page.getByRole('region', { name: 'Next visit' })
    await next.getByText('Self-pay: no coverage is billed. Front desk: Mark the visit ready.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'self-pay')
    await press(page, next.getByRole('button', { name: 'Mark ready' }))
    await next.getByText('Ready', { exact: true }).waitFor()
    expect((await site.caller.call('GET', `/appointments/v1/${visit.id}`)).body).toMatchObject({
      status: 'READY',
      ready_source: 'MANUAL',
    })
    expect(await next.getByRole('button').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('counts in each queue the visits that it opens with the other filters, and names the provider who is filtered by on a day without one', async () => {
    const doctor = (family: string) => ({ attending_doctor: { name: nameBody(family, 'Dora'), telecoms: [] } })
    await visitOf('Gezaehlteins', { ...doctor('Zaehlerin'), status: 'READY' })
    await visitOf('Gezaehltzwei', { ...doctor('Andere'), status: 'READY' })
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.getByLabel('Filter by name, MRN or member ID').fill('Gezaehlt')
    await page.getByRole('button', { name: 'Ready 2', exact: true }).waitFor()
    await page.getByLabel('Provider').selectOption('Dora Zaehlerin')
    await press(page, page.getByRole('button', { name: 'Ready 1', exact: true }))
    await expect.poll(() => page.locator('tr[data-id]').count()).toBe(1)
    await go(page, '/console/today?doctor=Dora+Zaehlerin&day=2031-01-02')
    await page.getByText('No visits on this day').waitFor()
    expect(await page.getByLabel('Provider').inputValue()).toBe('Dora Zaehlerin')
    expect(faults).toEqual([])
  })

  it('takes back that a visit was marked ready, also of a patient without a coverage that could be checked again', async () => {
    const decided = { status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE', work_queue: 'NEW_PATIENT' }
    const { patient, visit } = await visitOf('Versehen', decided)
    const stored = async () => (await site.caller.call('GET', `/appointments/v1/${visit.id}`)).body
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/today?text=${patient.mrn}`)
    await page.locator(`[data-id="${visit.id}"]`).getByRole('cell').first().click()
    const panel = page.getByRole('complementary', { name: 'Visit' })
    await press(page, panel.getByRole('button', { name: 'Mark ready' }))
    await expect.poll(async () => (await stored()).status).toBe('READY')
    await press(page, panel.getByRole('button', { name: 'Undo “Ready”' }))
    await panel.getByText('No coverage is filed').waitFor()
    expect(await stored()).toMatchObject(decided)
    expect(await stored()).not.toHaveProperty('ready_source')
    expect(faults).toEqual([])
  })
}
