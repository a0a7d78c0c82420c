-- A front desk has the card in hand and types its member ID, or the last characters of it. The letters and digits stand backwards in this column, so
-- that the ends of member IDs are ranges of an ordinary index, which costs a write less than trigrams would. Functions of PostgreSQL alone: the body
-- of one of ours would be planned for each write (0122). A search has at most 100 characters; an index has no room for texts of any length. The value
-- changes with few updates of a coverage. decisions/0193-search-by-member-id.md
alter table coverage add column member_id_backwards text collate "C" generated always as (
  left(reverse(regexp_replace(upper((body #>> '{insurance_plan,member_id}') collate "C"), '[^A-Z0-9]', '', 'g')), 100)
) stored;

create index coverage_member_id on coverage (organization_id, member_id_backwards);

-- A new column has no statistics.
do $$ begin if exists (select from coverage) then analyze coverage; end if; end $$;
