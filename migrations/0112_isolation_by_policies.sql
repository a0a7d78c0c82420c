-- A table that Citus has distributed has no restricted view, because Citus does not write through views: the policy isolates organizations
-- alone there. On every other table all is as before. decisions/0085-a-distributed-database.md
create or replace function build_tenant_wall() returns void language plpgsql as $$
declare
  tenant record;
  condition text;
  distributed regclass[] := '{}';
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select coalesce(array_agg(logicalrelid), $1) from pg_catalog.pg_dist_partition' into distributed using distributed;
  end if;
  for tenant in
    select c.relname as base, c.relrowsecurity as has_security, a.attname as key, rights_behind_wall(c.relname) as rights,
      (select array_agg((attname, atttypid, atttypmod, attcollation)::text order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped)
      is not distinct from
      (select array_agg((attname, atttypid, atttypmod, attcollation)::text order by attnum)
        from pg_attribute where attrelid = to_regclass(format('walled.%I', c.relname)) and attnum > 0 and not attisdropped)
      as has_view,
      c.oid = any(distributed) as is_distributed
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
    if tenant.is_distributed then
      execute format('drop view if exists walled.%I', tenant.base);
      execute format('grant %s on public.%I to anteroom_app', tenant.rights, tenant.base);
      continue;
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
