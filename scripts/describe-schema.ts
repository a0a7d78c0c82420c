import type { Database } from '../src/platform/database/database.ts'

const COLUMNS = `
  select c.relname, string_agg(
    '  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation else '' end
      || case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
              when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
      || case when a.attnotnull then ' not null' else '' end, E',\\n' order by a.attnum)
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  group by c.relname order by c.relname`

const CONSTRAINTS = `
  select 'alter table ' || conrelid::regclass || ' add constraint ' || conname || ' ' || pg_get_constraintdef(oid) || ';'
  from pg_constraint
  where connamespace = 'public'::regnamespace and contype <> 'n' order by conrelid::regclass::text, conname`

const INDEXES = `
  select i.indexdef || ';' from pg_indexes i
  where i.schemaname = 'public'
    and not exists (select from pg_constraint c where c.conname = i.indexname and c.connamespace = 'public'::regnamespace)
  order by i.tablename, i.indexname`

const SEQUENCES = `
  select 'create sequence ' || sequencename || ' as ' || data_type || ' minvalue ' || min_value || ' maxvalue ' || max_value
    || case when cycle then ' cycle' else '' end || ';'
  from pg_sequences where schemaname = 'public' order by sequencename`

const EXTENSIONS = `select 'create extension ' || extname || ';' from pg_extension where extname <> 'plpgsql' order by extname`

/** Tenant isolation in the database: decisions/0011-row-level-security.md. */
const ROW_LEVEL_SECURITY = `
  select format('alter table %I enable row level security;', relname) from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity
  union all
  select format('create policy %I on %I to %s using (%s);', policyname, tablename, array_to_string(roles, ', '), qual) from pg_policies
    where schemaname = 'public'
  union all
  select format('create view %s as select %s from %I %s;', c.oid::regclass,
      case when (select array_agg(attname order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0)
        = (select array_agg(attname order by attnum) from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped)
        then '*' else '(other columns)' end,
      c.relname, 'where' || regexp_replace(split_part(pg_get_viewdef(c.oid), 'WHERE', 2), ';.*', '') || ' ' || array_to_string(c.reloptions, ' '))
    from pg_class c join pg_class t on t.relname = c.relname and t.relnamespace = 'public'::regnamespace
    where c.relnamespace = 'walled'::regnamespace
  union all
  select format('grant %s on %s to %s;', string_agg(lower(privilege_type), ', ' order by privilege_type), object, grantee) from (
      select table_schema || '.' || table_name as object, privilege_type, grantee from information_schema.role_table_grants
      union all select object_schema || '.' || object_name, privilege_type, grantee from information_schema.role_usage_grants
    ) granted where grantee = 'anteroom_app' group by object, grantee
  order by 1`

/** Our own functions, without those of extensions. */
const FUNCTIONS = `
  select btrim(pg_get_functiondef(p.oid)) || ';' from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
  order by p.proname`

/** The complete schema as one readable text, independent of the order of the migrations. */
export async function describeSchema(database: Database): Promise<string> {
  const lines = async (sql: string) => (await database.rows(sql)).map(([line]) => line)
  const tables = (await database.rows(COLUMNS)).map(([name, columns]) => `create table ${name} (\n${columns}\n);\n`)
  const part = async (sql: string) => `${(await lines(sql)).join('\n')}\n`
  const before = [await part(EXTENSIONS), await part(FUNCTIONS)]
  const after = [await part(SEQUENCES), await part(CONSTRAINTS), await part(INDEXES), await part(ROW_LEVEL_SECURITY)]
  return ['-- Generated from migrations/ by npm run generate. Do not edit.\n', ...before, ...tables, ...after].join(
    '\n',
  )
}
