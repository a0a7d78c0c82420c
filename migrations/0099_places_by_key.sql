-- For each record that is written its place is looked up by key. `not exists` let PostgreSQL join the written rows to all places there are: after
-- a batch had made the table larger than the plan knew, every write of a few records read all of it. The setting stands here because a session
-- keeps the plan of its first call, which may be from when the table was nearly empty.
-- decisions/0064-few-rows-by-key.md
create or replace function place_change() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into public.record_change (organization_id, record_type, id, at, version)
    select distinct on (w.organization_id, w.id) w.organization_id, tg_argv[0], w.id, w.updated_at, w.version from written w
    where coalesce((
      select c.version from public.record_change c
      where c.organization_id = w.organization_id and c.record_type = tg_argv[0] and c.id = w.id
    ), 0) < w.version
    order by w.organization_id, w.id, w.version desc
  on conflict (organization_id, record_type, id) do update set at = excluded.at, version = excluded.version
    where record_change.version < excluded.version;
  return null;
end $$;
