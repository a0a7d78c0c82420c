// What an administrator does.
import { expect, it } from 'vitest'
import { importPayers } from '../../src/payers/directory.ts'
import { faultsOf } from '../support/axe.ts'
import { connectorBody, coverageBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept, picture } from '../support/browser.ts'
import { somePayer } from '../support/payer-names.ts'
import { newPerson } from '../support/people.ts'
import { focused, go, press, type Site, settle, signIn } from './site.ts'

export function adminJourneys(site: Site): void {
  it('changes a webhook in the console, and keeps what was typed in Administration over a reload', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    await site.make('/anteroom/v1/webhooks', { url: 'https://hooks.example.com/one', event_types: ['*'] })
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/webhooks')
    await page.getByRole('button', { name: 'Change https://hooks.example.com/one' }).click()
    await page.getByLabel('Events').fill('patient.created')
    await page.getByLabel('Include records').check()
    await page.reload()
    await page.getByRole('button', { name: 'Change https://hooks.example.com/one' }).click()
    expect(await page.getByLabel('Events').inputValue()).toBe('patient.created')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /patient\.created/ }).waitFor()
    await page.getByLabel('Address').fill('https://hooks.example.com/twice')
    await page.getByLabel('Events').fill('*')
    await page.getByRole('button', { name: 'Create webhook' }).dblclick()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    const webhooks = (await site.caller.call('GET', '/anteroom/v1/webhooks')).body
    expect(webhooks.filter(({ url }: { url: string }) => url.endsWith('/twice'))).toHaveLength(1)
    await go(page, '/console/admin/people')
    // A key that looks through the roles gives no rights yet.
    await page.getByLabel('Role of Ana Reyes').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: 'Change role' }).waitFor()
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Half a name')
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('Half a name')
    const kept = await page.evaluate('JSON.stringify(sessionStorage)')
    expect(kept).toContain('Half a name')
    // A button says why it does nothing yet: the browser points at the field. It keeps the focus afterwards.
    await go(page, '/console/admin/fields')
    const groupName = page.getByRole('textbox', { name: 'Group name' })
    const saveGroup = page.getByRole('button', { name: 'Save group' })
    await press(page, saveGroup)
    await focused(page, groupName)
    await page.keyboard.type('Referrals')
    await press(page, saveGroup)
    await page.getByRole('row', { name: /Referrals/ }).waitFor()
    await focused(page, saveGroup)
    await go(page, '/console/admin/connectors')
    await page.getByLabel('Sender ID').fill('SENDER1')
    await page.getByRole('textbox', { name: 'Password' }).fill('hunter2 secret')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('hunter2')
    await page.reload()
    await expect.poll(() => page.getByLabel('Sender ID').inputValue()).toBe('SENDER1')
    // A payer is chosen by its name; one that the directory does not have, by its ID.
    await importPayers(site.service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    const { name: connector } = await site.make('/anteroom/v1/connectors', connectorBody())
    // A load: the page has read the connectors before this one was there.
    await page.goto('/console/admin/routes')
    await page.getByRole('combobox', { name: 'Find payer' }).fill('aetna')
    await page.getByRole('option', { name: /60054/ }).click()
    await page.getByText('(60054)').waitFor()
    await page.getByRole('combobox', { name: 'Change payer' }).fill('LOCAL77')
    await page.getByRole('option', { name: /as typed LOCAL77/ }).click()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Set route' }).click()
    await page.getByRole('row', { name: `LOCAL77 ${connector} Same ID` }).waitFor()
    expect(faults).toEqual([])
  })

  it('shows who viewed a patient, from the patient and by a search for the name', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Auditable', 'Ines') }))
    await site.make('/notes/v1', { value: 'concerns no patient' })
    const desk = await site.open()
    await signIn(desk.page, site.ana, `/console/patients/${patient.id}`)
    await desk.page.getByRole('heading', { name: 'Ines Auditable' }).waitFor()
    expect(await desk.page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0)
    const { page, faults } = await site.open()
    await signIn(page, admin, `/console/patients/${patient.id}`)
    await page.getByRole('link', { name: 'Audit trail' }).click()
    await page
      .getByRole('row', { name: /Ana Reyes.*Viewed a patient/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'All patients' }).click()
    await page
      .getByRole('row', { name: /Added a patient/ })
      .first()
      .waitFor()
    expect(await page.getByRole('row', { name: /Added a note/ }).count()).toBe(0)
    await page.getByLabel('Include entries without a patient').check()
    await page
      .getByRole('row', { name: /Added a note/ })
      .first()
      .waitFor()
    // On a phone a cell without a value has its own line, too: its head does not lie over the next one.
    await page.setViewportSize({ width: 390, height: 844 })
    const cells = await page
      .getByRole('row', { name: /Added a note/ })
      .first()
      .getByRole('cell')
      .all()
    const heights = await Promise.all(cells.map(async (cell) => (await cell.boundingBox())?.height ?? 0))
    expect(heights.filter((height) => height < 20)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByLabel('Show patient names').check()
    await page
      .getByRole('link', { name: `Ines Auditable, ${patient.mrn}` })
      .first()
      .waitFor()
    await page.getByRole('combobox', { name: 'Patient', exact: true }).fill('auditable')
    await page.getByRole('option', { name: /Auditable/ }).click()
    await page.getByText('Ines Auditable').waitFor()
    await page.getByRole('row', { name: /Added a patient/ }).waitFor()
    // A day is typed with the keyboard, and narrows the list when its year is complete.
    await page.getByLabel('From', { exact: true }).focus()
    await page.keyboard.type('0101203')
    await settle(page)
    await page.getByRole('row', { name: /Added a patient/ }).waitFor()
    await page.keyboard.type('1')
    await page.getByText('No entries found').waitFor()
    await page.getByLabel('From', { exact: true }).fill('')
    await page.getByRole('row', { name: /Added a patient/ }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'audit')
    expect(faults).toEqual([])
  })

  it('says where to store the NPI of the clinic, and offers it for an inquiry as soon as it is saved', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Inquired', 'Ines') }))
    await site.make('/coverages/v1', coverageBody(patient.id))
    await site.service.database.rows('update organization set npi = null where id = $1', [organizationId])
    const { page, faults } = await site.open()
    await signIn(page, admin, `/console/patients/${patient.id}`)
    await page.getByRole('button', { name: /^Check eligibility/ }).click()
    await page.getByText("Store the clinic's NPI under Administration, Verification.").waitFor()
    // One with a mistyped digit.
    await page.getByLabel('NPI of the inquiring provider').fill('1999999985')
    await page.getByText('One of them is missing or mistyped.').waitFor()
    await go(page, '/console/admin/verification')
    await page.getByLabel('Clinic NPI').fill('1999999984')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await page.getByText('The rules are saved').waitFor()
    await go(page, `/console/patients/${patient.id}`)
    await page.getByRole('button', { name: /^Check eligibility/ }).click()
    await page.getByLabel('Inquiring provider').selectOption('1999999984')
    expect(faults).toEqual([])
  })

  it('shows custom fields as another user has saved them after a conflict, keeps what was typed, and saves it then', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const schema = await site.make('/metadata-schemas/v1', {
      name: 'Conflicted',
      fields: [{ key: 'color', type: 'STRING' }],
    })
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/fields')
    await page.getByRole('button', { name: 'Change Conflicted' }).click()
    await page.getByRole('button', { name: 'Add a field' }).click()
    await page.getByRole('textbox', { name: 'Field 2' }).fill('mine')
    const theirs = { name: 'Conflicted by another', fields: schema.fields }
    const changed = await site.caller.call('PUT', `/metadata-schemas/v1/${schema.id}/${schema.version}`, theirs)
    expect(changed.status, changed.text).toBe(200)
    const save = page.getByRole('button', { name: 'Save group' })
    await save.click()
    await page.getByText('Another user changed this record').waitFor()
    await page.getByRole('row', { name: /Conflicted by another/ }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Field 2' }).inputValue()).toBe('mine')
    await save.click()
    await page.getByRole('row', { name: /Conflicted color: Text mine: Text/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('hides the result of a connector test after the settings were changed', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const { name } = await site.make('/anteroom/v1/connectors', connectorBody())
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/connectors')
    const answer = { works: false, explanation: 'The key is not accepted.' }
    await intercept(page, '**/connectors/*/test', (route) => route.fulfill({ json: answer }))
    await page.getByLabel(`Payer ID for the test of ${name}`).fill('60054')
    await page.getByRole('button', { name: `Test ${name}` }).click()
    const said = page.getByRole('row', { name: new RegExp(`${name}`) }).getByText('The key is not accepted.')
    await said.waitFor()
    await page.getByRole('button', { name: `Change ${name}` }).click()
    await page.getByLabel('Sender ID').fill('SENDER2')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await said.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('updates a delivery in progress by itself', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const url = 'https://hooks.example.com/underway'
    await site.make('/anteroom/v1/webhooks', { url, event_types: ['*'] })
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/webhooks')
    const waiting = { number: 1, event_type: 'note.created', record_id: 'n1', status: 'PENDING', attempts: 1 }
    let delivery: object = waiting
    await intercept(page, '**/deliveries?*', (route) => route.fulfill({ json: { items: [delivery] } }))
    await page.getByRole('button', { name: `Deliveries to ${url}` }).click()
    await page.getByRole('row', { name: /note\.created.*Waiting/ }).waitFor()
    delivery = { ...waiting, status: 'DELIVERED', response_status: 200 }
    await page.getByRole('row', { name: /note\.created.*Delivered/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('says what to do about a webhook that the service has disabled, and that it continues where it stopped', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    const url = 'https://hooks.example.com/given-up'
    const { id } = await site.make('/anteroom/v1/webhooks', { url, event_types: ['*'] })
    await site.service.database.rows(
      `update webhook set enabled = false, disabled_reason = 'no delivery has succeeded for 5 days', disabled_at = now() where id = $1`,
      [id],
    )
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/webhooks')
    const row = page.getByRole('row').filter({ hasText: url })
    await row.getByText('no delivery has succeeded for 5 days').waitFor()
    const advice = row.getByText('When the receiver works again, turn it on: it continues where it stopped.')
    await advice.waitFor()
    await page.getByRole('button', { name: `Turn on ${url}` }).click()
    await advice.waitFor({ state: 'hidden' })
    expect(faults).toEqual([])
  })

  it('does not offer to change stored custom fields, which records may have values for, and names codes that are not service type codes', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    await site.make('/metadata-schemas/v1', { name: 'Stored', fields: [{ key: 'color', type: 'STRING' }] })
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/fields')
    await page.getByRole('button', { name: 'Change Stored' }).click()
    await page.getByText('You can add fields and values').waitFor()
    expect(await page.getByRole('textbox', { name: 'Field 1' }).getAttribute('readonly')).not.toBeNull()
    expect(await page.getByLabel('Kind').isDisabled()).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await go(page, '/console/admin/verification')
    await page.getByLabel('Office visit').fill('98, office')
    await page.getByText('Not a service type code (X12 1365), such as 98: OFFICE').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('says where to create the new secret of a client with more permissions than the administrator', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    await site.make('/anteroom/v1/api-clients', { name: 'reports', scopes: ['patients:read'] })
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/clients')
    const all = page.getByRole('row', { name: /Everything/ }).first()
    await all.getByText('Create its new secret on the server with anteroom client rotate').waitFor()
    expect(await all.getByRole('button', { name: 'New secret' }).count()).toBe(0)
    const reports = page.getByRole('row', { name: /^reports/ })
    await reports.getByRole('button', { name: 'New secret' }).click()
    await reports.getByRole('button', { name: 'Yes, new secret' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('shows the secret of a client once, creates another on request and revokes the client; says why a connector does not work; and finds a payer', async () => {
    const { organizationId } = site.caller
    const admin = await newPerson(site.service, { organizationId, role: 'administrator', name: 'Adele Marsh' })
    await importPayers(site.service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    const { name: connector } = await site.make('/anteroom/v1/connectors', connectorBody())
    const { page, faults } = await site.open()
    await signIn(page, admin, '/console/admin/clients')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Scheduling system')
    await page.getByRole('checkbox', { disabled: false }).nth(1).check()
    await press(page, page.getByRole('button', { name: 'Create client' }))
    const shown = page.getByRole('alert').filter({ hasText: 'This is shown only once' }).locator('code')
    await shown.first().waitFor()
    const [clientId = '', first = ''] = await shown.allInnerTexts()
    const token = async (client_secret: string) =>
      (await site.caller.call('POST', '/api/auth/v2/token', { client_id: clientId, client_secret })).status
    expect(await token(first)).toBe(200)
    await press(page, page.getByRole('button', { name: 'I have stored it' }))
    await page.reload()
    const row = page.getByRole('row', { name: /Scheduling system/ })
    await row.waitFor()
    expect(await page.content()).not.toContain(first)
    await press(page, row.getByRole('button', { name: 'New secret' }))
    await press(page, row.getByRole('button', { name: /^Yes/ }))
    await shown.first().waitFor()
    const [, second = ''] = await shown.allInnerTexts()
    expect([second === first, await token(second)]).toEqual([false, 200])
    await press(page, page.getByRole('button', { name: 'I have stored it' }))
    await press(page, row.getByRole('button', { name: 'Revoke' }))
    await press(page, row.getByRole('button', { name: /^Yes/ }))
    await row.getByText('Revoked').waitFor()
    expect(await token(second)).toBe(401)
    // An address that leads nowhere.
    await go(page, '/console/admin/connectors')
    await page.getByLabel(`Payer ID for the test of ${connector}`).fill('60054')
    await press(page, page.getByRole('button', { name: `Test ${connector}`, exact: true }))
    const tested = page.getByRole('row').filter({ hasText: String(connector) })
    await tested.getByText('Test failed').waitFor()
    expect(await tested.innerText()).toMatch(/Test failed\s+\S.{20,}/)
    await go(page, '/console/admin/payers')
    await page.getByLabel('Name, alias or ID').fill('aetan')
    await page.getByRole('row', { name: /Aetna 60054/ }).waitFor()
    expect(faults).toEqual([])
  })
}
