create table coverage (
  organization_id  uuid not null,
  id               uuid not null,
  version          integer not null,
  deactivated      boolean not null,
  updated_at       timestamptz(3) not null,
  updating_user_id uuid not null,
  created_at       timestamptz(3) not null,
  body             jsonb not null,
  -- True for the versions that the system wrote from an eligibility check (rules.md 10.2); a later PUT may carry the check's id along.
  auto_updated     boolean not null default false,
  primary key (organization_id, id)
);

create table coverage_history (
  like coverage including defaults,
  primary key (organization_id, id, version)
);

create index coverage_scan on coverage (organization_id, updated_at, id);
create index coverage_patient on coverage (organization_id, (body ->> 'patient'), id);
