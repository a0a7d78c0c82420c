-- A process of a release before 0067 that still runs beside a newer one writes a version without its place in the change feed, and the feed would
-- pass the record over for ever. Its place is made here. A newer process has written it by the same statement, and nothing is left to do.
-- decisions/0036-updates-touch-what-changed.md
create function place_change() returns trigger language plpgsql as $$
begin
  insert into public.record_change (organization_id, record_type, id, at, version)
    select distinct on (w.organization_id, w.id) w.organization_id, tg_argv[0], w.id, w.updated_at, w.version from written w
    where not exists (
      select from public.record_change c
      where c.organization_id = w.organization_id and c.record_type = tg_argv[0] and c.id = w.id and c.version >= w.version
    )
    order by w.organization_id, w.id, w.version desc
  on conflict (organization_id, record_type, id) do update set at = excluded.at, version = excluded.version
    where record_change.version < excluded.version;
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['appointment', 'coverage', 'eligibility_recommendation', 'image', 'metadata_schema', 'note',
    'organization_external_provider', 'patient', 'patient_merge', 'tag'] loop
    execute format(
      'create trigger %1$I after insert on public.%2$I referencing new table as written for each statement execute function place_change(%3$L)',
      name || '_history_places_change', name || '_history', name
    );
  end loop;
end $$;

-- What was written between 0067 and here.
insert into record_change (organization_id, record_type, id, at, version)
  select w.organization_id, w.record_type, w.id, w.updated_at, w.version
  from (
    select 'appointment' as record_type, organization_id, id, updated_at, version from appointment
    union all select 'coverage' as record_type, organization_id, id, updated_at, version from coverage
    union all select 'eligibility_recommendation' as record_type, organization_id, id, updated_at, version from eligibility_recommendation
    union all select 'image' as record_type, organization_id, id, updated_at, version from image
    union all select 'metadata_schema' as record_type, organization_id, id, updated_at, version from metadata_schema
    union all select 'note' as record_type, organization_id, id, updated_at, version from note
    union all select 'organization_external_provider' as record_type, organization_id, id, updated_at, version from organization_external_provider
    union all select 'patient' as record_type, organization_id, id, updated_at, version from patient
    union all select 'patient_merge' as record_type, organization_id, id, updated_at, version from patient_merge
    union all select 'tag' as record_type, organization_id, id, updated_at, version from tag
  ) w
  where not exists (
    select from record_change c
    where c.organization_id = w.organization_id and c.record_type = w.record_type and c.id = w.id and c.version >= w.version
  )
on conflict (organization_id, record_type, id) do update set at = excluded.at, version = excluded.version;
