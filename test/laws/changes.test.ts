// changes/ is what release notes are made of: one file for each change.
import { readdirSync, readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'

const KINDS = ['added', 'changed', 'fixed', 'removed', 'security']

function readNote(name: string): unknown {
  try {
    return parseYaml(readFileSync(packageFile('changes', name), 'utf8'))
  } catch (error) {
    return error
  }
}

it('every file of changes/ has a number, a kind and a text, as YAML that any program reads', () => {
  const names = readdirSync(packageFile('changes'))
  const faulty = names.filter((name) => {
    const { kind, text, ...rest } = readNote(name) as { kind?: string; text?: string }
    const isNote = KINDS.includes(kind ?? '') && typeof text === 'string' && text.trim() !== ''
    return !isNote || Object.keys(rest).length > 0 || !/^\d{4}-[a-z0-9-]+\.yaml$/.test(name)
  })
  expect(faulty).toEqual([])
  expect(names.length).toBeGreaterThan(500)
})
