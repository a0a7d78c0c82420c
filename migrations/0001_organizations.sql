-- Who may call: organizations, the users that their clients act as, the clients, and the keys that sign access tokens.
-- These four are looked up before the caller's organization is known, so their keys do not begin with organization_id.

create table organization (
  id         uuid primary key,
  name       text not null constraint organization_name_unique unique,
  -- An IANA name: where this organization's calendar days begin and end (rules.md 2.1, 6, 11.3).
  time_zone  text not null default 'UTC',
  created_at timestamptz(3) not null default now()
);

create table app_user (
  organization_id uuid not null references organization (id),
  id              uuid not null,
  name            text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, id)
);

create table client (
  id              uuid primary key,
  organization_id uuid not null,
  user_id         uuid not null,
  name            text not null,
  -- SHA-256 of the secret: 256 random bits need no slow hash. The second slot keeps the old secret alive while callers change over.
  secret_hash     bytea not null,
  previous_secret_hash bytea,
  previous_secret_expires_at timestamptz(3),
  revoked_at      timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  constraint client_user_exists foreign key (organization_id, user_id) references app_user (organization_id, id)
);

create table signing_key (
  kid         text primary key,
  -- The private JWK, sealed under the encryption key (src/encryption.ts); the public one is published as it is.
  private_key text not null,
  public_key  jsonb not null,
  created_at  timestamptz(3) not null default now(),
  retired_at  timestamptz(3)
);

-- Which encryption keys this database has been written with: a server that starts with another key says so instead of failing later.
create table encryption_key (
  id         text primary key,
  created_at timestamptz(3) not null default now()
);
