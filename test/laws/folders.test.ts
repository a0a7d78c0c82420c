// Every folder of src has a row in src/README.md that describes what belongs there, no two files import each other, and every decision that is named exists.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'

const folders = readdirSync(packageFile('src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(packageFile('src').length + 1))
const rows = readFileSync(packageFile('src', 'README.md'), 'utf8').matchAll(/^\| `([^`]+)` \| (.*?) \|/gm)
const described = new Map(Array.from(rows, ([, folder = '', belongs = '']) => [folder, belongs]))

it('every folder under src has a row, and every row has a folder', () => {
  expect([...described.keys()].sort()).toEqual(folders.sort())
  for (const [folder, belongs] of described) expect(belongs.length, folder).toBeGreaterThan(3)
})

/** The files that each file imports or exports from, types as well. What `import()` loads is loaded later. */
function importsOf(folder: string): Map<string, string[]> {
  const files = readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|tsx?)$/.test(name))
    .map((name) => packageFile(folder, name))
  const imported = (file: string) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/(?:\bfrom|^import) '(\.[^']+)'/gm), ([, path = '']) =>
      join(dirname(file), path),
    )
  return new Map(files.map((file) => [file, imported(file)]))
}

/** The files of the first circle that is found, in the order in which they import each other. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const follow = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const next of imports.get(file) ?? []) {
      const circle = follow(next, [...path, file])
      if (circle.length > 0) return circle
    }
    done.add(file)
    return []
  }
  for (const file of imports.keys()) {
    const circle = follow(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

it('no two files import each other, directly or by way of others, not even for types', () => {
  const imports = new Map(
    ['bench', 'bin', 'console', 'scripts', 'src', 'test'].flatMap((folder) => [...importsOf(folder)]),
  )
  expect(imports.get(packageFile('test', 'laws', 'folders.test.ts'))).toEqual([
    packageFile('src', 'platform', 'package-root.ts'),
  ])
  expect(findCircle(imports).map((file) => relative(packageFile(), file))).toEqual([])
})

it.each([
  [{ a: ['b'], b: ['a'] }, ['a', 'b', 'a']],
  [{ a: ['a'] }, ['a', 'a']],
  [{ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['c'] }, ['d', 'c', 'd']],
  [{ a: ['b', 'c'], b: ['c'], c: ['elsewhere'] }, []],
])('the law finds a circle of imports: %o', (imports, circle) => {
  expect(findCircle(new Map(Object.entries(imports as Record<string, string[]>)))).toEqual(circle)
})

it('a comment or a text that names a decision names one that exists', () => {
  const folders = ['bench', 'bin', 'console', 'decisions', 'docs', 'scripts', 'src', 'test']
  const files = [
    ...folders.flatMap((folder) =>
      readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    ),
    ...readdirSync(packageFile()),
  ].filter((name) => /\.(?:md|js|tsx?|css|sql)$/.test(name) && !name.includes('node_modules'))
  const known = new Set(readdirSync(packageFile('decisions')))
  const named = files.flatMap((file) => {
    const path = file.startsWith('decisions')
      ? /(?:decisions\/|\]\()(\d{4}-[a-z0-9-]+\.md)/g
      : /decisions\/(\d{4}-[a-z0-9-]+\.md)/g
    return Array.from(readFileSync(packageFile(file), 'utf8').matchAll(path), ([, name = '']) => ({ file, name }))
  })
  expect(named.length).toBeGreaterThan(300)
  expect(named.filter(({ name }) => !known.has(name))).toEqual([])
})
