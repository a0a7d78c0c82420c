create table note (
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

create table note_history (
  like note,
  primary key (organization_id, id, version)
);
