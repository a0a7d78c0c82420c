-- Visits that are being verified are held under the same leases as checks (decisions/0034-leases.md).
alter table appointment_verification
  -- Whether somebody has it now: only then is its lease renewed.
  add column held   boolean not null default false,
  -- Holders in a row that failed or died.
  add column faults smallint not null default 0;
