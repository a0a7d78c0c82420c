-- A migration dropped and made anew the restricted views of all tables, so it locked everything that processes of the release before were using, and
-- their transactions met it in deadlocks. A view is made anew only where its table has other columns than it has. decisions/0063-upgrades.md
create or replace function build_tenant_wall() returns void language plpgsql as $$
declare
  tenant record;
  condition text;
begin
  for tenant in
    select c.relname as base, c.relrowsecurity as has_security, a.attname as key, rights_behind_wall(c.relname) as rights,
      (select array_agg((attname, atttypid, atttypmod, attcollation)::text order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped)
      is not distinct from
      (select array_agg((attname, atttypid, atttypmod, attcollation)::text order by attnum)
        from pg_attribute where attrelid = to_regclass(format('walled.%I', c.relname)) and attnum > 0 and not attisdropped)
      as has_view
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
    if not tenant.has_view then
      execute format('drop view if exists walled.%I', tenant.base);
      execute format('create view walled.%I as select * from public.%1$I where %s with check option', tenant.base, condition);
    end if;
    -- A view that stays must lose the rights that are not given any more; a new one has none.
    execute format('revoke all on walled.%I from anteroom_app', tenant.base);
    execute format('grant %s on public.%I, walled.%2$I to anteroom_app', tenant.rights, tenant.base);
  end loop;
end
$$;
