// An upgrade without a failed request: processes of the previous release serve while another one migrates, so a
// migration may only add. Replaced objects are removed by a later migration, which states since when they are unused.
// decisions/0063-upgrades.md
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'
import { contractingStatements } from '../support/contracting-statements.ts'

const names = readdirSync(packageFile('migrations')).sort()
const texts = names.map((name) => readFileSync(packageFile('migrations', name), 'utf8'))

/**
 * Removed in the release that stopped using them, before this rule existed: an upgrade over these needs the old
 * processes stopped.
 */
const BEFORE_THE_LAW = [
  '0019_eligibility_check_lists.sql',
  '0020_check_queue.sql',
  '0028_list_indexes_without_bodies.sql',
  '0042_answers_kept_once.sql',
  '0046_text_beyond_ascii.sql',
  '0047_tag_values_used_again.sql',
  // The same unique indexes, on generated columns.
  '0068_searched_columns.sql',
]

/** `-- Unused since 0123_what_replaced_it.sql: …` */
const unusedSince = (text: string) => /^-- Unused since (\d{4}_\w+\.sql): \S/m.exec(text)?.[1]

it.each(names.map((name, index) => [name, index] as const))(
  '%s removes nothing that a process of the previous release may use',
  async (name, index) => {
    const faults = await contractingStatements(texts[index] ?? '', texts.slice(0, index))
    const since = unusedSince(texts[index] ?? '')
    // The replacement must be from an earlier release: one of the same release would be applied in the same start.
    if (since !== undefined) expect(names.slice(0, index), `${name} names a migration before it`).toContain(since)
    if (BEFORE_THE_LAW.includes(name)) expect(faults).not.toEqual([])
    else expect(since === undefined ? faults : []).toEqual([])
  },
)

it.each([
  ['drop table note', 'drops a table: note'],
  ['drop table if exists public.note cascade', 'drops a table: public.note'],
  ['alter table note drop column body', 'drops a column: note.body'],
  ['alter table note rename column body to text', 'renames: note.body to text'],
  ['alter table note rename to remark', 'renames: note to remark'],
  ['alter table note rename constraint a to b', 'renames: note.a to b'],
  ['alter table note alter column version type bigint', 'changes the type of a column: note.version'],
  ['alter table note alter version set not null', 'makes a column required: note.version'],
  ['alter table note alter version drop default', 'drops a default: note.version'],
  ['alter table note add column text text not null', 'adds a required column: note.text'],
  ['alter table note add constraint short check (length(text) < 5)', 'adds a constraint: note.short'],
  ['alter table note drop constraint note_pkey', 'drops a constraint: note.note_pkey'],
  ['create unique index note_text on note (text)', 'makes values unique: note_text'],
  ['drop view note_view', 'drops a view: note_view'],
  ['drop function place_change()', 'drops a function: place_change'],
  ['drop trigger a on note', 'drops a trigger: note.a'],
  ["do $$ begin execute format('drop table %I', 'note'); end $$", 'may remove something in a DO block'],
])('the law finds: %s', async (sql, fault) => {
  expect(await contractingStatements(sql)).toEqual([fault])
})

it('the law finds the removal of a unique index from an earlier migration', async () => {
  expect(await contractingStatements('drop index a', ['create unique index a on note (id)'])).toEqual([
    'drops a unique index: a',
  ])
})

it.each([
  'create table remark (id uuid not null primary key); create unique index remark_id on remark (id); alter table remark add constraint a check (id is not null)',
  'alter table note add column text text',
  "alter table note add column text text not null default ''",
  'alter table note alter version drop not null',
  'alter table note alter version set default 1',
  'create index note_text on note (text)',
  'drop index note_text',
  'drop view walled.note',
  'create or replace function f() returns int language sql as $$ select 1 $$',
  "update note set text = 'drop table'",
])('the law permits: %s', async (sql) => {
  expect(await contractingStatements(sql)).toEqual([])
})
