// What the desk sees of coverage that is active with limits, and of what the patient pays; and the images of the card.
import { expect, it } from 'vitest'
import { importPayers } from '../../src/payers/directory.ts'
import { faultsOf } from '../support/axe.ts'
import { picture } from '../support/browser.ts'
import { somePayer } from '../support/payer-names.ts'
import { go, patientWith, press, type Site, settle, signIn, verifiedVisit } from './site.ts'

export function limitedCoverageJourneys(site: Site): void {
  it('keeps an image of each side of a card: after a file that is refused another is chosen, and a later one replaces it', async () => {
    const id = await patientWith(site, 'Karte', ['Aetna', 'CARD1'])
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}`)
    const drawn = async (width: number): Promise<Buffer> => {
      const bytes = await page.evaluate<number[]>(`new Promise((done) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: 50 })
        canvas.toBlob(async (blob) => done([...new Uint8Array(await blob.arrayBuffer())]), 'image/jpeg')
      })`)
      return Buffer.from(bytes)
    }
    const choose = (buffer: Buffer) =>
      page
        .getByLabel(/Front of the card/)
        .and(page.locator('input'))
        .setInputFiles({ name: 'card.jpg', mimeType: 'image/jpeg', buffer })
    await page.getByRole('button', { name: 'Front of the card…' }).waitFor()
    await choose(Buffer.from('no image'))
    await page.getByText('The file was not accepted').waitFor()
    const image = page.getByRole('img', { name: 'Front of the card' })
    for (const width of [80, 120]) {
      await choose(await drawn(width))
      await expect
        .poll(() =>
          image.evaluateAll((images) => images.map((each) => (each as { naturalWidth?: number }).naturalWidth)),
        )
        .toEqual([width])
    }
    expect(await page.getByRole('alert').count()).toBe(0)
    await image.click()
    const viewer = page.getByRole('dialog')
    await viewer.getByRole('button', { name: 'Larger' }).click()
    await viewer.getByRole('button', { name: 'Rotate' }).click()
    // All of it can be scrolled to.
    const above = () =>
      page.evaluate<number>(`(() => {
        const area = document.querySelector('[aria-label="Card image"]')
        return area.getBoundingClientRect().top - area.scrollTop - area.querySelector('img').getBoundingClientRect().top
      })()`)
    await expect.poll(above).toBeLessThan(1)
    expect(faults).toEqual([])
  })

  it('shows coverage that is active with a limit as such on the board, in the panel and with the patient, and not in green', async () => {
    site.payer.answers.set('LIMITED1', 'EB*1**88~')
    const id = await verifiedVisit(site, 'Limone', ['Pharmacy Plan', 'LIMITED1'])
    for (const options of [{}, { colorScheme: 'dark' as const, viewport: { width: 820, height: 1180 } }]) {
      const { page, faults } = await site.open(options)
      await signIn(page, site.ana)
      const row = page.getByRole('row', { name: /Limone/ })
      const light = row.locator('[data-state="limited"]')
      await light.getByText('Active, but limited').waitFor()
      await light.getByText('Active for Pharmacy only').waitFor()
      await row.getByText('Primary coverage: active, but limited').waitFor()
      await row.getByRole('cell').first().click()
      const panel = page.getByRole('complementary', { name: 'Visit' })
      await panel.locator('[data-state="limited"]').waitFor()
      await settle(page)
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `limited-board-${options.colorScheme ?? 'light'}`)
      await go(page, `/console/patients/${id}`)
      await page.getByRole('article').locator('[data-state="limited"]').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `limited-patient-${options.colorScheme ?? 'light'}`)
      await page.getByRole('link', { name: 'View response' }).first().click()
      await page.getByRole('main').locator('[data-state="limited"]').waitFor()
      await picture(page, `limited-response-${options.colorScheme ?? 'light'}`)
      expect(faults).toEqual([])
    }
  })

  it('leads from an answer of Medicare that names another plan to READY: the board has the telephone, the patient the answer, which fills in the plan', async () => {
    await importPayers(site.service.database, [somePayer(1, { display_name: 'HUMANA', primary_payer_id: '61101' })])
    const named = 'EB*R**30*HN*GOLD PLUS~REF*1W*VANTAGE2~LS*2120~NM1*PRP*2*HUMANA*****PI*61101~LE*2120~'
    site.payer.answers.set('VANTAGE1', `EB*1**30*MB~${named}`)
    site.payer.answers.set('VANTAGE2', 'EB*1**30*HN*GOLD PLUS~')
    const id = await verifiedVisit(site, 'Vorteil', ['Medicare', 'VANTAGE1'])
    const { body: patient } = await site.caller.call('GET', `/patients/v1/${id}`)
    const telephone = { primary_telecom: { value: '(609) 555.1465', use: 'MOBILE' } }
    const path = `/patients/v1/${id}/${Number(patient.version) + 1}`
    expect((await site.caller.call('PUT', path, { ...patient, ...telephone })).status).toBe(200)
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const row = page.getByRole('row', { name: /Vorteil/ })
    await row.getByText('609-555-1465').waitFor()
    await row.getByRole('button', { name: 'View response' }).waitFor()
    await row.getByRole('link').click()
    const next = page.getByRole('region', { name: 'Next visit' })
    await next.getByText('Add the Medicare Advantage plan and file it first.').waitFor()
    await page.getByText('609-555-1465').waitFor()
    await press(page, next.getByRole('link', { name: 'View response' }))
    await press(page, page.getByRole('button', { name: 'Add this coverage' }))
    await press(page, page.getByRole('button', { name: 'Add', exact: true }))
    await page.getByRole('article', { name: 'HUMANA, primary' }).waitFor()
    await next.getByText('The primary coverage has not been checked yet.').waitFor()
    // What is announced is what the page says, of the same visit.
    site.payer.answers.set('VANTAGE2', 'AAA*N**75*C~')
    await press(page, next.getByRole('button', { name: 'Check again' }))
    await page.getByText('Rosa Vorteil is not ready. The check of the primary coverage failed.').waitFor()
    await next.getByText('The check of the primary coverage failed.').waitFor()
    site.payer.answers.set('VANTAGE2', 'EB*1**30*HN*GOLD PLUS~')
    await press(page, next.getByRole('button', { name: 'Check again' }))
    await next.getByText('Ready', { exact: true }).waitFor()
    await go(page, '/console/today')
    await row.getByText('Ready', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('says that a QMB may not be billed on the board, in the panel, with the patient and in the response, and lists no copay to collect', async () => {
    site.payer.answers.set('QMB1', 'EB*1**30*MB~EB*1**30*QM*QMB~EB*B*IND*98*MB***25~')
    const patient = await verifiedVisit(site, 'Qmb', ['Medicare', 'QMB1'])
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const row = page.getByRole('row', { name: /Qmb, Rosa/ })
    await row.getByRole('strong').getByText('do not bill').filter({ visible: true }).waitFor()
    await row.getByRole('cell').first().click()
    const panel = page.getByRole('complementary', { name: 'Visit' })
    await panel.getByText('Copay to collect: do not bill (QMB)').waitFor()
    await panel.getByText('Do not bill the patient (QMB).').waitFor()
    await settle(page)
    // Nor is the plan's copay listed beside it.
    expect(await panel.innerText()).not.toContain('$25')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'qmb')
    await go(page, `/console/patients/${patient}`)
    await page.getByText('Do not bill the patient (QMB).').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'View response' }).first().click()
    await page.getByRole('heading', { name: 'Copay and coinsurance: do not bill (QMB)' }).waitFor()
    await page.getByText('Do not bill the patient (QMB).').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('shows in the panel of a visit the several copays that the payer states, and what remains of the deductible', async () => {
    const rows = [
      'EB*1**30**TEST PLAN~',
      'EB*B**98***27*25*****Y~MSG*PRIMARY CARE~',
      'EB*B**98***27*50*****Y~MSG*SPECIALIST~',
      'EB*C*IND*30***23*1500*****Y~EB*C*IND*30***29*900*****Y~',
    ]
    site.payer.answers.set('PRICES1', rows.join(''))
    await verifiedVisit(site, 'Preziosi', ['Open Plan', 'PRICES1'])
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const row = page.getByRole('row', { name: /Preziosi/ })
    await row.locator('[data-state="active"]').waitFor()
    await row.getByRole('cell').first().click()
    const panel = page.getByRole('complementary', { name: 'Visit' })
    await panel.getByText('$25 copay (PRIMARY CARE), $50 copay (SPECIALIST)').waitFor()
    await panel.getByText('$900 remaining of $1,500').waitFor()
    expect(faults).toEqual([])
  })
}
