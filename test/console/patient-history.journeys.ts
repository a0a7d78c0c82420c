// What became of a patient's records: their history, the answers over time, and what an answer says.
import { expect, it } from 'vitest'
import { giveNpi, go, goWithin, patientWith, press, type Site, signIn } from './site.ts'

export function patientHistoryJourneys(site: Site): void {
  const inquiry = { service_code: '30', date_of_service: new Date().toISOString().slice(0, 10), npi: '1999999984' }

  it('shows every version of a record as what changed, by whom and when, and what an answer changed since the one before', async () => {
    await giveNpi(site)
    const id = await patientWith(site, 'Verlauf', ['Open Plan', 'HISTORY1'])
    const [coverage] = (await site.caller.call('GET', `/coverages/v1?patient_id=${id}`)).body
    const { id: _, version, ...body } = (await site.caller.call('GET', `/patients/v1/${id}`)).body
    await site.caller.call('PUT', `/patients/v1/${id}/${version + 1}`, { ...body, gender: 'OTHER' })
    for (const copay of [25, 40]) {
      site.payer.answers.set('HISTORY1', `EB*1**30**TEST PLAN~EB*B**98***27*${copay}*****Y~`)
      const asked = await site.caller.call('POST', `/coverages/v1/${coverage.id}/eligibility`, inquiry)
      expect(asked.status, asked.text).toBe(200)
    }
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}?tab=details`)
    await page.getByLabel('Last name').first().fill('Verlauf-Neu')
    await press(page, page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('heading', { level: 1, name: /Verlauf-Neu/ }).waitFor()
    await goWithin(page, `/console/patients/${id}?tab=history`)
    const sections = page.getByRole('navigation', { name: 'Patient sections' })
    await sections.locator('[aria-current]').filter({ hasText: 'History' }).waitFor()
    const versions = page.getByRole('main').getByRole('list').last().getByRole('listitem')
    await versions.nth(3).waitFor()
    const own = versions.first()
    expect(await own.innerText()).toMatch(/^Version 4 · .*\d.* · you/)
    expect(await own.locator('del').innerText()).toBe('Verlauf')
    expect(await own.locator('ins').innerText()).toBe('Verlauf-Neu')
    // By the API client, in words and not in codes.
    expect(await versions.nth(1).innerText()).toMatch(/Version 3 · (?!.*you)[\s\S]*Other/)
    await goWithin(page, `/console/patients/${id}?tab=timeline`)
    await page.getByText('Checked with Open Plan: reported as active').first().waitFor()
    await press(page, page.getByRole('link', { name: 'View response' }).first())
    const changes = page.locator('section', {
      has: page.getByRole('heading', { name: 'Changes since the previous response' }),
    })
    await changes.getByRole('row', { name: /\$25.*\$40/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('says of an answer without a status why, who resolves it and how, and keeps the clinic’s own services first', async () => {
    await giveNpi(site)
    site.payer.answers.set('REFUSED1', 'AAA*N**75*C~')
    site.payer.answers.set('SERVED1', 'EB*1**30~EB*B**98***27*25*****Y~EB*B**33***27*30*****Y~EB*B**UC***27*75*****Y~')
    const id = await patientWith(site, 'Antwort', ['Closed Plan', 'REFUSED1'], ['Open Plan', 'SERVED1'])
    for (const coverage of (await site.caller.call('GET', `/coverages/v1?patient_id=${id}`)).body) {
      await site.caller.call('POST', `/coverages/v1/${coverage.id}/eligibility`, inquiry)
    }
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}`)
    await press(page, page.getByRole('link', { name: /^View response of Closed Plan/ }))
    const why = page.locator('section', { has: page.getByRole('heading', { name: 'Why the status is unknown' }) })
    await why.getByText('The payer does not find the subscriber.').waitFor()
    expect(await why.innerText()).toMatch(/Front desk: .+\s+Code 75/)
    // The messages are for administrators.
    expect(await page.getByRole('heading', { name: 'Raw messages' }).count()).toBe(0)
    await go(page, `/console/patients/${id}`)
    await press(page, page.getByRole('link', { name: /^View response of Open Plan/ }))
    const services = page.getByRole('table').getByRole('rowheader')
    await services.nth(2).waitFor()
    // The office visit is one of them from the beginning.
    expect(await services.first().innerText()).toContain('98')
    const last = services.last()
    const name = (await last.innerText()).replace(/\s*\S+$/, '')
    await press(page, page.getByRole('button', { name: `List first: ${name}` }))
    await expect.poll(() => services.nth(1).innerText()).toContain(name)
    await page.reload()
    await expect.poll(() => services.nth(1).innerText()).toContain(name)
    expect(faults).toEqual([])
  })
}
