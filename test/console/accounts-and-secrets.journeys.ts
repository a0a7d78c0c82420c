// What becomes of people, and of what shows a secret, after an administrator has changed something.
import { randomUUID } from 'node:crypto'
import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { connectorBody, nameBody, patientBody } from '../support/bodies.ts'
import { intercept } from '../support/browser.ts'
import { newPerson } from '../support/people.ts'
import { go, type Site, signIn, signInAgain } from './site.ts'

export function accountsAndSecretsJourneys(site: Site): void {
  const newAdmin = () =>
    newPerson(site.service, { organizationId: site.caller.organizationId, role: 'administrator', name: 'Adele Marsh' })

  it('tells a user whose role was reduced why a form is gone, and keeps the input for when it is back', async () => {
    const { organizationId } = site.caller
    const rita = await newPerson(site.service, { organizationId, role: 'front_desk', name: 'Rita Role' })
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Reduced', 'Ines') }))
    const admin = await site.open()
    await signIn(admin.page, await newAdmin(), '/console/admin/people')
    const { page, faults } = await site.open()
    await signIn(page, rita, `/console/patients/${patient.id}?tab=notes`)
    const note = page.getByLabel('New note')
    await note.fill('Bring the new card')
    const row = admin.page.getByRole('row', { name: /Rita Role/ }).first()
    const become = async (role: string) => {
      await row.getByLabel('Role of Rita Role').selectOption(role)
      await row.getByRole('button', { name: 'Change role' }).click()
      await admin.page.getByText(`Rita Role is now ${role}, and signs in again`).waitFor()
      await signInAgain(page)
    }
    await become('Read only')
    await page.getByText('Your role is now Read only. What it does not include is no longer shown.').waitFor()
    await note.waitFor({ state: 'detached' })
    expect(await faultsOf(page)).toEqual([])
    await become('Administrator')
    await page.getByText('Your role is now Administrator.').waitFor()
    await expect.poll(() => note.inputValue()).toBe('Bring the new card')
    expect(faults).toEqual([])
  })

  it('shows no session of a person who was disabled, says who has not used a one-time password, and what a new one ends', async () => {
    const name = `Dora ${randomUUID()}`
    const { organizationId } = site.caller
    const dora = await newPerson(site.service, { organizationId, role: 'front_desk', name })
    const theirs = await site.open()
    await signIn(theirs.page, dora)
    const { page, faults } = await site.open()
    await signIn(page, await newAdmin(), '/console/admin/people')
    const row = page.getByRole('region', { name: 'People' }).getByRole('row', { name: new RegExp(name) })
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('row', { name: new RegExp(name) })
    await sessions.waitFor()
    await row.getByRole('button', { name: 'Disable' }).click()
    await row.getByRole('button', { name: /^Yes/ }).click()
    await row.getByText('Disabled').waitFor()
    await sessions.waitFor({ state: 'detached' })
    // Nothing says that the account is disabled to somebody who may not be its owner.
    const dialog = theirs.page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByText('Forgot your password, or it no longer works? An administrator can').waitFor()
    expect(await row.getByText('One-time password not used yet').count()).toBe(0)
    await row.getByRole('button', { name: 'New password' }).click()
    await row.getByText('The current password and their passkeys stop working, and their sessions end.').waitFor()
    await row.getByRole('button', { name: /^Yes/ }).click()
    await page.getByText('At the first sign-in, within seven days, they choose their own.').waitFor()
    await row.getByText('One-time password not used yet').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('replaces a stored secret of a connector as a whole, and keeps one that is left alone', async () => {
    const name = `c${randomUUID().slice(0, 8)}`
    await site.make('/anteroom/v1/connectors', { ...connectorBody({ username: 'clinic', password: 'old' }), name })
    const { page, faults } = await site.open()
    await signIn(page, await newAdmin(), '/console/admin/connectors')
    const sent: (string | undefined)[] = []
    const note = (request: Request) => {
      if (request.method() === 'PUT') sent.push(request.postDataJSON().settings.password)
    }
    page.on('request', note)
    const password = page.getByRole('textbox', { name: 'Password' })
    const change = async (work: () => Promise<void>) => {
      await page.getByRole('button', { name: `Change ${name}` }).click()
      await page.getByText('Stored. Leave it empty to keep it.').waitFor()
      await work()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('heading', { name: 'New connector' }).waitFor()
    }
    await change(async () => {
      await page.getByLabel('Sender ID').fill('OTHER')
    })
    await change(async () => {
      await password.focus()
      await page.keyboard.press('End')
      await page.keyboard.type('new secret')
    })
    await change(async () => {
      expect(await faultsOf(page)).toEqual([])
      await page.getByLabel('Remove the stored password').check()
    })
    page.off('request', note)
    expect(sent).toEqual(['(set)', 'new secret', undefined])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByText('No payer yet. Set a payer route.')
      .waitFor()
    expect(faults).toEqual([])
  })

  it('names whose secret is shown, and shows it and the form of the scopes no longer than the client or the webhook exists', async () => {
    const client = `report ${randomUUID()}`
    await site.make('/anteroom/v1/api-clients', { name: client, scopes: ['patients:read'] })
    const url = `https://example.org/${randomUUID()}`
    await site.make('/anteroom/v1/webhooks', { url, event_types: ['*'] })
    const { page, faults } = await site.open()
    await signIn(page, await newAdmin(), '/console/admin/clients')
    const confirm = async (row: ReturnType<typeof page.getByRole>, label: string) => {
      await row.getByRole('button', { name: new RegExp(`^${label} (for )?\\S`) }).click()
      await row.getByRole('button', { name: /^Yes/ }).click()
    }
    const ofClient = page.getByRole('row', { name: new RegExp(client) })
    await confirm(ofClient, 'New secret')
    await page.getByText(`Client secret of ${client}`).waitFor()
    await page.getByRole('button', { name: `Change scopes of ${client}` }).click()
    const scopes = page.getByRole('heading', { name: `Scopes of ${client}` })
    await scopes.waitFor()
    await confirm(ofClient, 'Revoke')
    await scopes.waitFor({ state: 'detached' })
    await page.getByText(`Client secret of ${client}`).waitFor({ state: 'detached' })
    await go(page, '/console/admin/webhooks')
    const ofWebhook = page.getByRole('row', { name: new RegExp(url) })
    await confirm(ofWebhook, 'New secret')
    const secret = page.getByText(`The secret that signs deliveries to ${url}`)
    await secret.waitFor()
    await confirm(ofWebhook, 'Remove')
    await secret.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('says that the newer version of a record could not be read after a conflict, and keeps the input', async () => {
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Unread', 'Ines') }))
    const { page } = await site.open()
    await signIn(page, site.ana, `/console/patients/${patient.id}?tab=details`)
    const names = page.getByLabel('First and middle names')
    await names.fill('Inez')
    await page.context().route('**/anteroom/v1/events?*', (route) => route.abort())
    const address = `**/patients/v1/${patient.id}`
    await intercept(page, address, (route) => route.abort())
    await intercept(page, `${address}/*`, (route) =>
      route.fulfill({
        status: 409,
        json: { errorName: 'VersionConflictError', content: { message: 'newer', latest_version: 7 } },
      }),
    )
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The service cannot be reached').first().waitFor()
    expect(await names.inputValue()).toBe('Inez')
    await page.getByRole('alert').filter({ hasText: 'Your unsaved changes are kept' }).waitFor()
  })
}
