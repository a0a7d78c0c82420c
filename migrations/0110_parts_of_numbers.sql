-- A search for a part of an MRN or of a telephone number finds its rows in an index: without one it read every patient of the organization for each
-- character that is typed. The expressions are those of the filter `contains` (docs/filters.md). Neither value changes with most updates of a patient,
-- so these remain heap-only. decisions/0078-search-within-budgets.md
create index patient_numbers on patient using gin (
  organization_id,
  caseless(mrn) gin_trgm_ops,
  caseless(primary_telecom_value) gin_trgm_ops
) with (fastupdate = off);

-- An index on expressions has no statistics before.
do $$ begin if exists (select from patient) then analyze patient; end if; end $$;
