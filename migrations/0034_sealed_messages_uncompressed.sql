-- A sealed message does not get smaller: PostgreSQL tried on every answer, and gave up after most of it.
alter table eligibility_check alter column raw_inquiry set storage external, alter column raw_response set storage external;
