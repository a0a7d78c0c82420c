// A user's place in the console: forms that Back closes and Forward opens again, and what is said when something fails.
import { readFile } from 'node:fs/promises'
import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { storeRecommendations } from '../../src/eligibility/recommendations/store-recommendations.ts'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept, picture } from '../support/browser.ts'
import { giveNpi, goWithin, patientWith, press, type Site, settle, signIn, whileAway } from './site.ts'

export function navigationJourneys(site: Site): void {
  it('closes a form with Back and opens it again with Forward, with what was typed', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Backwards', 'Bo') }))
    await site.make('/coverages/v1', coverageBody(patient.id))
    const { page, faults } = await site.open()
    const there = `/console/patients/${patient.id}`
    await signIn(page, site.ana, there)
    const forms: [tab: string, button: string, field: (page: Page) => ReturnType<Page['getByLabel']>][] = [
      ['', 'Add coverage', () => page.getByLabel('Member ID')],
      ['', 'Edit', () => page.getByLabel('Group number')],
      ['?tab=visits', 'Add visit', () => page.getByLabel('Last name')],
    ]
    for (const [tab, name, field] of forms) {
      await goWithin(page, `${there}${tab}`)
      const button = page.getByRole('button', { name: new RegExp(`^${name}`) })
      await press(page, button)
      await field(page).fill('half typed')
      await page.goBack()
      await button.waitFor()
      expect(await field(page).count(), name).toBe(0)
      await page.goForward()
      await expect.poll(() => field(page).inputValue(), { message: name }).toBe('half typed')
      await press(page, page.getByRole('button', { name: 'Cancel' }))
      await button.waitFor()
    }
    // A patient without a visit, such as a walk-in, leads on to the form.
    await goWithin(page, there)
    await press(page, page.getByRole('link', { name: 'Add a visit' }))
    await page.getByRole('heading', { name: 'Add visit' }).waitFor()
    expect(await page.getByLabel('Last name').inputValue()).toBe('')
    // The tab that is shown is marked, also with a form, and with a tab in the address that does not exist any more.
    const marked = page.getByRole('navigation', { name: 'Patient sections' }).locator('[aria-current]')
    expect(await marked.allInnerTexts()).toEqual(['Visits'])
    await goWithin(page, `${there}?tab=coverages`)
    await page.getByRole('button', { name: 'Add coverage' }).waitFor()
    expect(await marked.allInnerTexts()).toEqual(['Coverages'])
    expect(faults).toEqual([])
  })

  it('adds the plan that pays from its suggestion and files it first, even after the form was left once', async () => {
    await giveNpi(site)
    const { id, version, ...body } = await site.make(
      '/patients/v1',
      patientBody({ name: nameBody('Advantage', 'Ada') }),
    )
    const insurance_plan = { member_id: '1EG4TE5MK73', payer_id: 'CMS', payer_name: 'Medicare' }
    const medicare = await site.make('/coverages/v1', coverageBody(id, { insurance_plan }))
    const filing_order = { coverages: [medicare.id] }
    await site.caller.call('PUT', `/patients/v1/${id}/${version + 1}`, { ...body, filing_order })
    const date_of_service = new Date().toISOString().slice(0, 10)
    const inquiry = { service_code: '30', date_of_service, npi: '1999999984' }
    const asked = await site.caller.call('POST', `/coverages/v1/${medicare.id}/eligibility`, inquiry)
    expect(asked.status, asked.text).toBe(200)
    const checkId = String(asked.body.check_id)
    const payload = { ma_benefit: {}, payer_id: '61101', payer_name: 'HUMANA' }
    // The plan that was asked is no other coverage to add.
    const itself = { ma_benefit: {}, payer_id: 'cms', payer_name: 'Medicare' }
    const { deps } = site.service
    await deps.database.transaction((database) =>
      storeRecommendations({ ...deps, database }, site.caller.organizationId, [
        {
          about: { checkId, patient: {} },
          derived: [
            { type: 'MEDICARE_ADVANTAGE', payload },
            { type: 'MEDICAID_MANAGED_CARE', payload: itself },
          ],
        },
      ]),
    )
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/checks/${checkId}`)
    const add = page.getByRole('button', { name: 'Add this coverage' })
    await press(page, add)
    await page.getByRole('heading', { name: 'Add coverage' }).waitFor()
    await page.getByText('(61101)').waitFor()
    await page.goBack()
    await press(page, add)
    await page.getByLabel('Member ID').fill('H60999888')
    await press(page, page.getByRole('button', { name: 'Add', exact: true }))
    await page.getByRole('article', { name: 'HUMANA, primary' }).waitFor()
    await page.getByRole('article', { name: 'Medicare, secondary' }).waitFor()
    expect(faults).toEqual([])
  })

  it('says on a screen without live data, too, that the service is away, and stops saying it when it is back', async () => {
    // A window of its own, which has not loaded other screens.
    const { page } = await site.open({ locale: 'en-US' })
    await signIn(page, site.ana, '/console/account')
    const notice = page.getByText('The service cannot be reached. What is shown may be out of date.')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await whileAway(site, async () => {
      await notice.waitFor()
      expect(await notice.innerText()).toMatch(/ The last update was at \d+:\d\d/)
      expect(await faultsOf(page)).toEqual([])
      await picture(page, 'service-away')
      await page.setViewportSize({ width: 1280, height: 400 })
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      expect((await notice.boundingBox())?.y).toBeGreaterThanOrEqual(0)
      // A screen that was not loaded before says so, and does not leave the console.
      await page.getByRole('link', { name: 'Batch' }).click()
      await page.getByText('This page could not be loaded').waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
      await settle(page)
      expect(await page.getByText('This page could not be loaded').count()).toBe(1)
    })
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Check a list of patients' }).waitFor()
  })

  it('closes its live connection while the tab is hidden, and shows what has changed once it is visible again', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Hidden', 'Hope') }))
    const visit = () => appointmentBody(patient.id, { start_timestamp: new Date().toISOString() })
    // With an option, so that no other test gets the window and its clock.
    const { page, faults } = await site.open({ reducedMotion: 'reduce' })
    await page.clock.install()
    await signIn(page, site.ana)
    await page.getByText('Up to date', { exact: true }).waitFor()
    const first = await site.make('/appointments/v1', visit())
    await page.locator(`[data-id="${first.id}"]`).waitFor()
    const isStream = (request: Request) => request.url().includes('/anteroom/v1/events')
    const show = (isHidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange'))
      `)
    const left = page.waitForEvent('requestfailed', isStream)
    await show(true)
    await page.clock.fastForward(60_000)
    await left
    const { id } = await site.make('/appointments/v1', visit())
    const back = page.waitForRequest(isStream)
    await show(false)
    expect((await back).url()).toContain('after=')
    await page.locator(`[data-id="${id}"]`).waitFor()
    await page.getByText('Up to date', { exact: true }).waitFor()
    // The stream is rejected until the next attempt is half a minute away. A call that the service answers is an earlier time for it.
    const streams = '**/anteroom/v1/events?*'
    await intercept(page, streams, (route) => route.fulfill({ status: 502 }))
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    for (let round = 0; round < 8; round++) {
      const asked = page.waitForResponse((each) => each.url().endsWith('/anteroom/v1/session'))
      await page.clock.runFor(31_000)
      await asked
    }
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 5_000)
    await page.getByText('Connecting…').waitFor()
    // Not before the clock stands: an answer to any other call would open it already.
    await page.unroute(streams)
    // A search is such a call; another day would open the stream itself. The clock runs for ten seconds at most.
    await page.keyboard.press('/')
    await page.keyboard.type('Hidden')
    let ticks = 0
    await expect
      .poll(async () => {
        ticks += 1
        if (ticks <= 1_000) await page.clock.runFor(10)
        return page.getByText('Up to date', { exact: true }).count()
      })
      .toBe(1)
    expect(faults).toEqual([])
  })

  it('keeps the message of a failure on the screen until the user dismisses it', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Failing', 'Fay') }))
    const start_timestamp = new Date().toISOString()
    const { id } = await site.make(
      '/appointments/v1',
      appointmentBody(patient.id, { start_timestamp, status: 'READY' }),
    )
    const { page, context } = await site.open()
    // No other row, which the message would cover by half.
    await signIn(page, site.ana, '/console/today?text=Failing')
    await context.route('**/appointments/v1/**', (route) => route.abort())
    await page.locator(`[data-id="${id}"]`).getByRole('button', { name: 'Check in' }).click()
    await page.getByText('The service cannot be reached. Check the network').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'failure-stays')
    await press(page, page.getByRole('button', { name: 'Dismiss the message' }))
    await page.getByText('The service cannot be reached. Check the network').waitFor({ state: 'detached' })
  })

  it('saves the rows of a file that cannot be checked as a file with their errors', async () => {
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.getByRole('link', { name: 'Batch' }).click()
    const text = ['Payer,First Name,Last Name,DOB', ...Array.from({ length: 12 }, (_, row) => `60054,A,Row${row},`)]
    const csv = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text.join('\n')) }
    await page.getByLabel('CSV file').setInputFiles(csv)
    // Each reason once, so that a rare one is seen.
    await page.getByText('Member ID or birth date is required: rows 2, 3, 4, 5, 6 and 7 more').waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save these rows as CSV' }).click()
    const saved = await readFile(await (await saving).path(), 'utf8')
    const lines = saved.trim().split('\r\n')
    expect(lines).toHaveLength(13)
    expect(lines[0]).toMatch(/DOB,What is wrong$/)
    expect(lines[12]).toMatch(/Row11,,.*Member ID or birth date is required/)
    expect(await faultsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('opens with Enter the patient for the complete text, however slowly the search answers, and never one found for the first letters', async () => {
    await site.make('/patients/v1', patientBody({ name: nameBody('Enterkey', 'Anna') }))
    await site.make('/patients/v1', patientBody({ name: nameBody('Enterkeyton', 'Bob') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('enterkey')
    await expect.poll(() => dialog.getByRole('option').allInnerTexts()).toHaveLength(2)
    let answer = () => {}
    const held = new Promise<void>((done) => {
      answer = done
    })
    const ofWholeName = (url: URL) => url.search.toLowerCase().includes('enterkeyt')
    await intercept(page, ofWholeName, async (route) => {
      await held
      await route.continue()
    })
    try {
      await page.keyboard.insertText('t')
      await page.keyboard.press('Enter')
      await settle(page)
      expect(await dialog.count()).toBe(1)
      answer()
      await page.getByRole('heading', { name: 'Bob Enterkeyton' }).waitFor()
    } finally {
      answer()
      await page.unroute(ofWholeName)
    }
    expect(faults).toEqual([])
  })

  it('never says of a patient with a similar name that the patient was found, and opens none for an Enter that came before the results', async () => {
    await site.make('/patients/v1', patientBody({ name: nameBody('Quillfeather', 'Quincy') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('quilfether')
    await page.keyboard.press('Enter')
    await dialog.getByText('No exact match. 1 with a similar name.').waitFor()
    await dialog.getByRole('option', { name: /Quillfeather.*similar name/ }).waitFor()
    await settle(page)
    expect(await dialog.count()).toBe(1)
    // Who has seen it opens it.
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Quincy Quillfeather' }).waitFor()
    expect(faults).toEqual([])
  })

  it('finds the patient of an insurance card by the end of its member ID, and one whose first name is typed as an exact match', async () => {
    await patientWith(site, 'Cardholder', ['Aetna', 'W70-4441-9Q'])
    await site.make('/patients/v1', patientBody({ name: nameBody('Holderness', 'Zenobia') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill('44419q')
    await dialog.getByText('1 found.').waitFor()
    await dialog.getByRole('option', { name: /Cardholder/ }).waitFor()
    await dialog.getByRole('combobox').fill('zenobia')
    await dialog.getByText('1 found.').waitFor()
    expect(await dialog.getByRole('option', { name: /Holderness/ }).innerText()).not.toContain('similar')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Zenobia Holderness' }).waitFor()
    expect(faults).toEqual([])
  })

  it('leads from the MRN of a merged record, which letters still have, to the record that is kept, and says so', async () => {
    const kept = await site.make('/patients/v1', patientBody({ name: nameBody('Keptname', 'Kay') }))
    const away = await site.make('/patients/v1/with_mrn', {
      ...patientBody({ name: nameBody('Awayname', 'Kay') }),
      mrn: 'Old-77B',
    })
    const merge = { primary_patient_mrn: kept.mrn, alternative_patient_mrn: away.mrn }
    await site.make('/patient-merge/v1', merge)
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill('oLD-77b')
    await dialog.getByRole('option', { name: /Keptname.*the record with this MRN is merged into it/ }).waitFor()
    await dialog.getByRole('combobox').fill(String(kept.mrn))
    await dialog
      .getByRole('option', { name: /Keptname/ })
      .filter({ hasNotText: 'merged into it' })
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Kay Keptname' }).waitFor()
    expect(faults).toEqual([])
  })

  it('keeps the patients found for the first letters in sight, and looks for similar names at once, while the next letter is searched for', async () => {
    await site.make('/patients/v1', patientBody({ name: nameBody('Steadyname', 'Sue') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('steadyna')
    await dialog.getByText('Sue').waitFor()
    let answer = () => {}
    const held = new Promise<void>((done) => {
      answer = done
    })
    const ofNextLetter = (url: URL) => /begins=steadynam(&|$)/.test(url.search)
    await intercept(page, ofNextLetter, async (route) => {
      await held
      await route.continue()
    })
    try {
      const similar = page.waitForRequest((request) => request.url().includes('similar_name%3Asteadynam&'))
      await page.keyboard.insertText('m')
      await similar
      await settle(page)
      expect(await dialog.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('Sue')])
    } finally {
      answer()
    }
    // A text that does not continue the last one shows nothing of it.
    await dialog.getByRole('combobox').fill('nobodyhasthisname')
    await dialog.getByText('No patients found.').waitFor()
    expect(faults).toEqual([])
  })

  it('moves the focus to a payer that is not chosen, and says that a typed name is not a choice', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Payerless', 'Pam') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}?form=new`)
    await page.getByLabel('Member ID').fill('W1')
    const add = page.getByRole('button', { name: 'Add', exact: true })
    await press(page, add)
    const payer = page.getByRole('combobox', { name: 'Find payer' })
    await payer.and(page.locator(':focus')).waitFor()
    await page.getByText('This field is required.').waitFor()
    await payer.fill('Some payer')
    await press(page, add)
    await page.getByText('Choose a payer from the list.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('saves with the first click, also where the field that is left then says that its entry is unusual', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Firstclick', 'Fay') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}?tab=details`)
    await page.getByLabel('State').fill('Illinois')
    // With the mouse: its press takes the focus from the field.
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use the two-letter code of a US state, such as NY.').waitFor()
    await page.getByText('The patient was saved.').waitFor()
    const { body } = await site.caller.call('GET', `/patients/v1/${patient.id}`)
    expect(body.primary_address.state).toBe('Illinois')
    expect(faults).toEqual([])
  })

  it('finds a patient by a name and a birth date, by the date where the name is spelled otherwise, and by a telephone number in any punctuation', async () => {
    const body = patientBody({ name: nameBody('Bothways', 'Bea') })
    const primary_telecom = { value: '(207) 555-0199', use: 'MOBILE' }
    await site.make('/patients/v1', { ...body, birth_date: '1951-03-07', primary_telecom })
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog')
    for (const text of [
      'bothways, bea 3/7/1951',
      '3/7/51 bothw',
      'Bodweis 03/07/1951',
      '1951/3/7',
      '207.555.0199',
      '5550199',
    ]) {
      await dialog.getByRole('combobox').fill(text)
      await dialog.getByRole('option', { name: /Bothways, Bea/ }).waitFor()
    }
    expect(faults).toEqual([])
  })

  it('says when the records to merge cannot be compared', async () => {
    const [one, other] = [
      await site.make('/patients/v1', patientBody({ name: nameBody('Uncompared', 'Una') })),
      await site.make('/patients/v1', patientBody({ name: nameBody('Uncompared', 'Uma') })),
    ]
    const { page } = await site.open()
    const refuse = { status: 400, contentType: 'application/json', body: '{"content":{"message":"no"}}' }
    await page.route('**/patient-merge/v1/**', (route) => route.fulfill(refuse))
    await signIn(page, site.ana, `/console/patients/${one.id}/merge?other=${other.id}`)
    await page.getByText('The entry was not accepted').waitFor()
    await page.unroute('**/patient-merge/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    const merge = page.getByRole('button', { name: `Keep ${one.mrn}, and merge ${other.mrn} into it` })
    await merge.waitFor()
    expect(await page.getByText('The entry was not accepted').count()).toBe(0)
    // Why a merge is refused is said, also when nobody can tell whether it was done before.
    const ofMerges = (url: URL) => url.pathname.startsWith('/patient-merge/v1')
    const first = { ...refuse, body: '{"content":{"message":"an open claim refers to it"}}' }
    await intercept(page, ofMerges, (route) =>
      route.fulfill(route.request().method() === 'POST' ? first : { ...refuse, status: 404 }),
    )
    await merge.click()
    await page.getByText(/an open claim refers to it/i).waitFor()
    await page.unroute(ofMerges)
  })

  it('reads a corrected file again when it is chosen again', async () => {
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.getByRole('link', { name: 'Batch' }).click()
    const field = page.getByLabel('CSV file')
    const file = (text: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await field.setInputFiles(file('Versicherung,Nummer,First Name,Last Name\n60054,W1,Ana,Ruiz\n'))
    await page.getByText('1 of 1 rows cannot be checked').waitFor()
    const choosing = page.waitForEvent('filechooser')
    await field.click()
    const chooser = await choosing
    // A browser reports no change while the field has the same file.
    expect(await field.inputValue()).toBe('')
    await chooser.setFiles(file('Payer,Member ID,First Name,Last Name\n60054,W1,Ana,Ruiz\n'))
    await page.getByLabel('NPI for rows without one').fill('1999999984')
    await page.getByRole('button', { name: 'Check 1 patient' }).and(page.locator(':enabled')).waitFor()
    expect(faults).toEqual([])
  })

  it('says of each part of a screen that it could not be read, and shows none as empty', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Unread', 'Una') }))
    await site.make('/coverages/v1', coverageBody(patient.id))
    const { page } = await site.open()
    const refusal = (message: string) => ({ status: 400, json: { content: { message } } })
    const parts = {
      'images/v1': 'images',
      'tags/v1': 'tags',
      'patient-merge/v1': 'merges',
      'lists/board': 'visits',
      'payer/search': 'payers',
    }
    for (const [path, name] of Object.entries(parts)) {
      await page.route(new RegExp(`/${path}(?=[/?]|$)`), (route) => route.fulfill(refusal(`no ${name}`)))
    }
    await signIn(page, site.ana, `/console/patients/${patient.id}`)
    for (const name of ['images', 'tags', 'merges', 'visits']) await page.getByText(`No ${name}.`).waitFor()
    expect(await page.getByText('No visit is scheduled').count()).toBe(0)
    await page.getByRole('button', { name: 'Add coverage' }).click()
    await page.getByRole('combobox', { name: 'Find payer' }).fill('aetna')
    await page.getByText('No payers.').waitFor()
    expect(await page.getByText('No payers found').count()).toBe(0)
  })
}
