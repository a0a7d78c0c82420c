// changes/ is what release notes are made of: one file for each change.
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readChange, releaseNotes } from '../../scripts/release-notes.ts'
import { packageFile } from '../../src/platform/package-root.ts'

const names = readdirSync(packageFile('changes')).sort()

it('every file of changes/ has a number, a kind and a text, as YAML that any program reads', () => {
  const faults = names.flatMap((name) => {
    try {
      readChange(name)
      return []
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })
  expect(faults).toEqual([])
  expect(names.length).toBeGreaterThan(500)
})

it('release notes have every change once, by kind, those of security first', () => {
  const notes = releaseNotes(names)
  expect([...notes.matchAll(/ \((\d{4})\)$/gm)].map(([, number]) => number).sort()).toEqual(
    names.map((name) => name.slice(0, 4)),
  )
  expect([...notes.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
    'Security',
    'Removed',
    'Changed',
    'Added',
    'Fixed',
  ])
})
