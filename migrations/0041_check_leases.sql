-- Whether a pending check is in somebody's hands, as a fact of its row and not of the clock: only who holds it may renew its lease, and
-- one that is taken while it is held was lost by whoever had it (decisions/0009-check-queue.md).
alter table eligibility_check
  add column held boolean not null default false,
  -- Attempts in a row that failed on our side of the payer: not read, lost with their process. Bounded, unlike a payer's outages.
  add column faults smallint not null default 0;
