// The console in a real browser, used by staff and by an attacker: its accounts, forms and administration.
import { beforeAll, expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../support/bodies.ts'
import { picture } from '../support/browser.ts'
import { GOOD_PASSWORD } from '../support/people.ts'
import { accountJourneys } from './account.journeys.ts'
import { accountsAndSecretsJourneys } from './accounts-and-secrets.journeys.ts'
import { adminJourneys } from './admin.journeys.ts'
import { directInputJourneys } from './direct-input.journeys.ts'
import { limitedCoverageJourneys } from './limited-coverage.journeys.ts'
import { endSession, fillIn, focused, go, inBrowser, press, settle, signIn } from './site.ts'
import { usersJourneys } from './users.journeys.ts'

/** If any part of it is executed, it sets a mark on the page. */
const SCRIPT = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>`
const HOSTILE = `"'><svg onload=window.broken=1>${SCRIPT}`

let patientId = ''
let checkUrl = ''
inBrowser('the console', (site) => {
  const { open, make } = site

  beforeAll(async () => {
    const note = await make('/notes/v1', { value: HOSTILE })
    const patient = await make('/patients/v1', {
      ...patientBody({ name: nameBody(`Okafor ${HOSTILE}`, 'Chidi') }),
      note_ids: [note.id],
    })
    patientId = patient.id
    for (const value of ['Interpreter', 'Wheelchair']) await make('/tags/v1', { value, alert: false })
    const coverage = await make(
      '/coverages/v1',
      coverageBody(patientId, {
        insurance_plan: { member_id: 'HOSTILE1', payer_id: '60054', payer_name: HOSTILE, plan_name: HOSTILE },
      }),
    )
    await make(
      '/appointments/v1',
      appointmentBody(patientId, { start_timestamp: new Date().toISOString(), appointment_details: HOSTILE }),
    )
    const { id: _id, version, ...body } = patient
    const filed = await site.caller.call('PUT', `/patients/v1/${patientId}/${version + 1}`, {
      ...body,
      filing_order: { coverages: [coverage.id] },
    })
    expect(filed.status, filed.text).toBe(200)
    site.payer.answers.set(
      'HOSTILE1',
      `EB*1**30**<SVG ONLOAD=WINDOW.BROKEN=1>~MSG*<IMG SRC=X ONERROR=WINDOW.BROKEN=1>~`,
    )
  })

  it('leads from the bare address to the sign-in and then to the visits of today', async () => {
    const { page, faults } = await open()
    await page.goto('/')
    expect(new URL(page.url()).pathname).toMatch(/^\/console\//)
    await page.getByLabel('Username').waitFor()
    await picture(page, 'sign-in')
    await fillIn(page, site.ana)
    await page
      .getByRole('cell', { name: /Okafor/ })
      .first()
      .waitFor()
    expect(await page.title()).not.toBe('')
    expect(faults).toEqual([])
  })

  it('works without a mouse: find a patient, check with the payer and read the answer', async () => {
    const { page, faults } = await open()
    await signIn(page, site.ana)
    const row = page.getByRole('row', { name: /Okafor/ })
    // The clinic's other visit is above.
    for (let step = 1; step <= 2; step += 1) await page.keyboard.press('ArrowDown')
    await focused(page, row)
    await page.keyboard.press('Enter')
    await page.getByLabel('Visit notes').focus()
    await page.keyboard.press('Escape')
    await focused(page, row)
    // On a tablet the panel lies over the board.
    await page.setViewportSize({ width: 820, height: 860 })
    await page.keyboard.press('Enter')
    const visit = page.getByRole('complementary', { name: 'Visit' })
    await focused(page, visit.getByRole('heading', { level: 2 }))
    await page.keyboard.press('Shift+Tab')
    await visit.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.keyboard.press('/')
    await focused(page, page.getByRole('dialog').getByLabel('Name, MRN'))
    await page.keyboard.type('okafor')
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /Okafor/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await focused(page, page.getByRole('heading', { name: /Okafor/ }))
    const edit = page.getByRole('button', { name: 'Edit' })
    await press(page, edit)
    await focused(page, page.getByRole('heading', { name: 'Edit coverage' }))
    await press(page, page.getByRole('button', { name: 'Cancel' }))
    await focused(page, edit)
    const tag = page.getByLabel('Add a tag')
    await tag.focus()
    await page.keyboard.press('ArrowDown')
    await press(page, page.getByRole('button', { name: 'Add', exact: true }))
    await press(page, page.getByRole('button', { name: 'Remove the tag Interpreter' }))
    await focused(page, tag)
    await press(page, page.getByRole('button', { name: 'Check eligibility' }).first())
    await page.getByLabel('NPI of the inquiring provider').fill('1999999984')
    await press(page, page.getByRole('button', { name: /^Check with / }))
    // The link of the coverage, and that of the check under way, which is gone when the user comes back.
    const responses = page.getByRole('link', { name: 'View response' })
    await expect.poll(() => responses.count()).toBe(2)
    await press(page, responses.first())
    await page.getByText('Active', { exact: true }).first().waitFor()
    await picture(page, 'answer')
    checkUrl = page.url()
    await page.goBack()
    await focused(page, responses.first())
    await go(page, '/console/today')
    await focused(page, row)
    expect(faults).toEqual([])
  })

  it('shows what patients and payers wrote as text, wherever it shows it', async () => {
    const { page, faults } = await open()
    await signIn(page, site.ana)
    const tabs = ['details', 'notes', 'visits', 'history', 'timeline'].map((tab) => `?tab=${tab}`)
    const places = ['/console/today', ...['', ...tabs].map((tab) => `/console/patients/${patientId}${tab}`), checkUrl]
    const showing: string[] = []
    for (const place of places) {
      await page.goto(place)
      await page.getByRole('main').waitFor()
      await settle(page)
      if (/onload=/i.test(await page.innerText('main'))) showing.push(place)
      expect(await page.evaluate('window.broken'), place).toBeUndefined()
    }
    expect(showing.length, showing.join()).toBeGreaterThan(4)
    expect(faults).toEqual([])
  })

  it('covers an unattended screen when the session ends, and loses nothing that was typed: the person signs in again and goes on', async () => {
    const { page } = await open()
    await signIn(page, site.ana, `/console/patients/${patientId}?tab=notes`)
    await page.getByLabel('New note').fill('Called the payer about the referral')
    await endSession(site, page)
    // Nobody touches the page.
    await page.getByText('Your session has expired').waitFor()
    await page.locator('input[name=password]').fill(GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Your session has expired').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Add note' }).click()
    const note = page.getByRole('article').getByText('Called the payer about the referral')
    await note.waitFor()
    expect(await note.count()).toBe(1)
  })

  it('does not count what it reads by itself as a use of the session, once nobody has used it for a minute', async () => {
    // With an option, so that no other test gets the window and its clock.
    const { page } = await open({ reducedMotion: 'reduce' })
    await signIn(page, site.ana)
    await page.getByText('Up to date', { exact: true }).waitFor()
    const readByItself = async () => {
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.url().includes('/lists/board')),
        site.make('/appointments/v1', appointmentBody(patientId, { start_timestamp: new Date().toISOString() })),
      ])
      return request.headers()['x-unattended']
    }
    expect(await readByItself()).toBeUndefined()
    await page.clock.install()
    await page.clock.fastForward(61_000)
    expect(await readByItself()).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await readByItself()).toBeUndefined()
  })

  it('is useless to pages of other origins: they cannot frame it, read it, write with its session or sign a user in', async () => {
    const { page, context } = await open()
    await signIn(page, site.ana)
    const before = (await site.caller.call('GET', '/notes/v1/scan?since=2020-01-01T00:00:00.000Z')).text
    const evil = await context.newPage()
    await context.route('http://evil.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>evil</p>' }),
    )
    await evil.goto('http://evil.test/')
    const results = await evil.evaluate(`(async () => {
      const attempt = (path, init) => fetch('${site.url}' + path, { credentials: 'include', ...init }).then(
        async (reply) => reply.type + ' ' + (await reply.text()).length, () => 'refused')
      const body = '{"value":"forged"}'
      return [
        await attempt('/anteroom/v1/session', {}),
        await attempt('/notes/v1', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
        await attempt('/notes/v1', { method: 'POST', body, mode: 'no-cors' }),
      ]
    })()`)
    expect(results).toEqual(['refused', 'refused', expect.stringMatching(/^(opaque 0|refused)$/)])
    await evil.setContent(
      `<iframe src="${site.url}/console/"></iframe><form method="post" enctype="text/plain" action="${site.url}/anteroom/v1/session"><input name='{"username":"x","password":"' value='y"}'></form>`,
    )
    await settle(evil)
    const frame = evil.frames().find((each) => each !== evil.mainFrame())
    expect(
      await frame
        ?.locator('#root')
        .count()
        .catch(() => 0),
    ).toBe(0)
    const sent = evil.waitForResponse((reply) => reply.url().endsWith('/anteroom/v1/session'))
    await evil.evaluate('document.forms[0].submit()')
    expect([403, 415]).toContain((await sent).status())
    // A page that is closed while it goes to another one may never be closed.
    await evil.waitForURL('**/anteroom/v1/session')
    expect((await site.caller.call('GET', '/notes/v1/scan?since=2020-01-01T00:00:00.000Z')).text).toBe(before)
  })

  accountJourneys(site)
  adminJourneys(site)
  limitedCoverageJourneys(site)
  directInputJourneys(site)
  usersJourneys(site)
  accountsAndSecretsJourneys(site)
})
