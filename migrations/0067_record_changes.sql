-- Where each record stands in the change feed: one narrow row a record, written by the statement that writes its version. The cursor was an
-- index on the record's own table, so every update had to enter a wide row into all indexes of that table anew.
-- decisions/0036-updates-touch-what-changed.md
create table record_change (
  organization_id uuid not null,
  record_type     text not null,
  id              uuid not null,
  at              timestamptz(3) not null,
  version         integer not null,
  primary key (organization_id, record_type, id)
);

-- Whoever holds a clock is writing a version: its stamp must be here as well.
lock table change_clock in share row exclusive mode;

insert into record_change (organization_id, record_type, id, at, version)
  select organization_id, 'appointment', id, updated_at, version from appointment
  union all select organization_id, 'coverage', id, updated_at, version from coverage
  union all select organization_id, 'eligibility_recommendation', id, updated_at, version from eligibility_recommendation
  union all select organization_id, 'image', id, updated_at, version from image
  union all select organization_id, 'metadata_schema', id, updated_at, version from metadata_schema
  union all select organization_id, 'note', id, updated_at, version from note
  union all select organization_id, 'organization_external_provider', id, updated_at, version from organization_external_provider
  union all select organization_id, 'patient', id, updated_at, version from patient
  union all select organization_id, 'patient_merge', id, updated_at, version from patient_merge
  union all select organization_id, 'tag', id, updated_at, version from tag;

create index record_change_at on record_change (organization_id, record_type, at, id);
analyze record_change;

drop index appointment_scan, coverage_scan, organization_external_provider_scan, patient_scan, patient_merge_scan;
