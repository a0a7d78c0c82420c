// A day at the front desk.
import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { startCheckWorker } from '../../src/eligibility/checks/check-worker.ts'
import { importPayers } from '../../src/payers/directory.ts'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept, picture } from '../support/browser.ts'
import { somePayer } from '../support/payer-names.ts'
import { INACTIVE, NOT_FOUND } from '../support/scripted-payer.ts'
import { focused, giveNpi, go, press, type Site, signIn, whileAway } from './site.ts'

export function deskDayJourneys(site: Site): void {
  it('takes a visit to READY: find a patient without coverage, add one, check it, accept the correction, check the visit', async () => {
    await importPayers(site.service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    await giveNpi(site)
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Lindqvist', 'Maja') }))
    // Two visits of one day: what settles one of them settles both.
    const undecided = { status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE', work_queue: 'NEW_PATIENT' }
    const notReady = { ...undecided, start_timestamp: new Date().toISOString() }
    for (const _ of [1, 2]) await site.make('/appointments/v1', appointmentBody(patient.id, notReady))
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page
      .getByRole('row', { name: /Lindqvist/ })
      .nth(1)
      .waitFor()
    await page.keyboard.press('/')
    await page.getByRole('dialog').getByRole('combobox').fill('lindqvist')
    await page
      .getByRole('option', { name: /Lindqvist/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Maja Lindqvist' }).waitFor()
    await page.getByRole('button', { name: 'Add coverage' }).click()
    await page.locator('label').getByText('Find payer *').waitFor()
    await page.getByRole('combobox', { name: 'Find payer' }).fill('aetna')
    await page.getByRole('option', { name: /60054/ }).first().click()
    await page.getByLabel('Member ID').fill('W1234567')
    const subscriber = page.getByLabel('Subscriber’s last name')
    await page.getByLabel('Patient’s relationship to subscriber').selectOption('CHILD')
    expect(await subscriber.inputValue()).toBe('')
    await page.getByLabel('Patient’s relationship to subscriber').selectOption('SELF')
    expect(await subscriber.inputValue()).toBe('Lindqvist')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Check eligibility' }).click()
    // The payer has another last name.
    site.payer.renames.lastName = 'LINDQVIST-BERG'
    try {
      expect(await page.getByLabel('Inquiring provider').inputValue()).toBe('1999999984')
      await page.getByRole('button', { name: /^Check with / }).click()
      await page.getByRole('button', { name: 'Use payer value' }).click()
      await page.getByText('The payer has different information').waitFor({ state: 'hidden' })
      await picture(page, 'correction-taken')
      const { body } = await site.caller.call('GET', `/coverages/v1?patient_id=${patient.id}`)
      expect(JSON.stringify(body)).toMatch(/lindqvist-berg/i)
      const visit = page.getByRole('region', { name: 'Next visit' })
      await visit.getByRole('button', { name: /^Check/ }).click()
      await visit.getByText('Ready', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Today' }).click()
      await page
        .getByRole('row', { name: /Lindqvist.*Ready/s })
        .nth(1)
        .waitFor()
    } finally {
      delete site.payer.renames.lastName
    }
    expect(faults).toEqual([])
  })

  it('checks a CSV list of patients, shows only what needs attention, and exports all of it', async () => {
    await importPayers(site.service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    site.payer.answers.set('BATCH2', INACTIVE)
    site.payer.answers.set('BATCH3', NOT_FOUND)
    const rows = [
      'Insurance,First Name,Last Name,Member ID,Date of Birth,Date of Service',
      '60054,Ada,Batchone,BATCH1,1980-01-02,',
      'Etna,Bea,Batchtwo,BATCH2,1981-01-02,',
      'AETNA,Cem,"=cmd()",BATCH3,1982-01-02,',
      'Aetna,Dea,Nobirth,,,',
    ]
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.getByRole('link', { name: 'Batch' }).click()
    const csv = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) }
    await page.getByLabel('CSV file').setInputFiles(csv)
    await page.getByLabel('NPI for rows without one').fill('1999999984')
    // A look at another screen loses neither the file nor what was chosen for it.
    await page.getByLabel('Date of service').selectOption('Not in the file')
    await go(page, '/console/today')
    await page.goBack()
    await page.getByText('Chosen: list.csv').waitFor()
    expect(await page.getByLabel('NPI for rows without one').inputValue()).toBe('1999999984')
    expect(await page.getByLabel('Date of service').inputValue()).toBe('-1')
    // Two spellings are the name of a payer in the directory; the third is not, so that the user chooses.
    await page.getByText('2 of 4 rows cannot be checked').waitFor()
    await page.getByLabel('Payer for Etna').selectOption('60054')
    await page.getByText('1 of 4 rows cannot be checked').waitFor()
    const worker = startCheckWorker(site.service.deps, { concurrency: 4, log: pino({ level: 'silent' }) })
    // The first answer is lost; what is pressed again starts nothing a second time.
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await intercept(page, '**/eligibility-checks/v1/batch?*', lose, { times: 1 })
    try {
      const start = page.getByRole('button', { name: 'Check 3 patients' })
      await start.click()
      await page.getByText('The service cannot be reached', { exact: true }).waitFor()
      await start.click()
      await page.getByText('All patients have been checked.').waitFor()
    } finally {
      await worker.stop()
    }
    const batches = await site.service.database.rows(
      'select 1 from eligibility_batch where organization_id = $1 and size = 3',
      [site.caller.organizationId],
    )
    expect(batches).toHaveLength(1)
    await page.getByRole('cell', { name: /Batchtwo/ }).waitFor()
    expect(await page.getByRole('cell', { name: /Batchone/ }).count()).toBe(0)
    await picture(page, 'batch')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save all as CSV' }).click()
    const text = await readFile(await (await saving).path(), 'utf8')
    for (const name of ['Batchone', 'Batchtwo']) expect(text).toContain(name)
    // A spreadsheet would evaluate a cell that begins like a formula.
    expect(text).not.toMatch(/(^|,)"?=cmd/m)
    await page
      .getByRole('row', { name: /Batchtwo/ })
      .getByRole('link', { name: 'View response' })
      .click()
    await page.waitForURL(/\/checks\//)
    await page.getByText('Not active').first().waitFor()
    expect(faults).toEqual([])
  })

  it('finds the coverage of a patient without a card, and fills in the form with it', async () => {
    site.payer.discovered = [
      {
        payer: { name: 'AETNA', payorIdentification: '60054' },
        subscriber: { memberId: 'FOUND77', firstName: 'ROSA', lastName: 'CARDLESS' },
        confidence: { level: 'REVIEW_NEEDED', reason: 'A nickname' },
      },
      {
        payer: { name: 'CIGNA', payorIdentification: '62308' },
        subscriber: { memberId: 'FOUND78', firstName: 'ROSA', lastName: 'CARDLESS' },
        confidence: { level: 'HIGH' },
      },
    ]
    await giveNpi(site)
    const body = patientBody({ name: nameBody('Cardless', 'Rosalinda'), self_pay: true })
    const patient = await site.make('/patients/v1', body)
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}`)
    await page.getByRole('button', { name: 'Find coverage' }).click()
    await page.getByRole('button', { name: 'Search payers' }).click()
    await page.getByText('Confirm with the patient: A nickname.').waitFor()
    await page.getByRole('status').getByText('2 coverages were found.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Add this coverage: AETNA, FOUND77' }).click()
    expect(await page.getByLabel('Member ID').inputValue()).toBe('FOUND77')
    expect(await page.getByText('Your earlier input was restored').count()).toBe(0)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const selfPay = page.getByRole('region', { name: 'Self-pay' })
    await selfPay.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, selfPay.getByRole('button', { name: 'Bill the coverage instead' }))
    await selfPay.waitFor({ state: 'detached' })
    expect((await site.caller.call('GET', `/patients/v1/${patient.id}`)).body.self_pay).toBe(false)
    await page.getByRole('button', { name: 'Find coverage' }).click()
    await page.getByRole('button', { name: 'Search payers' }).click()
    await page.getByText('This coverage is recorded already.').waitFor()
    expect(faults).toEqual([])
  })

  it('never shows for one patient what was found for another', async () => {
    site.payer.discovered = [
      {
        payer: { name: 'AETNA', payorIdentification: '60054' },
        subscriber: { memberId: 'FOUND88', firstName: 'ONE', lastName: 'NEIGHBORA' },
        confidence: { level: 'HIGH' },
      },
    ]
    await giveNpi(site)
    await site.make('/patients/v1', patientBody({ name: nameBody('Neighbora', 'One') }))
    const second = await site.make('/patients/v1', patientBody({ name: nameBody('Neighborb', 'Two') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const choose = async (name: string) => {
      await page.keyboard.press('Control+k')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('combobox').fill(name)
      await dialog.getByRole('option', { name: new RegExp(name) }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: new RegExp(name) }).waitFor()
    }
    // A patient who was shown a moment ago is shown without waiting.
    await go(page, `/console/patients/${second.id}`)
    await page.getByRole('button', { name: 'Find coverage' }).waitFor()
    await choose('Neighbora')
    await page.getByRole('button', { name: 'Find coverage' }).click()
    await page.getByRole('button', { name: 'Search payers' }).click()
    await page.getByText('FOUND88').waitFor()
    await choose('Neighborb')
    await page.getByRole('button', { name: 'Find coverage' }).waitFor()
    expect(await page.getByText('FOUND88').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Search payers' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('guides through a new patient: to the first missing field, to a possible duplicate, and on to an empty form', async () => {
    const { page, faults } = await site.open()
    await signIn(page, site.ana, '/console/patients/new')
    const add = page.getByRole('button', { name: 'Add patient' })
    await press(page, add)
    await page.getByLabel('First and middle names').and(page.locator(':focus')).waitFor()
    const stored = await site.make('/patients/v1', patientBody({ name: nameBody('Twice', 'Tess') }))
    const typed = { 'First and middle names': 'Tess', 'Last name': 'Twice', 'Birth date': String(stored.birth_date) }
    const address = { Street: '1 Main Street', City: 'Albany', State: 'NY', 'ZIP code': '12207' }
    for (const [label, text] of Object.entries({ ...typed, ...address })) await page.getByLabel(label).fill(text)
    await page.getByLabel('Sex').selectOption({ index: 1 })
    await press(page, add)
    await page
      .getByRole('alert')
      .filter({ hasText: 'Possible duplicate patient' })
      .and(page.locator(':focus'))
      .waitFor()
    expect(await page.getByText('This conflicts with stored data').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await press(page, page.getByRole('button', { name: 'Add as a different person' }))
    await page.getByRole('heading', { name: 'Tess Twice' }).waitFor()
    // The patient is a walk-in.
    await press(page, page.getByRole('link', { name: 'Visits' }))
    await press(page, page.getByRole('button', { name: 'Add visit' }))
    await page.getByLabel('Last name').fill('Okafor')
    await page.getByLabel('First name').fill('Ada')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'new-visit')
    await press(page, page.getByRole('button', { name: 'Add visit' }))
    await page.getByRole('row', { name: /Ada Okafor.*Office visit.*Not verified yet/ }).waitFor()
    await page.getByRole('region', { name: 'Next visit' }).waitFor()
    await press(page, page.getByRole('link', { name: 'New patient' }))
    await add.waitFor()
    expect(await page.getByLabel('Last name').inputValue()).toBe('')
    // A record that does not exist is a screen like others: with a heading, advice and a way on.
    for (const [place, title] of [
      ['patients/01a20644-fb6d-7020-bacd-000000000000', 'Patient not found'],
      ['checks/01a20644-fb6d-7020-bacd-000000000000', 'Eligibility response not found'],
      ['batch/01a20644-fb6d-7020-bacd-000000000000', 'Batch not found'],
      ['nowhere', 'Page not found'],
    ]) {
      await go(page, `/console/${place}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await expect.poll(() => page.title()).toBe(`${title} · Anteroom`)
      expect(await faultsOf(page), place).toEqual([])
    }
    const long = await site.make(
      '/patients/v1',
      patientBody({ name: nameBody(`Wolfeschlegelsteinhausenbergerdorff-${'W'.repeat(60)}`, 'Hubertine') }),
    )
    await page.setViewportSize({ width: 320, height: 800 })
    await go(page, `/console/patients/${long.id}`)
    await page.getByRole('heading', { level: 1, name: 'Hubertine' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await go(page, '/console/nowhere')
    await press(page, page.getByRole('link', { name: 'Go to today' }))
    const rows = page.getByRole('table').getByRole('row')
    await rows.nth(1).waitFor()
    await page.keyboard.press('ArrowDown')
    const row = rows.and(page.locator('[aria-current]')).and(page.locator(':focus'))
    await row.waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Visit' }).waitFor()
    await page.keyboard.press('Escape')
    await row.waitFor()
    expect(faults).toEqual([])
  })

  it('merges a record that was entered twice and separates it again, with the keyboard alone', async () => {
    const [kept, away] = [
      await site.make('/patients/v1', patientBody({ name: nameBody('Duplicate', 'Dora') })),
      await site.make('/patients/v1', patientBody({ name: nameBody('Duplicaat', 'Dora') })),
    ]
    const mergesOf = async () => (await site.caller.call('GET', `/patient-merge/v1/all/${kept.mrn}`)).body
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${kept.id}/merge`)
    const other = page.getByRole('combobox', { name: /^Which record is the same person/ })
    await other.and(page.locator(':focus')).waitFor()
    // Enter waits for the records with this number: before that the list shows those with a similar name.
    await page.keyboard.type(String(away.mrn))
    await page.keyboard.press('Enter')
    await press(page, page.getByRole('button', { name: `Keep ${kept.mrn}, and merge ${away.mrn} into it` }))
    await page.getByRole('region', { name: 'Merged records' }).getByText('Duplicaat').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'merged')
    expect(await mergesOf()).toMatchObject([{ primary_patient_mrn: kept.mrn, alternative_patient_mrn: away.mrn }])
    await press(page, page.getByRole('button', { name: 'Undo the merge' }))
    await page.getByRole('region', { name: 'Merged records' }).waitFor({ state: 'hidden' })
    expect(await mergesOf()).toEqual([])
    expect(faults).toEqual([])
  })

  it('shows the second of two users who edit one patient what changed field by field, keeps their input, and saves both changes', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Twohands', 'Ida') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}?tab=details`)
    const last = page.getByLabel('Last name')
    const { id: _id, version, ...body } = patient
    const change = async (to: number, theirs: object) => {
      const changed = await site.caller.call('PUT', `/patients/v1/${patient.id}/${version + to}`, {
        ...body,
        ...theirs,
      })
      expect(changed.status, changed.text).toBe(200)
    }
    // What the form does not have is no reason to ask: a new note or tag is such a change.
    await page.getByLabel('City').fill('Elsewhere')
    await change(1, { gender: 'OTHER' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The patient was saved.').waitFor()
    const once = (await site.caller.call('GET', `/patients/v1/${patient.id}`)).body
    expect([once.primary_address.city, once.gender, once.version]).toEqual(['Elsewhere', 'OTHER', version + 2])

    await last.fill('Twohands-Mine')
    await change(3, {
      name: nameBody('Twohands-Theirs', 'Ida'),
      primary_address: once.primary_address,
      gender: 'OTHER',
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Another user changed this record' })
    await alert.waitFor()
    for (const text of ['Twohands-Theirs', 'Twohands-Mine']) await alert.getByText(text).first().waitFor()
    expect(await last.inputValue()).toBe('Twohands-Mine')
    await picture(page, 'two-people')
    await page.getByRole('button', { name: 'Save on top of these changes' }).click()
    await page.getByRole('heading', { name: /Twohands-Mine/ }).waitFor()
    const stored = (await site.caller.call('GET', `/patients/v1/${patient.id}`)).body
    expect([stored.name.family, stored.gender, stored.version]).toEqual(['Twohands-Mine', 'OTHER', version + 4])
    expect(faults).toEqual([])
  })

  it('tells a user who edits one patient in two windows that it was they who changed it, and keeps what was typed in both', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Twowindows', 'Ida') }))
    const { page, faults } = await site.open()
    const details = `/console/patients/${patient.id}?tab=details`
    await signIn(page, site.ana, details)
    const other = await page.context().newPage()
    await other.goto(details)
    for (const each of [page, other]) {
      await each.getByLabel('Last name').fill(each === page ? 'Here' : 'There')
    }
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await other.getByRole('heading', { level: 1, name: 'Ida There' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'You changed this record in another window' })
    for (const text of ['There', /^Here/]) await alert.getByRole('cell', { name: text }).waitFor()
    expect(await page.getByText(/another user/i).count()).toBe(0)
    expect(await page.getByLabel('Last name').inputValue()).toBe('Here')
    await page.getByRole('button', { name: 'Save on top of these changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ida Here' }).waitFor()
    expect(faults).toEqual([])
  })

  it('never replaces the visit notes of another user silently, and shows new ones to who has typed nothing', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Twonotes', 'Nia') }))
    const start_timestamp = new Date().toISOString()
    const { id } = await site.make(
      '/appointments/v1',
      appointmentBody(patient.id, { start_timestamp, notes: 'wheelchair' }),
    )
    const stored = async () => (await site.caller.call('GET', `/appointments/v1/${id}`)).body
    const writeNotes = async (notes: string) => {
      const { id: _, organization_id, deactivated, version, updated_at, updating_user_id, ...visit } = await stored()
      const body = { ...visit, notes }
      expect((await site.caller.call('PUT', `/appointments/v1/${id}/${version + 1}`, body)).status).toBe(200)
    }
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.locator(`[data-id="${id}"]`).getByRole('cell').first().click()
    await page.getByRole('complementary', { name: 'Visit' }).getByRole('button', { name: 'Mark ready' }).click()
    await page.getByText('marked ready by a user').waitFor()
    const notes = page.getByLabel('Visit notes')
    await expect.poll(() => notes.inputValue()).toBe('wheelchair')
    const upToDate = page.getByText('Up to date', { exact: true })
    await upToDate.waitFor()
    // What was written without a network arrives when it is back.
    await page.context().setOffline(true)
    await upToDate.waitFor({ state: 'detached' })
    await writeNotes('interpreter')
    await page.context().setOffline(false)
    await upToDate.waitFor()
    await expect.poll(() => notes.inputValue()).toBe('interpreter')
    await notes.fill('bring the card')
    await page.getByLabel('Time').fill('06:07')
    await writeNotes('call before')
    await page.getByRole('alert').filter({ hasText: 'They are now: call before' }).waitFor()
    expect(await notes.inputValue()).toBe('bring the card')
    expect(await page.getByLabel('Time').inputValue()).toBe('06:07')
    expect(await faultsOf(page)).toEqual([])
    await press(page, page.getByRole('button', { name: 'Keep both' }))
    await press(page, page.getByRole('button', { name: 'Save notes' }))
    await page.getByText('The note was saved.').waitFor()
    expect((await stored()).notes).toBe('call before\nbring the card')
    expect(faults).toEqual([])
  })

  it('corrects a note with its line breaks, shows what another user wrote meanwhile, and removes it after a question', async () => {
    const note = await site.make('/notes/v1', { value: 'Alergic to latex.', type: 'GENERAL', author_name: 'Ben' })
    const patient = await site.make(
      '/patients/v1',
      patientBody({ name: nameBody('Misspelled', 'Mo'), note_ids: [note.id] }),
    )
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}?tab=notes`)
    const correct = page.getByRole('button', { name: /^Correct the note/ })
    await press(page, correct)
    await page.getByLabel('Text').fill('Allergic to latex.\nAsk about gloves.')
    const other = { value: 'Alergic to latex and nuts.', author_name: 'Ben' }
    expect((await site.caller.call('PUT', `/notes/v1/${note.id}/1`, other)).status).toBe(200)
    await press(page, page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('cell', { name: other.value }).waitFor()
    await press(page, page.getByRole('button', { name: 'Save on top of these changes' }))
    await page.getByText('The note was corrected.').waitFor()
    const stored = async () => (await site.caller.call('GET', `/notes/v1/${note.id}`)).body
    expect(await stored()).toMatchObject({
      version: 3,
      value: 'Allergic to latex.\nAsk about gloves.',
      author_name: 'Ben',
      type: 'GENERAL',
    })
    await page.getByText(/Ben · .* · corrected/).waitFor()
    await picture(page, 'note')
    await focused(page, correct)
    await press(page, page.getByRole('button', { name: /^Remove the note/ }))
    await press(page, page.getByRole('button', { name: 'No', exact: true }))
    expect((await stored()).deactivated).toBe(false)
    await press(page, page.getByRole('button', { name: /^Remove the note/ }))
    await press(page, page.getByRole('button', { name: 'Yes, remove' }))
    await page.getByText('No notes').waitFor()
    expect(await stored()).toMatchObject({ version: 4, deactivated: true })
    expect(faults).toEqual([])
  })

  it('shows the latest notes of a patient who has many, and the earlier ones on request', async () => {
    const note_ids: string[] = []
    for (let number = 1; number <= 31; number++)
      note_ids.push((await site.make('/notes/v1', { value: `Note ${number}.`, type: 'GENERAL' })).id)
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Noted', 'Nia'), note_ids }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}?tab=notes`)
    await page.getByText('Note 31.', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('article').count()).toBe(30)
    expect(await page.getByText('Note 1.', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show earlier notes' }).click()
    await page.getByText('Note 1.', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Show earlier notes' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('loses no input while the server is unavailable: it says so, keeps the text over a reload, and saves it afterwards', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Restart', 'Rae') }))
    const { page } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}?tab=notes`)
    await page.getByLabel('New note').fill('Typed while the server')
    await whileAway(site, async () => {
      await page.getByLabel('New note').pressSequentially(' was away')
      await page.getByRole('button', { name: 'Add note' }).click()
      await page.getByText('The service cannot be reached').first().waitFor()
      expect(await page.getByLabel('New note').inputValue()).toBe('Typed while the server was away')
    })
    await page.reload()
    await page.getByLabel('New note').waitFor()
    expect(await page.getByLabel('New note').inputValue()).toBe('Typed while the server was away')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('article').getByText('Typed while the server was away').waitFor()
    const stored = await site.caller.call('GET', '/notes/v1/scan?since=2020-01-01T00:00:00.000Z')
    if (stored.status === 200)
      expect(stored.text.split('Typed while the server was away').length - 1).toBeLessThanOrEqual(1)
  })
}
