// Every folder of src has a row in src/README.md that describes what belongs there.
import { readdirSync, readFileSync } from 'node:fs'
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
