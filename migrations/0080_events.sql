-- What happened, in one order for each organization: webhooks and the live stream read it. decisions/0039-events.md
-- It is kept for the organizations that listen. Record events are collected from the change feed, the others from event_pending.
create table event_log (
  organization_id uuid primary key references organization (id),
  -- The number of the latest event. Its row is the lock of whoever collects.
  last_number     bigint not null default 0,
  -- Events up to this number are no longer kept.
  pruned_number   bigint not null default 0,
  created_at      timestamptz(3) not null default now()
);

-- How far the change feed of a record type has been collected.
create table event_cursor (
  organization_id uuid not null,
  record_type     text not null,
  at              timestamptz(3) not null,
  primary key (organization_id, record_type)
);

create table event (
  organization_id uuid not null,
  number          bigint not null,
  id              uuid not null default gen_random_uuid(),
  at              timestamptz(3) not null,
  type            text not null,
  record_type     text not null,
  record_id       uuid not null,
  -- Of the record, where it has versions.
  version         integer,
  -- What the event says beyond its ids: changed fields, a status, a reason. Never a patient's data.
  detail          jsonb not null default '{}',
  primary key (organization_id, number)
);
create index event_at on event (organization_id, at);

-- Events without a change feed, left by the statement that made them happen; whoever collects takes them from here. A row that
-- commits late is taken late and never passed over, which a position in a sequence cannot promise.
create table event_pending (
  organization_id uuid not null,
  id              bigint not null generated always as identity,
  at              timestamptz(3) not null default clock_timestamp(),
  type            text not null,
  record_type     text not null,
  record_id       uuid not null,
  detail          jsonb not null default '{}',
  primary key (organization_id, id)
);

-- Every statement that completes a check leaves the event, whichever it is: hence a trigger.
create function leave_event_of_check() returns trigger language plpgsql as $$
begin
  if new.completed_at is null or (tg_op = 'UPDATE' and old.completed_at is not null) then return null; end if;
  if not exists (select from public.event_log where organization_id = new.organization_id) then return null; end if;
  insert into public.event_pending (organization_id, at, type, record_type, record_id, detail)
    values (new.organization_id, new.completed_at, 'eligibility_check.finished', 'eligibility_check', new.id,
      jsonb_strip_nulls(jsonb_build_object('status', new.status, 'batch_id', new.batch_id, 'coverage_id', new.coverage_id,
        'appointment_id', new.appointment_id)));
  return null;
end $$;
create trigger eligibility_check_leaves_event after insert or update of completed_at on eligibility_check
  for each row when (new.completed_at is not null) execute function leave_event_of_check();

-- The paths at which two objects differ: {"insurance_plan.member_id"}. A list counts as one value.
create function changed_paths(before jsonb, after jsonb, prefix text default '') returns text[] language plpgsql immutable as $$
declare
  key text;
  found text[] := '{}';
begin
  for key in select k from (select jsonb_object_keys(before) as k union select jsonb_object_keys(after)) keys order by k loop
    if jsonb_typeof(before -> key) = 'object' and jsonb_typeof(after -> key) = 'object' then
      found := found || changed_paths(before -> key, after -> key, prefix || key || '.');
    elsif before -> key is distinct from after -> key then
      found := found || (prefix || key);
    end if;
  end loop;
  return found;
end $$;
