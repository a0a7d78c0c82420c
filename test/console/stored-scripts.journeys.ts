// Texts of users and payers that hold scripts, markup, styles and addresses, on every screen of the console.
import { expect, it } from 'vitest'
import { screensOf } from './every-screen.ts'
import { type Site, settle, signIn } from './site.ts'

/** Runs, or fetches, whatever is rendered as markup, in an attribute, in a script or in a style sheet. */
const MARK = ` "'><img src=//evil.test/i onerror=ran=1><svg onload=ran=1></script><script>ran=1</script><style>@import '//evil.test/c'</style>`

/** What came into the page as more than a text. */
const FOREIGN = `[...document.querySelectorAll('[onerror], [onload], iframe, object, embed, img[src*="evil"], a, area, form')]
  .filter((each) => !each.matches('a, area, form') || /^(?:javascript|data|vbscript):|evil/i.test(each.href ?? each.action))
  .map((each) => each.outerHTML)`

export function storedScriptsJourneys(site: Site): void {
  it('runs and fetches nothing that a name, a note, a tag, a file name, an address or an answer of a payer holds, on any screen', async () => {
    const { screens, prepare } = screensOf(site, MARK)
    const chief = await prepare()
    const { page, faults } = await site.open()
    const fetched: string[] = []
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== site.url && protocol !== 'data:' && protocol !== 'blob:') fetched.push(request.url())
    })
    page.on('dialog', (dialog) => fetched.push(dialog.message()))
    await page.addInitScript(`globalThis.violations = []
      document.addEventListener('securitypolicyviolation', (each) => violations.push(each.violatedDirective + ' ' + each.blockedURI))`)
    await signIn(page, chief)
    const found: Record<string, unknown> = {}
    const shown = new Set<string>()
    for (const { name, show } of screens) {
      await show(page)
      await settle(page)
      const [ran, violations, foreign, text] = await page.evaluate<[unknown, unknown[], unknown[], string]>(
        `[typeof ran, violations.splice(0), ${FOREIGN}, document.body.innerText]`,
      )
      if (ran !== 'undefined' || violations.length > 0 || foreign.length > 0) found[name] = { ran, violations, foreign }
      if (text.includes('onerror=ran=1')) shown.add(name)
    }
    expect(found).toEqual({})
    expect(fetched).toEqual([])
    expect(faults).toEqual([])
    // Where the texts of users and payers are read, they were there.
    expect([...shown]).toEqual(
      expect.arrayContaining([
        'today',
        'visit',
        'patient',
        'patient-notes',
        'response',
        'admin-people',
        'admin-webhooks',
        'merge-sides',
      ]),
    )
  })
}
