create table metadata_schema (
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

create table metadata_schema_history (
  like metadata_schema,
  primary key (organization_id, id, version)
);

create unique index metadata_schema_name_unique on metadata_schema (organization_id, (body ->> 'name'));
