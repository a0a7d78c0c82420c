// Rules for every screen of the console, present and future.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeMaterials } from '../../scripts/sbom.ts'
import { packageFile } from '../../src/platform/package-root.ts'

const folder = packageFile('console')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(tsx?|html|css)$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const offending = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

describe('the console', () => {
  it('renders data as text only: no source turns a string into HTML or code', () => {
    expect(sources.length).toBeGreaterThan(20)
    const makesHtml =
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc/i
    expect(offending(makesHtml)).toEqual([])
  })

  it('loads nothing from another host, so that it works on a network without internet', () => {
    expect(offending(/["'(`](https?:)?\/\/(?!127\.0\.0\.1)[a-z0-9]/i)).toEqual([])
  })

  it('has no inline script, which its content security policy would refuse', () => {
    expect(offending(/<script(?![^>]*\bsrc=)|\son[a-z]+="/)).toEqual([])
  })

  it('has each screen of its routes among those that are looked at for accessibility and stored scripts', () => {
    const router = readFileSync(join(folder, 'src', 'router.tsx'), 'utf8')
    const looked = readFileSync(packageFile('test/console/every-screen.ts'), 'utf8')
    // The others lead to one of these.
    const routes = router.split('createRoute(').filter((text) => text.includes('lazyRouteComponent('))
    const paths = routes.flatMap((text) => /\bat\('\/([^']+)'\)/.exec(text)?.[1] ?? [])
    expect(paths.length).toBeGreaterThan(8)
    const isLookedAt = (path: string) =>
      new RegExp(`=> ['\`]${path.replaceAll(/\$\w+/g, () => '\\$\\{[^}]+\\}')}(?:\\?[^'\`]*)?['\`]`).test(looked)
    expect(paths.filter((path) => !isLookedAt(path))).toEqual([])
  })

  it('uses only libraries in the bill of materials', () => {
    const named = new Set(describeMaterials().components.map(({ name }) => name))
    const imported = sources.flatMap(({ text }) =>
      [...text.matchAll(/from '((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name),
    )
    const forBuilding = new Set(['vite', '@vitejs/plugin-react', 'node'])
    const libraries = new Set(imported.filter((name) => name !== undefined && !forBuilding.has(name)))
    expect(libraries.size).toBeGreaterThan(3)
    expect([...libraries].filter((name) => !named.has(name as string))).toEqual([])
  })
})
