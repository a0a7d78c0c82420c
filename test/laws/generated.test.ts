// The generated files of the repository: the description of the interface, the schema and parts of the guide.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generatedFiles } from '../../scripts/generated-files.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { cloneDatabase } from '../support/database.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone?.drop())

it.each(Object.entries(generatedFiles))('%s is up to date', async (name, generate) => {
  const wanted = await generate(clone.database.systemDatabase)
  expect(wanted.length).toBeGreaterThan(1000)
  expect((await readFile(packageFile(name), 'utf8')) === wanted, 'it is not: npm run generate').toBe(true)
})
