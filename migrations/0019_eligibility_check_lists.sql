-- The day that was asked about, also where the request named none and meant the day of asking (rules.md 13.1, 13.9).
alter table eligibility_check add column date_of_service text;

update eligibility_check c
set date_of_service = coalesce(c.request #>> '{encounter,date_of_service}', to_char(c.initiated_at at time zone o.time_zone, 'YYYY-MM-DD'))
from organization o where o.id = c.organization_id;

alter table eligibility_check alter column date_of_service set not null;

-- get-multi: everything, or one member's, payer's, provider's or day's checks, newest first. A check is written twice and takes
-- a payer seconds to answer, so what these indexes cost is lost in that.
create index eligibility_check_initiated on eligibility_check (organization_id, initiated_at, id);
create index eligibility_check_member on eligibility_check (organization_id, (request #>> '{subscriber,member_id}'), initiated_at, id);
create index eligibility_check_payer on eligibility_check (organization_id, (request ->> 'payer_id'), initiated_at, id);
create index eligibility_check_provider on eligibility_check (organization_id, (request #>> '{provider,npi}'), initiated_at, id);
create index eligibility_check_day on eligibility_check (organization_id, date_of_service, initiated_at, id);
