-- How many records there are, kept by the write that ticks the clock anyway: a first page that counts everything reads one row.
-- `total` counts every record, `live` those that are not deactivated.
alter table change_clock
  add column total bigint not null default 0,
  add column live  bigint not null default 0;

-- The lock of `alter table` has waited for whoever held a clock, so what they wrote is counted here.
update change_clock set total = counted.total, live = counted.live
from (
  select organization_id, 'appointment' as record_type, count(*) as total, count(*) filter (where not deactivated) as live
    from appointment group by 1
  union all select organization_id, 'coverage', count(*), count(*) filter (where not deactivated) from coverage group by 1
  union all select organization_id, 'image', count(*), count(*) filter (where not deactivated) from image group by 1
  union all select organization_id, 'metadata_schema', count(*), count(*) filter (where not deactivated) from metadata_schema group by 1
  union all select organization_id, 'note', count(*), count(*) filter (where not deactivated) from note group by 1
  union all select organization_id, 'organization_external_provider', count(*), count(*) filter (where not deactivated)
    from organization_external_provider group by 1
  union all select organization_id, 'patient', count(*), count(*) filter (where not deactivated) from patient group by 1
  union all select organization_id, 'patient_merge', count(*), count(*) filter (where not deactivated) from patient_merge group by 1
  union all select organization_id, 'tag', count(*), count(*) filter (where not deactivated) from tag group by 1
) counted
where change_clock.organization_id = counted.organization_id and change_clock.record_type = counted.record_type;
