-- What a client may do, and how often (decisions/0012-permissions-and-limits.md).

-- Null: everything. Otherwise the scopes that it has: `patients:read`, `*:read`, `admin`.
alter table client add column scopes text[];

-- A new key is published before it signs, so that every process knows it by then. `retired_at` may lie ahead: until then the key's
-- tokens are accepted.
alter table signing_key add column signs_from timestamptz(3) not null default now();

-- How many calls of a subject were granted in its present window, over all processes. Unlogged: a crash of the database forgets
-- seconds of counting, and no commit waits for the disk.
create unlogged table call_window (
  -- The digest of what is counted: of a client, or of a client id and the address that offered it.
  subject bytea primary key,
  ends_at timestamptz not null,
  granted integer not null,
  -- The permits of the grant that came last.
  block   integer not null
) with (fillfactor = 50);
