// The account of a user: second factor, sessions, identity provider.
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildApp } from '../../src/main/app.ts'
import { faultsOf } from '../support/axe.ts'
import { nameBody, patientBody } from '../support/bodies.ts'
import { picture } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { openIdentityProvider } from '../support/identity-provider.ts'
import { secretFields, smallTargets } from '../support/page-laws.ts'
import { GOOD_PASSWORD, newPerson } from '../support/people.ts'
import { endSession, fillIn, focused, go, press, type Site, settle, signIn } from './site.ts'

/** Pastes text into a field; password and code fields must accept it, too (WCAG 2.2, 3.3.8). */
async function paste(page: Page, label: string | RegExp, text: string): Promise<void> {
  const field = page.getByLabel(label).and(page.locator('input'))
  await field.focus()
  const isTaken = await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    return document.activeElement.dispatchEvent(event)
  })()`)
  expect(isTaken, `pasting into ${label}`).toBe(true)
  await page.keyboard.insertText(text)
}

export function accountJourneys(site: Site): void {
  it('says after too many wrong passwords that it is because of them, and for how long', async () => {
    const { page, faults } = await site.open()
    const content = { message: 'too many requests: try again in 846 s' }
    const refused = { status: 429, json: { errorName: 'TooManyRequestsError', content } }
    const isSignIn = (url: URL) => url.pathname.endsWith('/session')
    await page.route(isSignIn, (route) =>
      route.request().method() === 'POST' ? route.fulfill(refused) : route.continue(),
    )
    await fillIn(page, site.ana)
    const alert = page.getByRole('alert')
    await alert.getByText('Too many failed attempts to sign in').waitFor()
    await alert.getByText('Try again in 15 minutes.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.unroute(isSignIn)
    await page.keyboard.press('Enter')
    await page.getByRole('table').waitFor()
    expect(faults).toEqual([])
  })

  it('sets up a second factor, requires a code at the next sign-in, and accepts a recovery code without the phone', async () => {
    const { organizationId } = site.caller
    const maria = await newPerson(site.service, { organizationId, role: 'front_desk', name: 'Maria Paz' })
    const { page, faults } = await site.open()
    await signIn(page, maria)
    await page.getByRole('button', { name: 'Maria Paz' }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByText('This session').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Set up' }).click()
    await paste(page, /^Enter your password/, 'not the password')
    await page.keyboard.press('Enter')
    await page.getByText('Incorrect password.').waitFor()
    await page
      .getByLabel(/^Enter your password/)
      .and(page.locator('input'))
      .fill('')
    await paste(page, /^Enter your password/, GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    expect(await secretFields(page)).toContain('Code from the app: one-time-code')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'second-factor')
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await paste(page, 'Code from the app', code())
    await page.keyboard.press('Enter')
    await focused(page, page.getByRole('heading', { name: 'Recovery codes' }))
    const recovery = await page.getByRole('listitem').allInnerTexts()
    expect(recovery.length).toBeGreaterThanOrEqual(10)
    await press(page, page.getByRole('button', { name: 'I have stored them' }))
    await page.getByText('10 recovery codes are left').waitFor()
    await focused(page, page.getByRole('heading', { name: 'Second factor' }))
    expect(await faultsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Maria Paz' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Username').waitFor()
    await fillIn(page, maria)
    await page.getByLabel('Code').and(page.locator(':focus')).waitFor()
    expect(await secretFields(page)).toContain('Code: one-time-code of a username')
    expect(await faultsOf(page)).toEqual([])
    await paste(page, 'Code', '000000')
    await page.keyboard.press('Enter')
    await page.getByText('Incorrect or used code').waitFor()
    await page.getByLabel('Code').fill('')
    await paste(page, 'Code', recovery.find((each) => /^(\w{4}-){4}\w{4}$/.test(each)) ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('table').waitFor()
    expect(faults).toEqual([])
  })

  it('requires a user with a one-time password to choose another one before anything is shown', async () => {
    const username = `uma.${randomUUID()}`
    const { one_time_password: password } = await site.make('/anteroom/v1/users', {
      username,
      name: 'Uma First',
      role: 'front_desk',
    })
    const { page, faults } = await site.open()
    await page.goto('/')
    await page.getByLabel('Username').fill(username)
    await paste(page, 'Password', String(password))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await smallTargets(page)).toEqual([])
    expect(await secretFields(page)).toEqual([
      'One-time password: current-password of a username',
      'New password: new-password of a username',
    ])
    await page.goto('/console/today')
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
    await paste(page, 'One-time password', 'another one')
    await paste(page, 'New password', 'a sentence that only Uma knows')
    await page.keyboard.press('Enter')
    await page.getByText('Incorrect one-time password.').waitFor()
    await page.getByLabel('One-time password').and(page.locator('input')).fill(String(password))
    await page.keyboard.press('Enter')
    await page.getByRole('table').waitFor()
    expect(faults).toEqual([])
  })

  it('adds a passkey after the password, signs in with it without a code, renames and removes it', async () => {
    const { organizationId } = site.caller
    const nora = await newPerson(site.service, { organizationId, role: 'front_desk', name: 'Nora Lind' })
    // The site of passkeys is localhost where PUBLIC_URL is not set.
    const { page, faults } = await site.open({ baseURL: site.url.replace('127.0.0.1', 'localhost') })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await signIn(page, nora, '/console/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Front desk computer')
    const proof = page.getByLabel(/^Enter your password to add/).and(page.locator('input'))
    await proof.fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('Incorrect password.').waitFor()
    await proof.fill(GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Front desk computer', exact: true }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'passkeys')
    await page.getByRole('button', { name: 'Rename Front desk computer' }).click()
    await page.getByLabel('New name of Front desk computer').fill('Laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Nora Lind' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: 'Nora Lind' }).waitFor()

    // The session ends while a note is typed, and the live stream does not tell.
    await page.context().route('**/anteroom/v1/events?*', (route) => route.abort())
    const patient = await site.make('/patients/v1', patientBody({ name: nameBody('Passwort', 'Ines') }))
    await page.goto(`/console/patients/${patient.id}?tab=notes`)
    await page.getByLabel('New note').fill('Bring the new card')
    await endSession(site, page)
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('Your session has expired').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('Your session has expired').waitFor({ state: 'hidden' })
    await page.getByRole('article').getByText('Bring the new card').waitFor()

    await go(page, '/console/account')
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page
      .getByLabel(/^Enter your password to remove/)
      .and(page.locator('input'))
      .fill(GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Nora Lind' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('This passkey is not registered here').waitFor()
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
  })

  it('lists the sessions of a user, who ends one that was left open', async () => {
    const [left, here] = [await site.open(), await site.open()]
    await signIn(left.page, site.ana)
    await signIn(here.page, site.ana, '/console/account')
    const buttons = here.page.getByRole('button', { name: /^End session/ })
    await buttons.first().waitFor()
    for (let count = await buttons.count(); count > 0; count--) {
      await buttons.first().click()
      await settle(here.page)
      await expect.poll(() => buttons.count()).toBe(count - 1)
    }
    await left.page.goto('/')
    await left.page.getByLabel('Username').waitFor()
    expect((await here.page.goto('/console/account'))?.status()).toBe(200)
    await here.page.getByText('This session').waitFor()
  })

  it('signs a user in through the identity provider of the clinic, on another site, and says when access is refused', async () => {
    const { config } = site.service.deps
    const port = await freePort()
    // Not the provider's site, which is 127.0.0.1: the browser sends no strict cookies from there.
    const PUBLIC_URL = `http://localhost:${port}`
    const provider = await openIdentityProvider(`${PUBLIC_URL}/anteroom/v1/session/openid/callback`)
    const settings = {
      ...config,
      PUBLIC_URL,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.client.id,
      OIDC_CLIENT_SECRET: provider.client.secret,
      OIDC_ORGANIZATION: site.caller.organizationId,
      OIDC_ROLES: 'front_desk=clinic-desk',
      OIDC_NAME: 'Harbor Health',
    }
    const app = buildApp({ ...site.service.deps, config: settings })
    try {
      await app.listen({ host: '127.0.0.1', port })
      provider.people.set('noor', { name: 'Noor Haddad', preferred_username: 'noor.haddad', groups: [] })
      provider.setPresent('noor')
      const { page, faults } = await site.open({ baseURL: PUBLIC_URL })
      const asked: (string | null)[] = []
      page.on('request', (request) => {
        const { origin, searchParams } = new URL(request.url())
        if (origin === provider.issuer && searchParams.has('nonce')) asked.push(searchParams.get('prompt'))
      })
      await page.goto('/console/account')
      await page.getByRole('link', { name: 'Sign in with Harbor Health' }).click()
      await page.getByText('You were not signed in').waitFor()
      expect(await faultsOf(page)).toEqual([])
      provider.people.set('noor', { name: 'Noor Haddad', preferred_username: 'noor.haddad', groups: ['clinic-desk'] })
      await page.getByRole('link', { name: 'Sign in with Harbor Health' }).click()
      // The screen that was wanted at first.
      await page.getByText("You sign in through your organization's identity provider").waitFor()
      expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0)
      // Who was refused or has signed out may be followed by another person at the same computer.
      await page.getByRole('button', { name: 'Noor Haddad' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('link', { name: 'Sign in with Harbor Health' }).click()
      await page.getByRole('button', { name: 'Noor Haddad' }).waitFor()
      expect(asked).toEqual([null, 'login', 'login'])
      expect(faults).toEqual([])
    } finally {
      app.server.closeAllConnections()
      await new Promise((closed) => app.server.close(closed))
      await provider.close()
    }
  })
}
