-- When the database stored a check: the order of checks of which the clocks of several machines have no part. The time that is shown stays
-- `initiated_at`. Earlier checks have none. A column without a default rewrites no row. decisions/0088-order-of-checks.md
alter table eligibility_check add column opened_at timestamptz;
alter table eligibility_check alter column opened_at set default now();
