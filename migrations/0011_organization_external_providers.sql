-- Orders names by likeness (rules.md 2.2).
create extension if not exists pg_trgm;

create table organization_external_provider (
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

create table organization_external_provider_history (
  like organization_external_provider,
  primary key (organization_id, id, version)
);

-- An empty NPI is none.
create unique index organization_external_provider_npi_unique on organization_external_provider (organization_id, (body ->> 'npi'))
where body ->> 'npi' <> '';

create index organization_external_provider_family on organization_external_provider (
  organization_id,
  (body -> 'name' ->> 'family'),
  id
) where not deactivated;

create index organization_external_provider_scan on organization_external_provider (organization_id, updated_at, id);
