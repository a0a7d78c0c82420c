create table tag (
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

create table tag_history (
  like tag,
  primary key (organization_id, id, version)
);

create unique index tag_value_unique on tag (organization_id, (body ->> 'value'));
