-- A sign of life that the primary renews every second while DATABASE_READ_URL is set. A standby that shows the latest token follows this
-- primary and no other: decisions/0070-reads-from-a-replica.md. One row, and no row before the first token.
create table replica_beat (
  one       boolean primary key default true check (one),
  -- Where the token was written: the primary's timeline and clock.
  timeline  text not null,
  at        timestamptz not null,
  token     uuid not null
);
grant select on replica_beat to anteroom_app;
