-- A pending check is its own job (decisions/0009-check-queue.md): whoever takes it moves `due_at` ahead, and `attempt` tells a
-- worker that was given up from the one that came after it. `due_at` means nothing once a check is answered.
alter table eligibility_check
  add column batch_id       uuid,
  add column batch_index    integer,
  add column appointment_id uuid,
  -- The number of the interchange last sent for it.
  add column attempt        integer not null default 1,
  add column due_at         timestamptz not null default now(),
  -- An item of a batch that is no request at all is answered without one; what was sent is not kept.
  alter column request drop not null,
  alter column request_key drop not null,
  alter column date_of_service drop not null;

create index eligibility_check_due on eligibility_check (organization_id, due_at) where status = 'PENDING';
create unique index eligibility_check_batch on eligibility_check (organization_id, batch_id, batch_index) where batch_id is not null;
create index eligibility_check_appointment on eligibility_check (organization_id, appointment_id, initiated_at) where appointment_id is not null;
create index eligibility_check_coverage on eligibility_check (organization_id, coverage_id, initiated_at) where coverage_id is not null;

create table eligibility_batch (
  organization_id uuid not null,
  id              uuid not null,
  submitted_at    timestamptz(3) not null,
  user_id         uuid not null,
  size            integer not null,
  primary key (organization_id, id)
);
