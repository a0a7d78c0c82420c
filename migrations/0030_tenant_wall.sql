-- The second wall between organizations: decisions/0011-tenant-wall.md. The first is the `where` of every statement.
-- The service's own connections act as anteroom_app, which owns nothing; src/database/tenant-wall.ts makes the role before the migrations
-- run and tells each connection whose statement follows.
create schema walled;

-- What the service's role may do behind the wall, by table: a later migration with a table that is added to and never changed replaces
-- this function alone.
create function rights_behind_wall(base name) returns text language sql immutable as $$
  select case
    when base ~ '_history$' or base = 'timeline_event' then 'select, insert'
    when base in ('organization', 'app_user', 'client') then 'select'
    else 'select, insert, update, delete' end
$$;

-- Called after every migration, so that a table that is added later stands behind the wall, too. A migration that changes or drops
-- a column begins with dropping the view of its table; it comes back by this.
--
-- Two bricks of the same clay. The policy holds for whoever names the table itself. The view carries the same condition, but where the
-- planner may join it with the others: behind a policy only leakproof conditions reach an index, and ->>, lower, like and % are none.
-- Source: PostgreSQL manual, 39.5 "Rules and Privileges" (security barriers), 5.9 "Row Security Policies".
create function build_tenant_wall() returns void language plpgsql as $$
declare
  tenant record;
  condition text;
begin
  for tenant in
    select c.relname as base, c.relrowsecurity as has_security, a.attname as key, rights_behind_wall(c.relname) as rights
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname = case c.relname when 'organization' then 'id' else 'organization_id' end
    order by c.relname
  loop
    condition := format($wall$%I = nullif(current_setting('anteroom.organization', true), '')::uuid$wall$, tenant.key);
    if not tenant.has_security then
      execute format('alter table public.%I enable row level security', tenant.base);
      execute format('create policy one_organization on public.%I to anteroom_app using (%s)', tenant.base, condition);
    end if;
    execute format('drop view if exists walled.%I', tenant.base);
    execute format('create view walled.%I as select * from public.%1$I where %s with check option', tenant.base, condition);
    execute format('grant %s on public.%I, walled.%2$I to anteroom_app', tenant.rights, tenant.base);
  end loop;
end
$$;

grant usage on schema walled to anteroom_app;
grant select on migration, payer, payer_directory to anteroom_app;
grant usage on sequence interchange_control_number to anteroom_app;
