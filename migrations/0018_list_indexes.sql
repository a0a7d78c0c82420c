-- What front desks ask for all day (rules.md 12), beside what earlier migrations serve: a patient's appointments
-- (appointment_patient), patients by MRN (patient_mrn_unique), by birth date (patient_demographics), in the default order
-- (patient_scan), by likeness of name (patient_similar_name), and a patient's coverages (coverage_patient). The expressions are
-- those that src/records/paths.ts writes. Deactivated records stand in them too: they are few, and a list may ask for them.
-- Measured beside a million appointments and 200,000 patients: the three on appointments add 20 us to a create of 120 us CPU,
-- the three on patients 60 us to 150 us.
create extension if not exists btree_gin;

-- A day's or a week's schedule, and every list in the order of time. Stored date-times order as bytes.
create index appointment_start on appointment (organization_id, ((body ->> 'start_timestamp') collate "C"), id);

-- A status, or a status of a day, in the order of time.
create index appointment_status on appointment (
  organization_id,
  (body ->> 'status'),
  ((body ->> 'start_timestamp') collate "C"),
  id
);

-- What is not ready and why; few appointments have a reason.
create index appointment_not_ready on appointment (
  organization_id,
  (body ->> 'not_ready_reason'),
  ((body ->> 'start_timestamp') collate "C"),
  id
) where body ->> 'not_ready_reason' is not null;

-- The family name as it is written, and lists in its order.
create index patient_family on patient (organization_id, (body -> 'name' ->> 'family'), id);

-- A part of the family name, the whole in any case, and tags; one index, as each entry costs a write. Entries go in at once: a
-- list of pending ones would slow every search and make one writer in thousands clear it while the others wait.
create index patient_search on patient using gin (
  organization_id,
  lower(body -> 'name' ->> 'family') gin_trgm_ops,
  (body -> 'tag_ids')
) with (fastupdate = off);
-- Names are many: with the usual hundred the planner guesses too many matches of a rare name and walks the whole list instead.
alter index patient_search alter column 2 set statistics 1000;

create index patient_phone on patient (organization_id, (body -> 'primary_telecom' ->> 'value'))
  where body -> 'primary_telecom' ->> 'value' is not null;
