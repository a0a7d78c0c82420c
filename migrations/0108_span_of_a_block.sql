-- How long the newest block of writes is: a block is stamped after the one before it. As a column of the inserted row it is at hand where
-- the clock's row exists already; a subquery there is refused by Citus (decisions/0076-statements-that-citus-runs.md).
alter table change_clock add column span interval not null default '0';
