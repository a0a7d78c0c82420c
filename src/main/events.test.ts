import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RECORD_VERBS } from '../contract/event-verbs.ts'
import { packageFile } from '../platform/package-root.ts'
import { eventTypes } from './events.ts'

const guide = readFileSync(packageFile('docs/events.md'), 'utf8')
/** The rows of the table of types, without the columns' names. */
const rows = [...guide.matchAll(/^\| (`.*`) \| (.*) \|$/gm)].map(([, types = '', when = '']) => ({ types, when }))
const quoted = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

describe('the guide to events', () => {
  it('names every record that has events, and what can happen to it, and no other', () => {
    const ofRecords = rows.find(({ types }) => types.startsWith('`<record>.'))
    const records = eventTypes.subjects.filter(({ record }) => record).map(({ name }) => name)
    expect(records.length).toBeGreaterThan(5)
    expect(quoted(ofRecords?.types).map((type) => type.replace(/^.*\./, ''))).toEqual([...RECORD_VERBS])
    expect(quoted(ofRecords?.when.split('Records: ')[1])).toEqual(records.toSorted())
  })

  it('names every other type of event, and no other', () => {
    const others = eventTypes.subjects.filter(({ record }) => !record)
    const types = others.flatMap(({ name, verbs }) => verbs.map((verb) => `${name}.${verb}`))
    expect(types.length).toBeGreaterThan(3)
    const named = rows.flatMap((row) => quoted(row.types).filter((type) => /^[a-z_]+\.[a-z_]+$/.test(type)))
    expect(named.toSorted()).toEqual(types.toSorted())
  })
})

it('the types of events that the database stores itself exist', () => {
  const schema = readFileSync(packageFile('schema.sql'), 'utf8')
  const functions = [...schema.matchAll(/insert into public\.event_pending[\s\S]*?;/g)].map(([text]) => text)
  const stored = functions.flatMap((text) => [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, type = '']) => type))
  expect(stored.length).toBeGreaterThan(0)
  expect(stored.filter((type) => !eventTypes.names.includes(type))).toEqual([])
})
