import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Target size (2.5.8) must be enabled by name. Source: WCAG 2.2 A and AA. */
const ALL = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
}
/** The rules that look at colors: the rest is the same in both themes. */
const COLORS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** The violations that axe finds, by rule, with the first place of each. `within`: a selector of the part to look at. */
export async function faultsOf(page: Page, { colorsOnly = false, within = 'html' } = {}): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe)
  // Without style sheets read once more, for a rule that is not among these.
  const options = { ...(colorsOnly ? COLORS : ALL), resultTypes: ['violations'], preload: false }
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as { id: string; nodes: { target: string[]; failureSummary: string }[] }[]
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')} (${nodes.length}) ${nodes[0]?.failureSummary}`,
  )
}
