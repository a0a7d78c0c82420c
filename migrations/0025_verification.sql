-- Automated verification before visits (rules.md 17): an organization's switch, how many days ahead it looks, and the NPI that asks
-- where an appointment names no doctor who has one.
alter table organization
  add column npi               text,
  add column verification      boolean not null default false,
  add column verification_days integer not null default 3;

-- One row an appointment that was taken up: whoever takes it moves `due_at` ahead, and `attempt` tells a worker that was given up
-- from the one that came after it (decisions/0010-verification.md).
create table appointment_verification (
  organization_id uuid not null,
  appointment_id  uuid not null,
  -- YYYY-MM-DD in the organization's calendar. A visit that is moved to another day is verified anew.
  date_of_service text not null,
  begun_at        timestamptz(3) not null,
  attempt         integer not null,
  due_at          timestamptz not null,
  -- How often it was put off since it was begun.
  retries         integer not null default 0,
  -- The coverages' final answers: [{coverage_id, check_id, finding}].
  answers         jsonb not null default '[]',
  -- The appointment's version that this wrote, while something is still to be asked.
  written_version integer,
  finished_at     timestamptz(3),
  primary key (organization_id, appointment_id)
);
