import { expect, it } from 'vitest'
import { statementsOf } from './statements-of.ts'

it.each([
  ['a semicolon between statements alone', 'select 1; select 2;\n', ['select 1', 'select 2']],
  ['a string', `select 'a;b', 'it''s;'; select 2`, [`select 'a;b', 'it''s;'`, 'select 2']],
  ['a string with escapes', String.raw`select E'\';', e'\\'; select 2`, [String.raw`select E'\';', e'\\'`, 'select 2']],
  ['a name', 'select 1 as "a;""b"; select 2', ['select 1 as "a;""b"', 'select 2']],
  ['a comment', '-- a; b\nselect 1; /* c; */ select 2 -- d;', ['-- a; b\nselect 1', '/* c; */ select 2 -- d;']],
  [
    'a body',
    'do $$ begin; end $$; do $a$ $$;$$ $a$; select $1',
    ['do $$ begin; end $$', 'do $a$ $$;$$ $a$', 'select $1'],
  ],
  ['comments at the end', 'select 1;\n-- the end\n', ['select 1']],
])('statements are separated, and not within %s', (_, sql, statements) => {
  expect(statementsOf(sql)).toEqual(statements)
})
