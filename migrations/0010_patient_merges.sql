create table patient_merge (
  organization_id  uuid not null,
  id               uuid not null,
  version          integer not null,
  deactivated      boolean not null,
  updated_at       timestamptz(3) not null,
  updating_user_id uuid not null,
  created_at       timestamptz(3) not null,
  body             jsonb not null,
  primary key (organization_id, id)
);

create table patient_merge_history (
  like patient_merge,
  primary key (organization_id, id, version)
);

-- A patient is merged away once at a time. A merge that was undone leaves room for another.
create unique index patient_merge_alternative_unique on patient_merge (organization_id, (body ->> 'alternative_patient_mrn'))
where not deactivated;

create index patient_merge_primary on patient_merge (organization_id, (body ->> 'primary_patient_mrn')) where not deactivated;
create index patient_merge_scan on patient_merge (organization_id, updated_at, id);
