// What statements ask PostgreSQL to print. decisions/0143-what-a-page-costs.md
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { buildGroupStatements } from './group-statements.ts'
import { defineRecord } from './record.ts'
import { buildStatements } from './statements.ts'

const declared = {
  label: 'Note',
  mutable: Type.Object({ value: Type.String() }),
  example: { value: 'x' },
  pathVersions: {},
  patients: 'none' as const,
}
const dated = defineRecord({ ...declared, name: 'note', shows: ['created_at'] })
const undated = defineRecord({ ...declared, name: 'tag' })

const shownBy = (record: typeof dated | typeof undated) =>
  Object.values({ ...buildStatements(record), ...buildGroupStatements(record) }).map(
    ({ text }) => /.*\bselect (\w+\.id, [^;]*?\.body\S*)/s.exec(text)?.[1] ?? text,
  )

it('writes a body once, and the time of creation only for records that show it', () => {
  for (const shown of shownBy(dated)) expect(shown).toMatch(/\.created_at, \w+\.body$/)
  for (const shown of shownBy(undated)) expect(shown).toMatch(/ null, \w+\.body$/)
})
