-- Deletion by age reads the checks that still have messages: without this index it read every old check each time, more of them the longer an
-- installation runs. Their states are the columns of a check that is answered, whose update writes into every index anyway.
-- decisions/0234-background-work-of-each-organization.md
create index eligibility_check_messages on eligibility_check (organization_id, initiated_at, id)
  where raw_inquiry is not null or raw_response is not null;
