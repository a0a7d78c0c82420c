// The network is cut after the service has done what it was asked: nobody hears of it, and what is sent again makes nothing twice.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { importPayers } from '../../src/payers/directory.ts'
import { faultsOf } from '../support/axe.ts'
import { nameBody, patientBody } from '../support/bodies.ts'
import { intercept, picture } from '../support/browser.ts'
import { somePayer } from '../support/payer-names.ts'
import { newPerson } from '../support/people.ts'
import { focused, go, goWithin, press, type Site, settle, signIn } from './site.ts'

export function lostAnswersJourneys(site: Site): void {
  /** While `work` runs, calls of this kind are done and their connection is cut in place of the answer. Returns how many were. */
  async function withoutAnswers(method: string, path: RegExp, work: () => Promise<void>): Promise<number> {
    const { server } = site.service.app
    let lost = 0
    const lose = (request: IncomingMessage, response: ServerResponse) => {
      if (request.method !== method || !path.test(request.url ?? '')) return
      lost++
      response.writeHead = () => response
      response.end = () => {
        request.socket.destroy()
        return response
      }
    }
    server.prependListener('request', lose)
    try {
      await work()
    } finally {
      server.off('request', lose)
    }
    return lost
  }

  const fill = async (page: Page, typed: Record<string, string>) => {
    for (const [label, text] of Object.entries(typed)) {
      await page.getByRole('textbox', { name: label, exact: true }).and(page.locator(':visible')).fill(text)
    }
  }

  it('says on a slow network that the console, and then the next screen, is coming', async () => {
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const held = new Map<string, () => void>()
    const hold = async (name: string) => {
      const isFree = new Promise<void>((done) => held.set(name, done))
      await intercept(page, `**/assets/${name}-*.js`, async (route) => {
        await isFree
        await route.continue()
      })
    }
    await hold('index')
    await hold('week')
    try {
      await page.goto('/console/today', { waitUntil: 'commit' })
      await page.getByText('Loading Anteroom…').waitFor()
      held.get('index')?.()
      await page.getByRole('link', { name: 'Week' }).click()
      await page.getByText('Loading the page').waitFor()
      held.get('week')?.()
      await page.getByRole('heading', { level: 1, name: /^Week of/ }).waitFor()
    } finally {
      for (const free of held.values()) free()
      await page.unrouteAll({ behavior: 'wait' })
    }
    expect(faults).toEqual([])
  })

  const countOf = async (table: string, condition: string, value: string) =>
    (
      await site.service.database.rows(`select 1 from ${table} where organization_id = $1 and ${condition} = $2`, [
        site.caller.organizationId,
        value,
      ])
    ).length

  it('stores once what is saved again because its answer was lost: a note, a visit, a coverage and another patient of the same name', async () => {
    await importPayers(site.service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    const body = patientBody({ name: nameBody('Lostanswer', 'Lia') })
    const { id } = await site.make('/patients/v1', body)
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    /** Saves without an answer, reloads the page as a user may who waits, and saves again. */
    const saveTwice = async (button: string, method: string, path: RegExp) => {
      const save = page.getByRole('main').getByRole('button', { name: button, exact: true }).last()
      const lost = await withoutAnswers(method, path, async () => {
        await press(page, save)
        await page.getByText(/Check the network and try again/).waitFor()
      })
      expect(lost, button).toBeGreaterThan(0)
      await page.reload()
      await settle(page)
      await press(page, save)
    }

    // A note is two writes: itself, and the patient's record that names it.
    await go(page, `/console/patients/${id}?tab=notes`)
    for (const [text, method, path] of [
      ['Lost with the note', 'POST', /^\/notes\/v1/],
      ['Lost with the patient', 'PUT', /^\/patients\/v1/],
    ] as const) {
      await page.getByLabel('New note').fill(text)
      await saveTwice('Add note', method, path)
      await page.getByRole('article').getByText(text).waitFor()
      await expect.poll(() => page.getByLabel('New note').inputValue()).toBe('')
      expect(await countOf('note', `body ->> 'value'`, text), text).toBe(1)
    }
    const { note_ids } = (await site.caller.call('GET', `/patients/v1/${id}`)).body
    expect(note_ids).toHaveLength(2)

    await goWithin(page, `/console/patients/${id}?tab=visits&form=new`)
    await fill(page, { 'Last name': 'Lostdoctor', 'First name': 'Ada' })
    await saveTwice('Add visit', 'POST', /^\/appointments\/v1/)
    await page.getByRole('row', { name: /Ada Lostdoctor/ }).waitFor()
    expect(await countOf('appointment', `body ->> 'patient_id'`, id)).toBe(1)

    await goWithin(page, `/console/patients/${id}?form=new`)
    await page.getByRole('combobox', { name: 'Find payer' }).fill('aetna')
    await page.getByRole('option', { name: /60054/ }).first().click()
    await fill(page, { 'Member ID': 'LOST1' })
    await saveTwice('Add', 'POST', /^\/coverages\/v1(\?|$)/)
    await page.getByRole('article', { name: /^Aetna, primary/ }).waitFor()
    expect(await countOf('coverage', `body ->> 'patient'`, id)).toBe(1)

    await go(page, '/console/patients/new')
    await fill(page, { 'First and middle names': 'Lia', 'Last name': 'Lostanswer', Street: '1 Main Street' })
    await fill(page, { City: 'Albany', 'ZIP code': '12207' })
    await page.getByLabel('Birth date').fill(String(body.birth_date))
    await page.getByLabel('State').fill('NY')
    await page.getByLabel('Sex').selectOption({ index: 1 })
    await press(page, page.getByRole('button', { name: 'Add patient' }))
    const asOther = page.getByRole('button', { name: 'Add as a different person' })
    await asOther.waitFor()
    await withoutAnswers('POST', /^\/patients\/v1/, async () => {
      await press(page, asOther)
      await page.getByText(/Check the network and try again/).waitFor()
    })
    await press(page, asOther)
    await page.getByRole('heading', { level: 1, name: 'Lia Lostanswer' }).waitFor()
    expect(await countOf('patient', `body -> 'name' ->> 'family'`, 'Lostanswer')).toBe(2)
    expect(faults).toEqual([])
  })

  it('takes a merge that is sent again because its answer was lost as done', async () => {
    const kept = await site.make('/patients/v1', patientBody({ name: nameBody('Lostmerge', 'Mia') }))
    const away = await site.make('/patients/v1', patientBody({ name: nameBody('Lostmerge', 'Mya') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${kept.id}/merge?other=${away.id}`)
    const merge = page.getByRole('button', { name: /^Keep / })
    await withoutAnswers('POST', /^\/patient-merge\/v1/, async () => {
      await press(page, merge)
      await page.getByText(/Check the network and try again/).waitFor()
    })
    await press(page, merge)
    await page.getByRole('heading', { level: 1, name: 'Mia Lostmerge' }).waitFor()
    expect(await countOf('patient_merge', `body ->> 'alternative_patient_mrn'`, String(away.mrn))).toBe(1)
    expect(faults).toEqual([])
  })

  it('tells an administrator at once that an answer was lost, and then shows in the list what was stored', async () => {
    const { organizationId } = site.caller
    const chief = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Olu Lost' })
    const { page, faults } = await site.open()
    await signIn(page, chief, '/console/admin/webhooks')
    await page.getByLabel('Address').fill('https://hooks.example.com/lost')
    // Where the service cannot be reached, the list is not read for seconds.
    let answer = () => {}
    const held = new Promise<void>((done) => {
      answer = done
    })
    const list = '**/anteroom/v1/webhooks*'
    await intercept(page, list, async (route) => {
      if (route.request().method() === 'GET') await held
      await route.fallback()
    })
    try {
      await withoutAnswers('POST', /^\/anteroom\/v1\/webhooks/, async () => {
        await press(page, page.getByRole('main').getByRole('button', { name: /^(Add|Create)/ }))
        await page.getByText(/first check whether it was saved/).waitFor()
      })
      answer()
      await page.getByRole('cell', { name: 'https://hooks.example.com/lost' }).first().waitFor()
    } finally {
      answer()
      await page.unroute(list)
    }
    expect(faults).toEqual([])
  })

  it('asks whether what is changed after a lost answer is the same entry: then there is one record, with the changes; else two', async () => {
    await importPayers(site.service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    const { id } = await site.make('/patients/v1', patientBody({ name: nameBody('Changedmind', 'Cleo') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}`)
    const main = page.getByRole('main')
    const question = page.getByRole('alert').filter({ hasText: 'Your last attempt may have been saved' })
    const [same, another] = [/^The same/, /^Another one/].map((name) => question.getByRole('button', { name }))
    /** Saves without an answer, changes the form and saves again. `isDone`: whether the service has done the first. */
    const change = async (button: string, path: RegExp, isDone: boolean, typed: Record<string, string>) => {
      const save = main.getByRole('button', { name: button, exact: true }).last()
      const attempt = async () => {
        await press(page, save)
        await page.getByText(/Check the network and try again/).waitFor()
      }
      if (isDone) await withoutAnswers('POST', path, attempt)
      else {
        await intercept(page, path, (route) => route.abort())
        await attempt()
        await page.unroute(path)
      }
      await fill(page, typed)
      await press(page, save)
      await focused(page, question)
      expect(await faultsOf(page, { within: '[role=alert]' })).toEqual([])
    }

    for (const [isDone, family] of [
      [true, 'Donedoctor'],
      [false, 'Undonedoctor'],
    ] as const) {
      await goWithin(page, `/console/patients/${id}?tab=visits&form=new`)
      await fill(page, { 'Last name': `${family}-mistyped`, 'First name': 'Ada' })
      await change('Add visit', /\/appointments\/v1/, isDone, { 'Last name': family })
      await press(page, same!)
      await page.getByRole('row', { name: new RegExp(`Ada ${family}(?!-)`) }).waitFor()
      expect(await page.getByRole('row', { name: /mistyped/ }).count()).toBe(0)
    }
    expect(await countOf('appointment', `body ->> 'patient_id'`, id)).toBe(2)

    await goWithin(page, `/console/patients/${id}?form=new`)
    await page.getByRole('combobox', { name: 'Find payer' }).fill('aetna')
    await page.getByRole('option', { name: /60054/ }).first().click()
    await fill(page, { 'Member ID': 'WRONG1' })
    await change('Add', /\/coverages\/v1/, true, { 'Member ID': 'RIGHT1' })
    await press(page, same!)
    await page.getByRole('article', { name: /^Aetna, primary/ }).waitFor()
    expect(await countOf('coverage', `body ->> 'patient'`, id)).toBe(1)
    expect(await countOf('coverage', `body #>> '{insurance_plan,member_id}'`, 'RIGHT1')).toBe(1)

    // Another note than the one that was sent: both are there.
    await goWithin(page, `/console/patients/${id}?tab=notes`)
    await page.getByLabel('New note').fill('Was told the price')
    await change('Add note', /\/notes\/v1/, true, { 'New note': 'Brings the card' })
    await press(page, another!)
    await page.getByRole('article').getByText('Brings the card').waitFor()
    for (const text of ['Was told the price', 'Brings the card']) {
      expect(await countOf('note', `body ->> 'value'`, text), text).toBe(1)
    }

    // A new patient's name was mistyped: the duplicate check would not find it.
    await go(page, '/console/patients/new')
    await fill(page, { 'First and middle names': 'Lou', 'Last name': 'Misspelt', Street: '1 Main Street' })
    await fill(page, { City: 'Albany', 'ZIP code': '12207' })
    await page.getByLabel('Birth date').fill('1971-02-03')
    await page.getByLabel('State').fill('NY')
    await page.getByLabel('Sex').selectOption({ index: 1 })
    await change('Add patient', /\/patients\/v1/, true, { 'Last name': 'Wellspelt' })
    await press(page, same!)
    await page.getByRole('heading', { level: 1, name: 'Lou Wellspelt' }).waitFor()
    expect(await countOf('patient', `body ->> 'birth_date'`, '1971-02-03')).toBe(1)
    expect(faults).toEqual([])
  })

  it('makes a second visit where a second one is entered, also with the same day, time and provider', async () => {
    const { id } = await site.make('/patients/v1', patientBody({ name: nameBody('Twovisits', 'Tia') }))
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}`)
    for (const count of [1, 2]) {
      await goWithin(page, `/console/patients/${id}?tab=visits&form=new`)
      await page.getByLabel('Day').fill('2031-05-06')
      await page.getByRole('textbox', { name: 'Time', exact: true }).or(page.getByLabel('Time')).first().fill('09:00')
      await fill(page, { 'Last name': 'Samedoctor', 'First name': 'Ada' })
      await press(page, page.getByRole('main').getByRole('button', { name: 'Add visit', exact: true }).last())
      await expect.poll(() => page.getByRole('row', { name: /Ada Samedoctor/ }).count()).toBe(count)
    }
    expect(await countOf('appointment', `body ->> 'patient_id'`, id)).toBe(2)
    expect(faults).toEqual([])
  })

  it('asks before a list that was changed after a lost answer is checked beside the earlier one, and checks the earlier one once', async () => {
    const batches = async () =>
      (
        await site.service.database.rows('select 1 from eligibility_batch where organization_id = $1', [
          site.caller.organizationId,
        ])
      ).length
    const { page, faults } = await site.open()
    await signIn(page, site.ana, '/console/batch')
    const choose = async (members: string[]) => {
      const rows = members.map((member, place) => `60054,Bo,Listrow${place},${member},1980-01-02`)
      const csv = ['Payer,First Name,Last Name,Member ID,DOB', ...rows].join('\n')
      await page.getByLabel('CSV file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      await page.getByLabel('NPI for rows without one').fill('1999999984')
    }
    const check = (count: number) => page.getByRole('button', { name: `Check ${count} patients` })
    const question = page.getByRole('alert').filter({ hasText: 'An earlier list of 2 patients may have been sent' })
    const lose = async (count: number) => {
      const lost = await withoutAnswers('POST', /^\/eligibility-checks\/v1\/batch/, async () => {
        await press(page, check(count))
        await page.getByText(/Check the network and try again/).waitFor()
      })
      expect(lost).toBeGreaterThan(0)
    }
    const before = await batches()
    await choose(['LIST1', 'LIST2'])
    await lose(2)
    await choose(['LIST1', 'LIST2', 'LIST3'])
    await press(page, check(3))
    await focused(page, question)
    expect(await faultsOf(page, { within: '[role=alert]' })).toEqual([])
    await picture(page, 'batch-sent-already')
    await press(page, question.getByRole('button', { name: 'Only the earlier list' }))
    await page.getByText('of 2 answered').waitFor()
    expect(await batches()).toBe(before + 1)

    // After a reload the earlier list is not known any more: chosen again as it was, it is found.
    await page.goto('/console/batch')
    await choose(['LIST4', 'LIST5'])
    await lose(2)
    await page.reload()
    await choose(['LIST4', 'LIST6'])
    await press(page, check(2))
    await question.getByText('choose the earlier file again, unchanged').waitFor()
    expect(await question.getByRole('button').allInnerTexts()).toEqual(['This list, too'])
    await choose(['LIST4', 'LIST5'])
    await press(page, check(2))
    await page.getByText('of 2 answered').waitFor()
    expect(await batches()).toBe(before + 2)
    expect(faults).toEqual([])
  })
}
