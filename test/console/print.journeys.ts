// The console on paper.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody, nameBody } from '../support/bodies.ts'
import { picture } from '../support/browser.ts'
import { newPerson } from '../support/people.ts'
import { WHOLE_ANSWER } from './every-screen.ts'
import { go, goWithin, type Site, settle, signIn, verifiedVisit } from './site.ts'

/** As the browser prints when nobody changes anything: Letter, with its margins, without backgrounds. */
const AS_PRINTED = { format: 'Letter', margin: { top: '0.4in', right: '0.4in', bottom: '0.4in', left: '0.4in' } }

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

/** What would be cut on paper: parts that are wider or higher than the box that they are shown in. */
const cutParts = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main, main *')].filter((each) => {
    const { overflowX, overflowY } = getComputedStyle(each)
    const isSmall = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1
    return each.clientWidth > 1 && isSmall && (overflowX !== 'visible' || overflowY !== 'visible')
  }).map((each) => each.outerHTML.slice(0, 100))`)

/** Copays of `count` services. */
const services = (count: number) =>
  ['98', '33', 'UC', '86', '48', '50', '47', 'AL', 'MH', '88', '1', '35', '4', '5', '73', '68', '80', '82', 'A6', 'BZ']
    .slice(0, count)
    .map((code, place) => `EB*B*IND*${code}***27*${20 + place}*****Y~EB*A*IND*${code}*****.${1 + (place % 8)}****N~`)
    .join('')

export function printJourneys(site: Site): void {
  it('prints the page of a patient without what is only pressed, and the time of the clinic within the sheet', async () => {
    const { organizationId } = site.caller
    const chief = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Olu Chief' })
    await site.make('/tags/v1', { value: 'Interpreter', alert: false })
    const patient = await verifiedVisit(site, 'Papierseite', ['Open Plan', 'PAPER0'])
    const { page, faults } = await site.open({ timezoneId: 'Asia/Kathmandu' })
    await signIn(page, chief, `/console/patients/${patient}`)
    await page.getByRole('article', { name: /^Open Plan, primary/ }).waitFor()
    await page.getByRole('combobox', { name: 'Add a tag' }).waitFor()
    await page.setViewportSize({ width: 739, height: 979 })
    await page.emulateMedia({ media: 'print' })
    await settle(page)
    for (const role of ['button', 'combobox', 'textbox'] as const) {
      expect(await page.getByRole(role).count(), role).toBe(0)
    }
    const sections = page.getByRole('navigation', { name: 'Patient sections' }).getByRole('link')
    expect(await sections.allInnerTexts()).toEqual(['Coverages'])
    const zone = await page.getByText(/^All times are the clinic’s/).boundingBox()
    expect(zone?.y).toBeGreaterThanOrEqual(0)
    // The status of a visit is on the sheet, however long the name of the provider is.
    const attending_doctor = {
      name: nameBody('Wolfeschlegelsteinhausen'.repeat(4), 'Dora'),
      telecoms: [],
      npi: '1999999984',
    }
    const start_timestamp = new Date().toISOString()
    await site.make('/appointments/v1', appointmentBody(patient, { start_timestamp, attending_doctor }))
    await page.emulateMedia({ media: null })
    await goWithin(page, `/console/patients/${patient}?tab=visits`)
    await page.getByText(/^Dora/).waitFor()
    await page.emulateMedia({ media: 'print' })
    await settle(page)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    // Of a visit that is open, paper shows that visit, and no list below it.
    await page.emulateMedia({ media: null })
    await go(page, '/console/today?text=Papierseite')
    await page
      .getByRole('row', { name: /Papierseite/ })
      .getByRole('cell')
      .first()
      .click()
    const visit = page.getByRole('complementary', { name: 'Visit' })
    await visit.waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('table').waitFor({ state: 'hidden' })
    await visit.getByText('Copay to collect').waitFor()
    // The browser repeats the head of the board on each page: it says of which day and of which visits the page is.
    await page.emulateMedia({ media: null })
    await page.goBack()
    await visit.waitFor({ state: 'hidden' })
    await page.emulateMedia({ media: 'print' })
    const day = await page.getByRole('heading', { level: 1 }).innerText()
    const head = page.locator('thead').getByText(`${day.replace('Today, ', '')}, “Papierseite”`)
    await head.waitFor()
    await page.emulateMedia({ media: null })
    await head.waitFor({ state: 'hidden' })
    // Of Administration neither its menu nor a column whose buttons are left out.
    await go(page, '/console/admin/people')
    const actions = page.getByRole('region', { name: 'People' }).getByRole('columnheader', { name: 'Actions' })
    await actions.waitFor()
    await page.emulateMedia({ media: 'print' })
    await actions.waitFor({ state: 'hidden' })
    await page.getByRole('navigation', { name: 'Administration' }).waitFor({ state: 'hidden' })
    await page.emulateMedia({ media: null })
    expect(faults).toEqual([])
  })

  it('prints an answer on one page where the benefit sheet has one: all that is read, nothing to press, dark on light in both themes', async () => {
    const { organizationId } = site.caller
    const chief = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Olu Chief' })
    site.payer.answers.set('PAPER1', WHOLE_ANSWER + services(9))
    const patient = await verifiedVisit(site, 'Papier', ['Open Plan', 'PAPER1'])
    const { page, faults } = await site.open({ colorScheme: 'dark' })
    await signIn(page, chief, `/console/patients/${patient}`)
    await page.getByRole('link', { name: 'View response' }).first().click()
    await page.getByRole('heading', { name: 'Copay and coinsurance' }).waitFor()
    const sheet = page.getByRole('link', { name: 'Benefit sheet (PDF)' })
    const sheetPdf = await page.context().request.get(String(await sheet.getAttribute('href')))
    expect(pagesOf(await sheetPdf.body())).toBe(1)
    const texts = ['HARBOR GOLD', 'REFERRAL NEEDED FOR SPECIALISTS', '$1,500', '$25', 'OTHER MUTUAL']
    for (const text of texts) await page.getByText(text).first().waitFor()

    // As wide as the paper between its margins.
    await page.setViewportSize({ width: 739, height: 979 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const text of texts) await page.getByText(text).first().waitFor()
    for (const role of ['button', 'navigation', 'banner', 'combobox', 'textbox'] as const) {
      expect(await page.getByRole(role).count(), role).toBe(0)
    }
    for (const text of ['Benefit sheet (PDF)', 'Order', 'Raw messages']) {
      expect(await page.getByText(text, { exact: true }).filter({ visible: true }).count(), text).toBe(0)
    }
    expect(await faultsOf(page, { colorsOnly: true })).toEqual([])
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(23, 33, 43)')
    expect(await cutParts(page)).toEqual([])
    await picture(page, 'printed-answer')
    expect(pagesOf(await page.pdf(AS_PRINTED))).toBe(1)
    // Browsers print it on each page.
    expect(await page.title()).toMatch(/^\d+ · Eligibility · Anteroom$/)
    expect(faults).toEqual([])
  })

  it('prints a long answer, with the messages that are open, on as many pages as it needs, and cuts nothing', async () => {
    const { organizationId } = site.caller
    const chief = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Olu Chief' })
    const notes = Array.from({ length: 60 }, (_, line) => `EB*1**30~MSG*SEE ADDENDUM ${line}~`).join('')
    site.payer.answers.set('PAPER2', WHOLE_ANSWER + services(20) + notes)
    const patient = await verifiedVisit(site, 'Papierlang', ['Open Plan', 'PAPER2'])
    const { page, faults } = await site.open()
    await signIn(page, chief, `/console/patients/${patient}`)
    await page.getByRole('link', { name: 'View response' }).first().click()
    await page.getByRole('button', { name: 'Show the 270 and the 271' }).click()
    await page.getByRole('heading', { name: 'Response (271)' }).waitFor()
    await page.locator('details').first().waitFor()
    expect(pagesOf(await page.pdf(AS_PRINTED))).toBeGreaterThan(1)
    await page.setViewportSize({ width: 739, height: 979 })
    await page.emulateMedia({ media: 'print' })
    await page.getByText('Raw messages').waitFor()
    expect(await cutParts(page)).toEqual([])
    expect(faults).toEqual([])
  })
}
