// What a user does about an answer: waits for it or not, takes or dismisses what it suggests, and keeps a picture of the card.
import { expect, it } from 'vitest'
import type { Inquiry } from '../../src/x12/model.ts'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody } from '../support/bodies.ts'
import { intercept, picture } from '../support/browser.ts'
import { verifyVisit } from '../support/clinic.ts'
import { newPerson } from '../support/people.ts'
import { ACTIVE, DOWN } from '../support/scripted-payer.ts'
import { focused, giveNpi, go, patientWith, press, type Site, settle, signIn, verifiedVisit } from './site.ts'

export function payerAnswerJourneys(site: Site): void {
  /** A visit of a patient whose payer answers ACTIVE once the gate is opened. */
  async function slowVisit(family: string) {
    await giveNpi(site)
    const member = family.toUpperCase()
    const gate = site.payer.holdBack(member, ACTIVE)
    const patient = await patientWith(site, family, ['Slow Plan', member])
    const visit = await site.make(
      '/appointments/v1',
      appointmentBody(patient, { start_timestamp: new Date().toISOString() }),
    )
    return { gate, member, patient, visit }
  }

  it('stops waiting for a payer when told to, on the board and with the patient, sends nothing again, and shows the answer when it arrives', async () => {
    const { gate, member, patient, visit } = await slowVisit('Langsam')
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    try {
      const row = page.locator(`[data-id="${visit.id}"]`)
      await row.getByRole('cell').first().click()
      const panel = page.getByRole('complementary', { name: 'Visit' })
      await press(page, panel.getByRole('button', { name: 'Check', exact: true }))
      const stop = panel.getByRole('button', { name: 'Checking… Stop waiting' })
      await focused(page, stop)
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('Enter')
      await page.getByText('have been sent. Their responses will appear here automatically.').waitFor()
      await stop.waitFor({ state: 'detached' })
      // On the patient's page, the check that goes on is asked about, and stopped once more.
      await page.goto(`/console/patients/${patient}`)
      const next = page.getByRole('region', { name: 'Next visit' })
      await press(page, next.getByRole('button', { name: /^Check/ }))
      await press(page, next.getByRole('button', { name: 'Checking… Stop waiting' }))
      await next.getByRole('button', { name: 'Checking… Stop waiting' }).waitFor({ state: 'detached' })
      await go(page, '/console/today')
      await row.waitFor()
      gate.open()
      await row.getByText('Ready', { exact: true }).waitFor()
      expect(site.payer.countFor(member)).toBe(1)
    } finally {
      gate.open()
    }
    expect(faults).toEqual([])
  })

  it('leads from a birth date that the payer rejects to READY: corrected with the patient, then in the coverage that has a copy of it', async () => {
    const isRight = ({ subscriber }: Inquiry) => subscriber.dateOfBirth === '1984-02-28'
    site.payer.answers.set('BORN71', (inquiry) => (isRight(inquiry) ? ACTIVE : 'AAA*N**71*C~'))
    const patient = await verifiedVisit(site, 'Geboren', ['Open Plan', 'BORN71'])
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient}?tab=details`)
    const next = page.getByRole('region', { name: 'Next visit' })
    await next.getByText('Not ready').waitFor()
    await page.getByLabel('Birth date').fill('1984-02-28')
    await press(page, page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Payers are asked with the birth date of the coverage, which is another').waitFor()
    await page.getByRole('link', { name: 'Coverages' }).click()
    const card = page.getByRole('article', { name: 'Open Plan, primary' })
    await card.getByText('In this coverage 02/29/1984, in the patient’s record 02/28/1984.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await press(page, card.getByRole('button', { name: 'Use 02/28/1984 here' }))
    await card.getByText('In this coverage').waitFor({ state: 'detached' })
    await press(page, next.getByRole('button', { name: 'Check again' }))
    await next.getByText('Ready', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('stops waiting for the check of one coverage, and has its answer with the coverage when it arrives', async () => {
    const { gate, member, patient } = await slowVisit('Gemach')
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient}`)
    try {
      await press(page, page.getByRole('button', { name: 'Check eligibility' }))
      const check = page.getByRole('button', { name: 'Check with Slow Plan' })
      await press(page, check)
      const stop = page.getByRole('button', { name: 'Checking… Stop waiting' })
      await focused(page, stop)
      expect(await faultsOf(page)).toEqual([])
      await press(page, stop)
      await focused(page, check)
      await page.getByText('The inquiry has been sent. Its response will appear here automatically.').waitFor()
      gate.open()
      await page.getByRole('article').locator('[data-state="active"]').waitFor()
      expect(site.payer.countFor(member)).toBe(1)
    } finally {
      gate.open()
    }
    expect(faults).toEqual([])
  })

  it('keeps the vote on each suggestion of an answer for its user: dismissed, accepted instead, and not made for somebody else', async () => {
    // A copay, and another payer that comes first.
    site.payer.answers.set('VOTED1', 'EB*1**30~EB*B*IND*98***27*25*****Y~')
    const patient = await verifiedVisit(site, 'Abgestimmt', ['Open Plan', 'VOTED1'])
    const other = await newPerson(site.service, { ...site.ana, role: 'billing', name: 'Bill Ames' })
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient}`)
    await press(page, page.getByRole('link', { name: 'View response' }).first())
    const copay = page.getByText('Copay to collect: $25').locator('xpath=ancestor::div[2]')
    const [accept, dismiss] = ['Accept', 'Dismiss'].map((name) =>
      copay.getByRole('button', { name: new RegExp(`^${name}: `) }),
    )
    await press(page, dismiss!)
    await copay.getByText('Dismissed by you.').waitFor()
    expect([await dismiss!.isDisabled(), await accept!.isDisabled()]).toEqual([true, false])
    expect(await faultsOf(page)).toEqual([])
    await page.reload()
    await copay.getByText('Dismissed by you.').waitFor()
    await press(page, accept!)
    await copay.getByText('Accepted by you.').waitFor()
    expect(await copay.getByText('Dismissed by you.').count()).toBe(0)
    const answer = page.url()
    const second = await site.open({ viewport: { width: 820, height: 1180 } })
    await signIn(second.page, other, answer)
    await second.page.getByText('Copay to collect: $25').first().waitFor()
    await settle(second.page)
    expect(await second.page.getByText(/ by you\.$/).count()).toBe(0)
    await press(second.page, second.page.getByRole('button', { name: /^Dismiss: / }).first())
    await second.page.getByText('Dismissed by you.').waitFor()
    await page.reload()
    await copay.getByText('Accepted by you.').waitFor()
    expect([...faults, ...second.faults]).toEqual([])
  })

  it('takes a photo of a card with the camera of a tablet, stores it for its side, replaces it by a better one, and gets back what it cannot show', async () => {
    const patient = await patientWith(site, 'Kamera', ['Card Plan', 'CARD9'])
    const { page, faults } = await site.open({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } })
    await signIn(page, site.ana, `/console/patients/${patient}`)
    const pictureOf = async (color: string) =>
      Buffer.from(
        await page.evaluate<string>(`(() => {
          const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 })
          const pen = canvas.getContext('2d')
          pen.fillStyle = '${color}'
          pen.fillRect(0, 0, 1600, 1200)
          return canvas.toDataURL('image/jpeg').split(',')[1]
        })()`),
        'base64',
      )
    for (const [button, color] of [
      ['Back of the card…', 'navy'],
      ['Replace: Back of the card…', 'teal'],
    ] as const) {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: new RegExp(`^${button}`) }).tap()
      const chooser = await choosing
      // A tablet offers its camera for images, beside the pictures that it has.
      expect(await chooser.element().getAttribute('accept')).toBe('image/*')
      expect(chooser.isMultiple()).toBe(false)
      await chooser.setFiles({ name: 'image.jpg', mimeType: 'image/jpeg', buffer: await pictureOf(color) })
      await page.getByText('Back of the card was added.').waitFor()
      const thumb = page.getByRole('img', { name: 'Back of the card' })
      await thumb.waitFor()
      const shown = () =>
        thumb.evaluate((img) => {
          const { naturalWidth, complete } = img as unknown as { naturalWidth: number; complete: boolean }
          return complete ? naturalWidth : 0
        })
      await expect.poll(shown).toBe(1600)
      const { body } = await site.caller.call('GET', `/coverages/v1?patient_id=${patient}`)
      const [{ id }] = body
      const images = (await site.caller.call('GET', `/images/v1?coverage_id=${id}`)).body
      expect(images).toMatchObject([{ status: 'UPLOADED', coverage: { id, side: 'BACK' } }])
    }
    // A format of phones that this browser cannot show is no broken picture.
    const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1')
    await page
      .locator('input[type=file][aria-label="Front of the card"]')
      .setInputFiles({ name: 'phone.heic', mimeType: 'image/heic', buffer: heic })
    const link = page.getByRole('link', { name: 'Download phone.heic' })
    await link.waitFor()
    expect(await page.getByRole('img', { name: 'Front of the card' }).count()).toBe(0)
    // Nor is it one while it is read again, from a new address.
    const found = await site.caller.call('GET', `/coverages/v1?patient_id=${patient}`)
    const images = await site.caller.call('GET', `/images/v1?coverage_id=${found.body[0].id}`)
    const { id, version, signed_url, ...front } = images.body.find(
      (each: { file_name: string }) => each.file_name === 'phone.heic',
    )
    const isOfFront = (url: URL) => url.pathname === new URL(signed_url).pathname
    const asked = page.waitForRequest((request) => isOfFront(new URL(request.url())))
    await intercept(page, isOfFront, () => {})
    const { file_name, file_type, status, coverage } = front
    const renamed = { file_name, file_type, status, coverage, display_name: 'Front, HEIC' }
    expect((await site.caller.call('PUT', `/images/v1/${id}/${version}`, renamed)).status).toBe(200)
    await asked
    await settle(page)
    expect(await page.getByRole('img', { name: 'Front of the card' }).count()).toBe(0)
    await page.unroute(isOfFront)
    const loading = page.waitForEvent('download')
    await link.click()
    expect((await loading).suggestedFilename()).toBe('phone.heic')
    expect(await faultsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('shows what a payer that cannot answer now has said and who waits, and checks again on request', async () => {
    site.payer.answers.set('DOWN9', DOWN)
    await verifiedVisit(site, 'Ausgefallen', ['Down Plan', 'DOWN9'])
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const row = page.getByRole('row', { name: /Ausgefallen/ })
    await row.locator('[data-state="unknown"]').waitFor()
    await row.getByText('The primary payer cannot answer').waitFor()
    site.payer.answers.set('DOWN9', ACTIVE)
    await press(page, row.getByRole('button', { name: 'Check again' }))
    await row.getByText('Ready', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('says beside each service how many visits are covered, how many remain, and what needs an authorization', async () => {
    const rows = [
      'EB*1**30*PR*HARBOR GOLD~',
      'EB*F*IND*PT***23***VS*30*Y*Y~',
      'EB*F*IND*PT***29***VS*12*Y*Y~',
      'EB*A*IND*MH*****.2***Y*Y~',
      'EB*B*IND*98***27*25****N*Y~',
    ]
    site.payer.answers.set('LIMITS1', rows.join(''))
    const patient = await verifiedVisit(site, 'Begrenzt', ['Open Plan', 'LIMITS1'])
    for (const options of [{}, { colorScheme: 'dark' as const, viewport: { width: 820, height: 1180 } }]) {
      const { page, faults } = await site.open(options)
      await signIn(page, site.ana, `/console/patients/${patient}`)
      await press(page, page.getByRole('link', { name: /^View response/ }).first())
      const service = (name: RegExp) => page.getByRole('row', { name })
      const therapy = service(/^Physical Therapy/)
      await therapy.getByText('limit of 30').waitFor()
      await therapy.getByText('Visits, Calendar Year').waitFor()
      await therapy.getByText('12 remaining').waitFor()
      expect(await therapy.getByText('Authorization required').count()).toBe(2)
      await service(/^Mental Health/)
        .getByText('20% coinsurance')
        .waitFor()
      await service(/^Mental Health/)
        .getByText('Authorization required')
        .waitFor()
      await service(/Visit - Office/)
        .getByText('$25 copay')
        .waitFor()
      expect(
        await service(/Visit - Office/)
          .getByText('Authorization required')
          .count(),
      ).toBe(0)
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `limits-${options.colorScheme ?? 'light'}`)
      expect(faults).toEqual([])
    }
  })

  it('takes the payer’s value beside the response, which then offers it no longer', async () => {
    const patient = await patientWith(site, 'Berichtigt', ['Open Plan', 'RENAMED8'])
    const { body } = await site.caller.call('GET', `/coverages/v1?patient_id=${patient}`)
    site.payer.renames.lastName = 'BERICHTIGT-NEU'
    const inquiry = { service_code: '30', date_of_service: '2026-03-10', npi: '1999999984' }
    const { check_id } = await site.make(`/coverages/v1/${body[0].id}/eligibility`, inquiry)
    delete site.payer.renames.lastName
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/checks/${check_id}`)
    await press(page, page.getByRole('button', { name: 'Use payer value' }))
    await page.getByText('last name was updated.').waitFor()
    await page.getByText('The payer has different information').waitFor({ state: 'hidden' })
    expect(faults).toEqual([])
  })

  it('opens from the board the answer that warns, also where it is that of the secondary coverage', async () => {
    await giveNpi(site)
    site.payer.answers.set('FIRST8', ACTIVE)
    site.payer.answers.set('SECOND8', 'EB*1**88~')
    const patient = await patientWith(site, 'Zweitantwort', ['First Plan', 'FIRST8'], ['Second Plan', 'SECOND8'])
    const visit = await site.make(
      '/appointments/v1',
      appointmentBody(patient, { start_timestamp: new Date().toISOString() }),
    )
    await verifyVisit(site.caller, visit.id)
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await press(page, page.locator(`[data-id="${visit.id}"]`).getByRole('button', { name: 'View response' }))
    await page.getByText('Second Plan, SECOND8').waitFor()
    await page.getByText('Active for Pharmacy only').waitFor()
    expect(faults).toEqual([])
  })
}
