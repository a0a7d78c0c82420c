// Tenant isolation in the schema, which also allows distribution by organization (design.md, "Data model").
import { expect, it } from 'vitest'
import { testService } from '../support/service.ts'

const service = testService()

/** Tables that are read before the organization is known, or that belong to no organization. */
const exempt: Record<string, string> = {
  organization: 'it is the organization',
  client: 'a token request knows a client id only',
  signing_key: 'one set of keys signs for all organizations',
  call_window: 'a token request has no organization yet',
  audit_key: 'one key, encrypted, chains the trails of all organizations',
  encryption_key: 'the fingerprints of the keys of the whole database',
  payer: 'all organizations share the list of payers',
  payer_directory: 'the version of that list, one row',
  replica_beat: 'one row, by which a standby shows that it follows its primary',
  migration: 'the state of the schema itself',
}

/** Indexes of tables that start with organization_id. */
const exemptIndexes: Record<string, string> = {
  user_account_username_unique: 'a sign-in names no organization',
}

it('every table starts with organization_id, except those that are read before it is known', async () => {
  const tables = await service.database.rows(
    `select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  expect(tables.length).toBeGreaterThan(Object.keys(exempt).length)
  expect(tables.filter(([table, first]) => first !== 'organization_id' && !exempt[table ?? ''])).toEqual([])
  const names = tables.map(([table]) => table)
  expect(Object.keys(exempt).filter((table) => !names.includes(table))).toEqual([])
})

it('every primary key, unique index and index carries organization_id first', async () => {
  const keys = await service.database.rows(
    `select t.relname, i.relname, coalesce(a.attname, '(expression)') from pg_index x
      join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
    where t.relnamespace = 'public'::regnamespace order by 1, 2`,
  )
  const isExempt = ([table = '', index = '']: string[]) => exempt[table] ?? exemptIndexes[index]
  expect(keys.filter((key) => key[2] !== 'organization_id' && !isExempt(key))).toEqual([])
})

it('every table has a primary key', async () => {
  const rows = await service.database.rows(
    `select relname from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conrelid = c.oid and contype = 'p')`,
  )
  expect(rows).toEqual([])
})

it('every foreign key refers within one organization', async () => {
  const keys = await service.database.rows(
    `select conname, a.attname, r.relname, b.attname from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
      join pg_class r on r.oid = c.confrelid
    where contype = 'f' and c.connamespace = 'public'::regnamespace order by 1`,
  )
  expect(keys.length).toBeGreaterThan(0)
  const refersWithin = ([, from, table, to]: string[]) =>
    from === 'organization_id' && (to === 'organization_id' || (table === 'organization' && to === 'id'))
  expect(keys.filter((key) => !refersWithin(key))).toEqual([])
})

// Row-level security in the database: decisions/0011-row-level-security.md.
it("every table that holds an organization's data has row-level security enabled, a policy and a view with the same columns", async () => {
  const tables = await service.database.rows(
    `select t.relname, t.relrowsecurity, p.roles::text, p.cmd, coalesce(p.with_check, 'as read'), p.permissive,
      (select array_agg(attname order by attname) from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped)
        = (select array_agg(attname order by attname) from pg_attribute where attrelid = v.oid and attnum > 0),
      v.reloptions::text,
      replace(p.qual, a.attname, 'owner') = replace(substring(pg_get_viewdef(v.oid) from 'WHERE (.*);'), a.attname, 'owner')
    from pg_class t join pg_attribute a on a.attrelid = t.oid
      and a.attname = case t.relname when 'organization' then 'id' else 'organization_id' end
      left join pg_policies p on p.schemaname = 'public' and p.tablename = t.relname
      left join pg_class v on v.relname = t.relname and v.relnamespace = to_regnamespace('walled')
    where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace order by 1`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const [table, ...security] of tables) {
    const whole = ['t', '{anteroom_app}', 'ALL', 'as read', 'PERMISSIVE', 't', '{check_option=cascaded}', 't']
    expect(security, table).toEqual(whole)
  }
})

it("the application's role owns nothing, bypasses no policy, and reads little outside organizations", async () => {
  const role = await service.database.row(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin,
      exists (select from pg_shdepend where refobjid = r.oid and deptype = 'o')
    from pg_roles r where rolname = 'anteroom_app'`,
  )
  expect(role).toEqual(['f', 'f', 'f', 'f', 'f'])
  const rights = await service.database.rows(
    `select table_name, string_agg(privilege_type, ', ' order by privilege_type) from information_schema.role_table_grants g
    where grantee = 'anteroom_app' and table_schema = 'public' and not exists (
      select from information_schema.columns c where c.table_name = g.table_name and c.column_name = 'organization_id')
    group by 1 order by 1`,
  )
  expect(rights).toEqual([
    ['migration', 'SELECT'],
    ['organization', 'SELECT'],
    ['payer', 'SELECT'],
    ['payer_directory', 'SELECT'],
    ['replica_beat', 'SELECT'],
  ])
})
