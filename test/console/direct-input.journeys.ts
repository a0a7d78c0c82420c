// Input other than fields and buttons: dragging, and keys of one's own; and what large days and others' changes draw anew.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { faultsOf } from '../support/axe.ts'
import { appointmentBody } from '../support/bodies.ts'
import { picture } from '../support/browser.ts'
import { patientWith, type Site, settle, signIn } from './site.ts'

const orderOf = (page: Page) => page.getByRole('article').getByRole('heading', { level: 2 }).allInnerTexts()

/** The handles of so many coverages, once they are where they stay: what is read after them, above them, moves them down. */
async function standingHandles(page: Page, count: number): Promise<Locator> {
  await page.getByText('No visit is scheduled.').waitFor()
  await page.getByRole('combobox', { name: 'Add a tag' }).waitFor()
  const handles = page.getByTitle('Drag to another place')
  await handles.nth(count - 1).click({ trial: true })
  return handles
}

/** Moves the handle with the button of the mouse pressed. */
async function moveHandle(page: Page, handles: Locator, from: number, to: number): Promise<void> {
  const [start, end] = [await handles.nth(from).boundingBox(), await handles.nth(to).boundingBox()]
  if (!start || !end) throw new Error('no handle')
  await page.mouse.move(start.x + 5, start.y + 5)
  await page.mouse.down()
  await page.mouse.move(end.x + 5, end.y - 20, { steps: 8 })
}

export function directInputJourneys(site: Site): void {
  it('changes the filing order by dragging with a mouse, and back with the buttons', async () => {
    const id = await patientWith(site, 'Ziehen', ['Plan One', 'D1'], ['Plan Two', 'D2'], ['Plan Three', 'D3'])
    const { page, faults } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}`)
    await moveHandle(page, await standingHandles(page, 3), 2, 0)
    await page.mouse.up()
    await expect.poll(() => orderOf(page)).toEqual(['Plan Three', 'Plan One', 'Plan Two'])
    const stored = await site.caller.call('GET', `/patients/v1/${id}`)
    expect(stored.body.version).toBe(3)
    await page.getByRole('button', { name: 'Move Plan Three, primary down' }).click()
    await expect.poll(() => orderOf(page)).toEqual(['Plan One', 'Plan Three', 'Plan Two'])
    expect(faults).toEqual([])
  })

  it('leaves the filing order unchanged when Escape cancels a drag', async () => {
    const id = await patientWith(site, 'Abbruch', ['Plan One', 'E1'], ['Plan Two', 'E2'])
    const { page } = await site.open()
    await signIn(page, site.ana, `/console/patients/${id}`)
    await moveHandle(page, await standingHandles(page, 2), 1, 0)
    await page.locator('[data-dragged]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-dragged]').waitFor({ state: 'detached' })
    await page.mouse.up()
    await settle(page)
    expect(await orderOf(page)).toEqual(['Plan One', 'Plan Two'])
    expect((await site.caller.call('GET', `/patients/v1/${id}`)).body.version).toBe(2)
  })

  it('changes the filing order by dragging with a finger, without scrolling the page', async () => {
    const id = await patientWith(site, 'Finger', ['Plan One', 'F1'], ['Plan Two', 'F2'])
    const { page, faults } = await site.open({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 640 } })
    await signIn(page, site.ana, `/console/patients/${id}`)
    const handles = await standingHandles(page, 2)
    const [first, second] = [await handles.nth(0).boundingBox(), await handles.nth(1).boundingBox()]
    if (!first || !second) throw new Error('no handle')
    const scrolled = await page.evaluate('scrollY')
    const touch = await page.context().newCDPSession(page)
    const at = (y: number) => [{ x: second.x + 5, y }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(second.y + 5) })
    for (const y of [second.y - 10, (first.y + second.y) / 2, first.y - 20]) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(y) })
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(() => orderOf(page)).toEqual(['Plan Two', 'Plan One'])
    expect(await page.evaluate('scrollY')).toBe(scrolled)
    expect(faults).toEqual([])
  })

  it('draws a day of many visits in parts that no key, print or other script notices', async () => {
    const id = await patientWith(site, 'Manyvisits', ['Plan One', 'M1'])
    // A day without other visits: late in the evening, a visit that a form suggests is tomorrow.
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString()
    const visits = 75
    for (let number = 0; number < visits; number++) {
      await site.make('/appointments/v1', appointmentBody(id, { start_timestamp: day }))
    }
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    const rows = page.getByRole('row', { name: /Manyvisits/ })
    const heading = page.getByRole('heading', { level: 1 })
    const isWhole = () => page.evaluate("!document.querySelector('table').hasAttribute('aria-rowcount')")
    await page.keyboard.press(']')
    await heading.filter({ hasText: 'Tomorrow' }).waitFor()
    for (const event of ["new Event('beforeprint')", "new KeyboardEvent('keydown', { key: 'End', bubbles: true })"]) {
      // In the task that first draws rows, before the others are due.
      const drawn = await page.evaluate(`new Promise((done) => {
        new MutationObserver((_, observer) => {
          const first = document.querySelectorAll('tbody tr').length
          if (first === 0 || document.querySelector('h1').textContent.startsWith('Tomorrow')) return
          observer.disconnect()
          const event = ${event}
          ;(event.type === 'keydown' ? document : window).dispatchEvent(event)
          done([first, document.querySelectorAll('tbody tr').length, document.activeElement.rowIndex ?? 0])
        }).observe(document.querySelector('main'), { childList: true, subtree: true })
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ']', bubbles: true }))
      })`)
      const [first = 0, after, focused] = drawn as number[]
      expect(first).toBeLessThan(visits)
      expect(after).toBe(visits)
      if (event.includes('End')) expect(focused).toBe(visits)
      await page.keyboard.press('[')
      await heading.filter({ hasText: 'Tomorrow' }).waitFor()
    }
    await page.keyboard.press(']')
    await expect.poll(() => rows.count()).toBe(visits)
    await expect.poll(isWhole).toBe(true)
    expect(faults).toEqual([])
  })

  it('repaints only the row of a visit that another user changes', async () => {
    const id = await patientWith(site, 'Repaint', ['Plan One', 'R1'])
    const start_timestamp = new Date().toISOString()
    const visits = []
    for (let number = 0; number < 8; number++) {
      visits.push(await site.make('/appointments/v1', appointmentBody(id, { start_timestamp })))
    }
    const changed = visits[3]
    const { page } = await site.open()
    await signIn(page, site.ana)
    await page.locator(`[data-id="${changed?.id}"]`).waitFor()
    await page.getByText('Up to date', { exact: true }).waitFor()
    await settle(page)
    await page.evaluate(`{
      window.repainted = new Set()
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement
          window.repainted.add(element?.closest('tr')?.dataset.id ?? element?.tagName)
        }
      }).observe(document.querySelector('tbody'), { subtree: true, childList: true, characterData: true, attributes: true })
    }`)
    const stored = await site.caller.call('GET', `/appointments/v1/${changed?.id}`)
    const body = { ...stored.body, status: 'CHECKED_IN', checked_in_timestamp: start_timestamp }
    const { version, id: _, organization_id, deactivated, updated_at, updating_user_id, ...visit } = body
    const put = await site.caller.call('PUT', `/appointments/v1/${changed?.id}/${Number(version) + 1}`, visit)
    expect(put.status, put.text).toBe(200)
    await page.locator(`[data-id="${changed?.id}"]`).getByText('Checked in').waitFor()
    await settle(page)
    expect(await page.evaluate('[...window.repainted]')).toEqual([changed?.id])
  })

  it('acts on the key that a user has chosen, and names the shortcut that has it already', async () => {
    const { page, faults } = await site.open()
    await signIn(page, site.ana)
    await page.keyboard.press('?')
    const change = page.getByRole('button', { name: 'Change the key of “The week of this day”' })
    await change.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('t')
    await page.getByText('“t” is the key of “Today”').waitFor()
    await page.keyboard.press('x')
    await page.getByRole('row', { name: /x The week of this day/ }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'keys')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('table').waitFor()
    await page.keyboard.press('w')
    await settle(page)
    expect(new URL(page.url()).pathname).toMatch(/today$/)
    await page.keyboard.press('x')
    await page.getByRole('heading', { name: /^Week of/ }).waitFor()
    expect(faults).toEqual([])
  })
}
