-- People who sign in, and their sessions. decisions/0045-people-and-sessions.md
-- The id is that of the app_user who writes on their behalf. User names are one namespace over all organizations, as sign-in names no
-- organization; they are stored in lower case.
create table user_account (
  organization_id      uuid not null references organization (id),
  id                   uuid not null,
  username             text not null,
  -- front_desk, billing, administrator, read_only: what each may do is in the program.
  role                 text not null,
  -- A hash with its parameters and salt (PHC string format).
  password_hash        text not null,
  must_change_password boolean not null,
  -- Set for a one-time password that somebody else made.
  password_expires_at  timestamptz(3),
  disabled_at          timestamptz(3),
  last_signed_in_at    timestamptz(3),
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  primary key (organization_id, id),
  constraint user_account_user_exists foreign key (organization_id, id) references app_user (organization_id, id),
  constraint user_account_username_unique unique (username)
);

create table user_session (
  organization_id uuid not null,
  id              uuid not null,
  user_id         uuid not null,
  -- SHA-256: whoever reads the table cannot use a session.
  token_digest    bytea not null,
  address         text not null,
  user_agent      text,
  created_at      timestamptz(3) not null default now(),
  last_used_at    timestamptz(3) not null default now(),
  expires_at      timestamptz(3) not null,
  primary key (organization_id, id),
  constraint user_session_user_exists foreign key (organization_id, user_id) references user_account (organization_id, id) on delete cascade
);
create index user_session_user on user_session (organization_id, user_id);

-- People are made by operations of their organization; clients and organizations still only by commands.
create or replace function rights_behind_wall(base name) returns text language sql immutable as $$
  select case
    when base ~ '_history$' or base in ('timeline_event', 'audit_block') then 'select, insert'
    when base = 'audit_pending' then 'select, insert, delete'
    when base in ('audit_head', 'app_user') then 'select, insert, update'
    when base in ('organization', 'client') then 'select'
    else 'select, insert, update, delete' end
$$;
