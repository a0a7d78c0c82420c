-- One row an organization and record type: the stamp of the latest write and how many records carry it. A write ticks its
-- clock after it holds its record, and the row lock lasts until it commits, so stamps become visible in their order and a
-- scan never passes a change that commits late. At most 50 records share a millisecond, so that a page of 100 always moves on.
-- decisions/0004-change-feed.md
create table change_clock (
  organization_id uuid not null,
  record_type     text not null,
  at              timestamptz(3) not null,
  records_at      integer not null,
  primary key (organization_id, record_type)
) with (fillfactor = 50);
