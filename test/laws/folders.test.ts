// A newcomer finds the place of anything: every folder of src has a row in src/README.md that says what belongs there.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'

const folders = readdirSync(packageFile('src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(packageFile('src').length + 1))
const rows = readFileSync(packageFile('src', 'README.md'), 'utf8').matchAll(/^\| `([^`]+)` \| (.*?) \|/gm)
const described = new Map(Array.from(rows, ([, folder = '', belongs = '']) => [folder, belongs]))

it('every folder under src says what belongs in it, and no row is left of a folder that is gone', () => {
  expect([...described.keys()].sort()).toEqual(folders.sort())
  for (const [folder, belongs] of described) expect(belongs.length, folder).toBeGreaterThan(3)
})
