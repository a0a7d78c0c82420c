// The board: what a row says, queues that are cleared, and the steps of a visit through its day.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dayOf } from '../../src/contract/shown-days.ts'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody, type Body, nameBody } from '../support/bodies.ts'
import { picture } from '../support/browser.ts'
import { verifyVisit } from '../support/clinic.ts'
import { newPerson } from '../support/people.ts'
import { ACTIVE, INACTIVE, NOT_FOUND } from '../support/scripted-payer.ts'
import { focused, giveNpi, go, patientWith, press, type Site, settle, signIn } from './site.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const PHONE = { width: 390, height: 844 }
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

export function boardJourneys(site: Site): void {
  const rowOf = (page: Page, visit: Body) => page.locator(`[data-id="${visit.id}"]`)
  const stored = async (visit: Body) => (await site.caller.call('GET', `/appointments/v1/${visit.id}`)).body

  /** A visit of a patient whose payers answer so, verified. */
  async function visitOf(family: string, answers: string[], more: Body = {}): Promise<Body> {
    await giveNpi(site)
    const plans = answers.map((answer, place): [string, string] => {
      site.payer.answers.set(`${family}${place}`.toUpperCase(), answer)
      return [`Payer ${place + 1}`, `${family}${place}`.toUpperCase()]
    })
    const patient = await patientWith(site, family, ...plans)
    const body = appointmentBody(patient, { start_timestamp: ago(0), ...more })
    const visit = await site.make('/appointments/v1', body)
    if (Date.parse(String(body.start_timestamp)) > Date.now() - DAY_MS) {
      await verifyVisit(site.caller, visit.id)
    }
    return visit
  }

  it('says in one row who comes when to whom, what each payer answered and how old it is, what is missing, and the next step', async () => {
    const attending_doctor = { name: nameBody('Doktor', 'Dora'), telecoms: [], npi: '1999999984' }
    const soon = { start_timestamp: ago(-MINUTE_MS), attending_doctor }
    const ready = await visitOf('Zeile', ['EB*1**30~EB*B**98***27*25*****Y~', ACTIVE], soon)
    const unpaid = await visitOf('Zeileaus', [INACTIVE], { start_timestamp: ago(-MINUTE_MS) })
    const waiting = await site.make(
      '/appointments/v1',
      appointmentBody(await patientWith(site, 'Zeilehier'), {
        ...{ start_timestamp: ago(60 * MINUTE_MS), status: 'CHECKED_IN' },
        checked_in_timestamp: ago(40 * MINUTE_MS),
      }),
    )
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const words = async (visit: Body) => (await rowOf(page, visit).innerText()).replaceAll(/\s+/g, ' ')
    await rowOf(page, ready).getByText('Ready', { exact: true }).waitFor()
    const row = await words(ready)
    expect(row).toMatch(/^\d\d?:\d\d/)
    for (const part of ['Zeile, Rosa', 'Dora Doktor', 'Payer 1', 'Payer 2', '$25', 'Check in'])
      expect(row).toContain(part)
    expect(row).toMatch(/\d{4} · \d+ y · \d+/)
    expect(row.match(/Active (just now|\d+ s|\d+ min)/gi)).toHaveLength(2)
    expect(await words(unpaid)).toMatch(/Not ready Primary coverage is not active Front desk .*Fix coverage$/)
    expect(await words(waiting)).toMatch(/waiting 4\d min.*Here|waiting 4\d min.*Checked in/i)
    expect(await rowOf(page, waiting).locator('[data-long="true"]').count()).toBe(1)
    expect(faults).toEqual([])
  })

  it('never shows active, not active and unknown alike: they differ in words, shape and color, in both themes', async () => {
    const visits = [
      await visitOf('Lichtan', [ACTIVE]),
      await visitOf('Lichtaus', [INACTIVE]),
      await visitOf('Lichtunklar', [NOT_FOUND]),
    ]
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults } = await site.open({ colorScheme })
      await signIn(page, site.ana)
      const lights: string[][] = []
      for (const visit of visits) {
        const light = rowOf(page, visit).locator('[data-state]').first()
        await light.waitFor()
        lights.push(
          await light.evaluate((each) => {
            const [shape, word] = [each.querySelector('path'), each.querySelector('svg + span')]
            const style = (globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> })
              .getComputedStyle
            return [
              shape?.getAttribute('d') ?? '',
              word?.textContent ?? '',
              style(shape).stroke ?? '',
              style(shape).color ?? '',
            ]
          }),
        )
      }
      expect(lights.map(([, word]) => word)).toEqual(['Active', 'Not active', 'Unknown'])
      for (const sign of [0, 1, 3]) expect(new Set(lights.map((light) => light[sign])).size).toBe(3)
      await rowOf(page, visits[2] as Body)
        .getByText('The payer does not find the subscriber.')
        .waitFor()
      expect(faults).toEqual([])
    }
  })

  it('resolves the exceptions of tomorrow with the keyboard alone: a corrected coverage is checked again, and its row leaves without moving the others', async () => {
    const start_timestamp = ago(-DAY_MS)
    const first = await visitOf('Ausnahmeeins', [INACTIVE], { start_timestamp })
    const second = await visitOf('Ausnahmezwei', [NOT_FOUND], { start_timestamp: ago(-DAY_MS - MINUTE_MS) })
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: /^Tomorrow/ }).waitFor()
    await rowOf(page, second).waitFor()
    const queue = page.getByRole('button', { name: /^Exceptions \d/ })
    const isThere = () => queue.evaluate((each) => each.ownerDocument?.activeElement === each)
    for (let presses = 0; presses < 60 && !(await isThere()); presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await focused(page, queue)
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('ArrowDown')
      if (await rowOf(page, first).and(page.locator(':focus')).count()) break
    }
    await focused(page, rowOf(page, first))
    // A visit that another user adds before it does not take the cursor.
    const early = await visitOf('Ausnahmenull', [INACTIVE], { start_timestamp: ago(-DAY_MS + MINUTE_MS) })
    await rowOf(page, early).waitFor()
    await focused(page, rowOf(page, first))
    // The payer has it as active by now.
    site.payer.answers.set('AUSNAHMEEINS0', ACTIVE)
    await page.keyboard.press('c')
    await rowOf(page, first).waitFor({ state: 'detached' })
    await focused(page, rowOf(page, second))
    site.payer.answers.set('AUSNAHMEZWEI0', ACTIVE)
    await page.keyboard.press('c')
    await rowOf(page, second).waitFor({ state: 'detached' })
    expect([(await stored(first)).status, (await stored(second)).status]).toEqual(['READY', 'READY'])
    expect(faults).toEqual([])
  })

  it('takes a visit through its day and back: checked in, checked out, undone, not shown up, moved to another time', async () => {
    const visit = await visitOf('Tageslauf', [ACTIVE])
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await rowOf(page, visit).getByRole('cell').first().click()
    const panel = page.getByRole('complementary', { name: 'Visit' })
    const step = async (button: string, status: string) => {
      await press(page, panel.getByRole('button', { name: button, exact: true }))
      await expect.poll(async () => (await stored(visit)).status).toBe(status)
      // The focus moves to the step that is next once the answer is shown.
      await settle(page)
    }
    await step('Check in', 'CHECKED_IN')
    await step('Check out', 'CHECKED_OUT')
    await step('Undo “Checked out”', 'CHECKED_IN')
    await step('Undo “Checked in”', 'READY')
    await step('No-show', 'NO_SHOW')
    await step('Undo “No-show”', 'READY')
    const before = (await stored(visit)).start_timestamp
    await panel.getByLabel('Time').fill('23:45')
    await press(page, panel.getByRole('button', { name: 'Move', exact: true }))
    await page.getByText(/^Moved to .*(11:45 PM|23:45)/).waitFor()
    const moved = String((await stored(visit)).start_timestamp)
    expect([moved === before, moved.slice(14, 16)]).toEqual([false, '45'])
    expect(faults).toEqual([])
  })

  it('saves a named view for its user, and leads from the numbers of a week to their visits', async () => {
    const visit = await visitOf('Wochenzahl', [INACTIVE], { start_timestamp: ago(-DAY_MS) })
    const { page, faults } = await site.open()
    await signIn(page, site.ana, '/console/today?queue=exceptions')
    await press(page, page.getByRole('button', { name: 'Save this view…' }))
    await page.getByLabel('Name of the view').fill('To fix')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove “To fix”' }).waitFor()
    await page.goto('/console/today')
    await page.getByLabel('View', { exact: true }).selectOption('To fix')
    await page.waitForURL(/queue=exceptions/)
    await press(page, page.getByRole('button', { name: 'Remove “To fix”' }))
    await page.getByRole('button', { name: 'Save this view…' }).waitFor()
    // Not the day of UTC, which may have ended since the clinic's zone was chosen.
    const day = dayOf(String((await stored(visit)).start_timestamp), site.timeZone)
    await go(page, `/console/week?day=${day}`)
    const row = page.getByRole('row').filter({ has: page.locator(`a[href*="day=${day}"]`) })
    const count = row.getByRole('link', { name: /^\d+ Exceptions/ })
    const shown = Number(await count.innerText())
    await press(page, count)
    await rowOf(page, visit).waitFor()
    expect(await page.locator('tr[data-id]').count()).toBe(shown)
    expect(faults).toEqual([])
  })

  it('ignores single-letter shortcuts once they are turned off, but not arrow keys and Ctrl K', async () => {
    const visit = await visitOf('Diktat', [ACTIVE])
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await rowOf(page, visit).waitFor()
    await page.keyboard.press('?')
    await page.getByLabel('Single-character shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    for (const key of ['w', ']', '/', '?']) await page.keyboard.press(key)
    await settle(page)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('heading', { level: 1, name: /^Today/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await focused(page, page.locator('tr[data-id][aria-current]'))
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    expect(faults).toEqual([])
  })

  it('shows the whole of a visit on a phone, with its next step, as a row of a table', async () => {
    const visit = await visitOf('Telefon', [INACTIVE], { start_timestamp: ago(-MINUTE_MS) })
    const { page } = await site.open({ viewport: PHONE })
    await signIn(page, site.ana)
    const row = rowOf(page, visit)
    await row.getByText('Not active', { exact: true }).waitFor()
    expect(
      await page
        .getByRole('row')
        .filter({ has: page.getByText('Telefon') })
        .getByRole('cell')
        .count(),
    ).toBeGreaterThan(4)
    for (const part of [row.getByRole('button'), row.getByText('Front desk'), row.getByText('Payer 1')]) {
      const { x = -1, width = 0 } = (await part.boundingBox()) ?? {}
      expect([x >= 0, x + width <= PHONE.width]).toEqual([true, true])
    }
    await picture(page, 'board-phone')
  })

  it('has a next step for a biller, who changes no visits: what is wrong with the coverage is mended, and else the answer is read', async () => {
    const { organizationId } = site.caller
    const biller = await newPerson(site.service, { organizationId, role: 'billing', name: 'Bill Ames' })
    const faulty = await visitOf('Kassenfehler', [INACTIVE])
    const fine = await visitOf('Kassengut', [ACTIVE], { notes: 'Uses a wheelchair' })
    const none = await visitOf('Kassenlos', [])
    const { page, faults } = await site.open()
    await signIn(page, biller)
    const step = (visit: Body, name: string) =>
      rowOf(page, visit).getByRole('button', { name: new RegExp(`^${name}: `) })
    await step(none, 'Add coverage').waitFor()
    await step(fine, 'View response').waitFor()
    // Nor does a key do what the role does not include.
    await rowOf(page, fine).focus()
    for (const key of ['i', 'c', 'o']) await page.keyboard.press(key)
    await settle(page)
    expect(await page.getByText('You do not have permission').count()).toBe(0)
    expect((await stored(fine)).status).toBe('READY')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'biller')
    await press(page, step(fine, 'View response'))
    await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor()
    await page.goBack()
    await press(page, step(faulty, 'Fix coverage'))
    await page.getByRole('button', { name: /^Edit/ }).waitFor()
    await page.goBack()
    // What the button says is not to be pressed again.
    await press(page, step(none, 'Add coverage'))
    await page.getByLabel('Member ID').waitFor()
    await page.goBack()
    // Who may not write notes sees those that there are, and no field.
    for (const [visit, count] of [
      [none, 0],
      [fine, 1],
    ] as const) {
      await rowOf(page, visit).getByRole('cell').first().click()
      await page.getByText('Your role allows you to view visits, but not to change them.').waitFor()
      expect(await page.getByText('Visit notes').count()).toBe(count)
    }
    expect(await page.getByRole('textbox', { name: 'Visit notes' }).count()).toBe(0)
    await page.getByText('Uses a wheelchair').waitFor()
    expect(faults).toEqual([])
  })
}
