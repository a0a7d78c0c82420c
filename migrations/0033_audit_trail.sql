-- The audit trail (45 CFR 164.312(b)): who did what to which record. decisions/0013-audit-trail.md
-- The organization 00000000-0000-0000-0000-000000000000 is the service itself: administration, and calls of nobody known.
create extension if not exists btree_gin;

-- Events of writes, inserted by the statement that writes. They leave for a block within a second, and until then they are here.
create table audit_pending (
  organization_id uuid not null,
  id              bigint not null generated always as identity,
  at              timestamptz(3) not null default clock_timestamp(),
  -- Who, from where, in which operation, as JSON.
  act             text not null,
  record_type     text not null,
  record_ids      text[] not null,
  version         integer,
  -- As the written record names them.
  patient_ids     text[] not null,
  primary key (organization_id, id)
);

-- Events in blocks of some hundreds, each block chained to the one before by an HMAC whose key the database holds sealed only.
create table audit_block (
  organization_id uuid not null,
  number          bigint not null,
  first_at        timestamptz(3) not null,
  last_at         timestamptz(3) not null,
  size            integer not null,
  patient_ids     uuid[] not null,
  -- A JSON array, exactly as it was hashed.
  events          text not null,
  previous_hash   text not null,
  hash            text not null,
  primary key (organization_id, number)
);
create index audit_block_patient on audit_block using gin (organization_id, patient_ids);
create index audit_block_time on audit_block (organization_id, last_at);

-- Where the next block goes. Its row is the lock of whoever chains.
create table audit_head (
  organization_id uuid primary key,
  number          bigint not null default 0,
  hash            text not null default ''
);

create table audit_key (
  id         text primary key,
  sealed_key text not null,
  created_at timestamptz(3) not null default now()
);

-- The service's role has no right to change or remove a block at all (below), and not even the owner changes a trail by accident:
-- `anteroom audit forget` switches these off for its own transaction, which only the owner of the table may.
create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_block_append_only before update or delete on audit_block
  for each row execute function audit_refuse_change();
create trigger audit_block_no_truncate before truncate on audit_block
  for each statement execute function audit_refuse_change();
create trigger audit_pending_unchanged before update on audit_pending
  for each row execute function audit_refuse_change();
create trigger audit_pending_no_truncate before truncate on audit_pending
  for each statement execute function audit_refuse_change();

-- What is audited leaves audit_pending for a block, in one transaction that holds the head.
create or replace function rights_behind_wall(base name) returns text language sql immutable as $$
  select case
    when base ~ '_history$' or base in ('timeline_event', 'audit_block') then 'select, insert'
    when base = 'audit_pending' then 'select, insert, delete'
    when base = 'audit_head' then 'select, insert, update'
    when base in ('organization', 'app_user', 'client') then 'select'
    else 'select, insert, update, delete' end
$$;
