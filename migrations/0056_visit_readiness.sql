-- What keeps a visit from being READY although its cover is active (rules.md 17): [{kind, payer}], null where there is nothing.
alter table eligibility_check add column obstacles json;

-- The service type codes of each service that an organization's appointments may name: {"Treatment": ["PT"]}. Others are office visits.
alter table organization add column visit_services jsonb not null default '{}';
