// Tests hold on a machine that is many times slower. decisions/0241-tests-hold-at-every-seed-and-speed.md
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'

const tests = ['src', 'test', 'console/src'].flatMap((folder) =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|journeys)\.ts$/.test(name) || folder === 'test')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(packageFile(folder, name), 'utf8') })),
)

/** The arguments of the call whose parenthesis is at this place. */
function argumentsAt(text: string, open: number): string[] {
  const found = ['']
  for (let depth = 0, at = open; at < text.length; at++) {
    const letter = text[at] as string
    if ('([{'.includes(letter)) depth += 1
    if (')]}'.includes(letter)) depth -= 1
    if (depth === 0) break
    if (depth === 1 && letter === ',') found.push('')
    else found[found.length - 1] += letter
  }
  return found.filter((each) => each.trim() !== '')
}

it('no test waits for a result for a second only: vi.waitFor is given a limit, which by default is that', () => {
  const calls = tests.flatMap(({ name, text }) =>
    [...text.matchAll(/\bvi\.waitFor(?=\()/g)].map(({ 0: call, index }) => ({
      name,
      given: argumentsAt(text, index + call.length),
    })),
  )
  expect(calls.length).toBeGreaterThan(10)
  expect(calls.filter(({ given }) => given.length < 2).map(({ name }) => name)).toEqual([])
})
