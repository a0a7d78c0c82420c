-- The look for work that waits for too long reads the verifications that are not finished: without this index it read those of every visit, once a
-- minute in each process with background work. A verification changes this condition once, when it is finished.
-- decisions/0248-one-organization-keeps-no-other-waiting.md
create index appointment_verification_open on appointment_verification (organization_id) where finished_at is null;
