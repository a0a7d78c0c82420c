// What must hold of every screen, with its forms, dialogs and messages: in both themes and at three sizes.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'
import { faultsOf } from '../support/axe.ts'
import { picture } from '../support/browser.ts'
import {
  brokenWords,
  cutLabels,
  hiddenFocus,
  linesOfHeader,
  repeatedNames,
  SELECTIONS,
  secretFields,
  sidewaysParts,
  smallTargets,
  unmarkedSelections,
} from '../support/page-laws.ts'
import { screensOf } from './every-screen.ts'
import { endSession, type Site, settle, signIn } from './site.ts'

/** A desk, a tablet, and a desk at 200 %. */
const DESK = 1280
const WIDTHS = [DESK, 820, 640]
const HEIGHT = 800
/** A desk at 400 %, and a small phone. Source: WCAG 2.2, 1.4.10. */
const NARROWEST = 320
const PHONE = { width: 390, height: 844 }
/** Of a desk at 200 %, with the bars of the browser: what is sticky covers most of it. */
const LOW = { width: 640, height: 480 }

interface Seen {
  faults: string[]
  /** By screen, theme and width. */
  looks: Record<string, unknown>
  smallTargets: Record<string, string[]>
  hiddenFocus: Record<string, string[]>
  cutLabels: Record<string, string[]>
  unmarked: Record<string, string[]>
  /** On a phone. */
  broken: Record<string, string[]>
  sideways: Record<string, string[]>
  linesOfHeader: Set<number>
  repeated: Record<string, string[]>
  /** The number of selected rows and choices. */
  selections: number
  secretFields: Set<string>
  addresses: Set<string>
}

/** The addresses of the console that show a screen of their own, with patterns in place of ids. */
async function screenAddresses(): Promise<RegExp[]> {
  const [router = '', sections = ''] = await Promise.all(
    ['router.tsx', 'screens/admin/sections.ts'].map((name) => readFile(packageFile(`console/src/${name}`), 'utf8')),
  )
  const names = [...sections.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name)
  return [...router.matchAll(/\.\.\.at\('(.+?)'\),\n(?! *beforeLoad)/g)]
    .flatMap(([, path = '']) =>
      path.includes('$section') ? names.map((name) => path.replace('$section', `${name}`)) : [path],
    )
    .map((path) => new RegExp(`^/console${path.replaceAll(/\$\w+/g, '[^/]+')}$`))
}

export function accessibilityJourneys(site: Site): void {
  const { screens, prepare } = screensOf(site)

  async function walk(): Promise<Seen> {
    const chief = await prepare()
    const { page, faults } = await site.open()
    const seen: Seen = {
      faults,
      looks: {},
      smallTargets: {},
      hiddenFocus: {},
      cutLabels: {},
      unmarked: {},
      broken: {},
      sideways: {},
      linesOfHeader: new Set(),
      repeated: {},
      selections: 0,
      secretFields: new Set(),
      addresses: new Set(),
    }
    const note = (into: Record<string, string[]>, name: string, found: string[]) => {
      if (found.length > 0) into[name] = found
    }
    const widerBy = async () => Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    const lookForOverflow = async (name: string, width: number) => {
      // A menu is placed again after the window has another size.
      if ((await widerBy()) > 0) await settle(page)
      const wider = await widerBy()
      if (wider > 0) seen.looks[`${name} ${width}, too wide by`] = wider
    }
    /** As the text zoom of a browser: queries of the window see nothing of it. */
    const lookAtLargeText = async (name: string) => {
      await page.evaluate('document.documentElement.style.fontSize = "200%"')
      for (const width of [LOW.width, DESK]) {
        await page.setViewportSize({ width, height: HEIGHT })
        await lookForOverflow(`${name} with text of 200 %`, width)
      }
      note(seen.cutLabels, name, await cutLabels(page))
      await picture(page, `${name}-large-text`)
      await page.evaluate('document.documentElement.style.fontSize = ""')
    }
    const look = async (name: string, part?: string) => {
      await settle(page)
      // On a slow machine, too, the screen and not what it shows until it is there.
      await page
        .getByText(/^Loading /)
        .first()
        .waitFor({ state: 'detached' })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT })
        // Where it happens to be scrolled to, a button may lie half under the sticky header.
        await page.evaluate('scrollTo(0, 0)')
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const place = `${name} ${colorScheme} ${width}`
          // The themes differ in colors alone.
          const here = await faultsOf(page, { colorsOnly: colorScheme === 'dark', ...(part && { within: part }) })
          if (here.length > 0) seen.looks[place] = here
          await picture(page, place.replaceAll(' ', '-'))
        }
        await lookForOverflow(name, width)
        note(seen.smallTargets, `${name} ${width}`, await smallTargets(page, part))
      }
      note(seen.repeated, name, await repeatedNames(page))
      await page.emulateMedia({ forcedColors: 'active' })
      note(seen.unmarked, name, await unmarkedSelections(page))
      seen.selections += await page.locator(SELECTIONS).count()
      await page.emulateMedia({ forcedColors: 'none' })
      await page.setViewportSize({ width: NARROWEST, height: HEIGHT })
      await lookForOverflow(name, NARROWEST)
      await page.setViewportSize(PHONE)
      note(seen.broken, name, await brokenWords(page))
      note(seen.sideways, name, await sidewaysParts(page))
      seen.linesOfHeader.add(await linesOfHeader(page))
      await picture(page, `${name}-phone`)
      await lookAtLargeText(name)
      for (const field of await secretFields(page)) seen.secretFields.add(field)
      // The last: it moves the focus, which may close what is open.
      await page.setViewportSize(LOW)
      note(seen.hiddenFocus, name, await hiddenFocus(page, part))
      await page.setViewportSize({ width: 1280, height: HEIGHT })
    }
    await page.goto('/')
    await page.getByLabel('Username').waitFor()
    await look('sign-in')
    await signIn(page, chief)
    for (const { name, show, part } of screens) {
      await show(page)
      seen.addresses.add(new URL(page.url()).pathname)
      await look(name, part)
    }
    await endSession(site, page)
    await page.getByText('Your session has expired').waitFor()
    await look('session-expired')
    return { ...seen, faults: [...faults] }
  }

  // One walk for all laws: to show a screen takes longer than to look at it.
  let walking: Promise<Seen> | undefined
  const everyScreen = () => (walking ??= walk())

  it('has no fault that axe finds, on every screen, in both themes and at three sizes, and no horizontal overflow there, at 400 % and with text alone at 200 %', async () => {
    const { looks, faults } = await everyScreen()
    expect(looks).toEqual({})
    expect(faults).toEqual([])
  })

  it('is looked at under every address of the router and of Administration', async () => {
    const looked = [...(await everyScreen()).addresses]
    const addresses = await screenAddresses()
    expect(addresses.length).toBeGreaterThan(15)
    expect(addresses.filter((address) => !looked.some((path) => address.test(path)))).toEqual([])
  })

  it('has targets of 24 by 24 pixels, or with as much space around them, on every screen at three sizes', async () => {
    expect((await everyScreen()).smallTargets).toEqual({})
  })

  it('cuts no label of a button or link on every screen with text alone at 200 %', async () => {
    expect((await everyScreen()).cutLabels).toEqual({})
  })

  it('marks the selected row and the selected choice of a list in forced colors, on every screen', async () => {
    const { unmarked, selections } = await everyScreen()
    expect(selections).toBeGreaterThan(1)
    expect(unmarked).toEqual({})
  })

  it('fits a phone: a header of two lines, tables that do not scroll sideways, and no short word on two lines, on every screen', async () => {
    const { broken, sideways, linesOfHeader: lines } = await everyScreen()
    expect(broken).toEqual({})
    expect(sideways).toEqual({})
    expect(Math.max(...lines)).toBe(2)
  })

  it('gives no two buttons of a screen the same name', async () => {
    expect((await everyScreen()).repeated).toEqual({})
  })

  it('hides no focused element under what is sticky, on every screen of a low window', async () => {
    expect((await everyScreen()).hiddenFocus).toEqual({})
  })

  it('lets password managers and the clipboard fill in every field for a password or a code', async () => {
    expect([...(await everyScreen()).secretFields].sort()).toEqual([
      'Current password: current-password of a username',
      'Enter your password to set up an app: current-password of a username',
      'New password: new-password of a username',
      'Password: current-password of a username',
      // Of a connector: not the user's own.
      'Password: new-password',
    ])
  })
}
