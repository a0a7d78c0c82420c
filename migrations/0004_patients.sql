create table patient (
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

create table patient_history (
  like patient,
  primary key (organization_id, id, version)
);

create unique index patient_mrn_unique on patient (organization_id, (body ->> 'mrn'));

create unique index patient_external_id_unique on patient (
  organization_id,
  (body -> 'external_provenance' ->> 'system_name'),
  (body -> 'external_provenance' ->> 'external_id')
) where body ? 'external_provenance';

create index patient_scan on patient (organization_id, updated_at, id);

-- The duplicate check (rules.md 6): the family name's start is enough to find candidates, the whole name decides.
create index patient_demographics on patient (
  organization_id,
  (body ->> 'birth_date'),
  left(lower(btrim(body -> 'name' ->> 'family')), 50)
) where not deactivated;

-- The counter behind generated MRNs: one row an organization and calendar day.
create table mrn_counter (
  organization_id uuid not null,
  day             date not null,
  last            integer not null,
  primary key (organization_id, day)
);
