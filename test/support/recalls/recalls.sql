create table recall (
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

create table recall_history (
  like recall,
  primary key (organization_id, id, version)
);

create index recall_updated_at on recall (organization_id, updated_at, id);
create unique index recall_due_unique on recall (organization_id, (body ->> 'patient_id'), (body ->> 'due_on'))
  where not deactivated;
