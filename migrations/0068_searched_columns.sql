-- What patients, coverages and appointments are found by stands in columns that the database makes from the body, and no index looks into a
-- body any more: an update that leaves these values as they are enters no index at all (a heap-only update).
-- decisions/0036-updates-touch-what-changed.md
-- Room for the next version of a row on its own page; without it no update is heap-only. The tables are written anew below.
alter table patient set (fillfactor = 75);
alter table coverage set (fillfactor = 75);
alter table appointment set (fillfactor = 85);

alter table patient
  add column mrn text generated always as (body ->> 'mrn') stored,
  add column name_family text generated always as (body -> 'name' ->> 'family') stored,
  add column birth_date text generated always as (body ->> 'birth_date') stored,
  add column primary_telecom_value text generated always as (body -> 'primary_telecom' ->> 'value') stored,
  add column tag_ids jsonb generated always as (body -> 'tag_ids') stored,
  add column external_provenance_system_name text generated always as (body -> 'external_provenance' ->> 'system_name') stored,
  add column external_provenance_external_id text generated always as (body -> 'external_provenance' ->> 'external_id') stored,
  add column provider_npis jsonb generated always as (patient_provider_npis(body)) stored,
  -- How many.
  add column referring_providers integer generated always as (jsonb_array_length(patient_referring_providers(body))) stored;

alter table coverage
  add column patient text generated always as (body ->> 'patient') stored,
  add column insurance_plan_payer_plan_group_id text generated always as (body #>> '{insurance_plan,payer_plan_group_id}') stored;

alter table appointment
  add column placer_appointment_id text generated always as (body ->> 'placer_appointment_id') stored;

-- The indexes of patients: the same questions as before, asked of columns.
drop index patient_mrn_unique, patient_external_id_unique, patient_demographics, patient_family, patient_family_order, patient_phone,
  patient_provider_npi, patient_referred, patient_search;

create unique index patient_mrn_unique on patient (organization_id, mrn);
create unique index patient_external_id_unique on patient (
  organization_id,
  external_provenance_system_name,
  external_provenance_external_id
) where external_provenance_external_id is not null;
create index patient_demographics on patient (organization_id, birth_date, left(same_name(name_family), 50)) where not deactivated;
create index patient_family on patient (organization_id, name_family, id);
create index patient_family_order on patient (organization_id, (sort_key(name_family) collate "C"), id);
create index patient_phone on patient (organization_id, primary_telecom_value) where primary_telecom_value is not null;
create index patient_provider_npi on patient using gin (organization_id, provider_npis) with (fastupdate = off) where not deactivated;
create index patient_referred on patient (organization_id, referring_providers) where not deactivated;
create index patient_search on patient using gin (
  organization_id,
  search_text(name_family) gin_trgm_ops,
  tag_ids,
  lower(full_name) gin_trgm_ops
) with (fastupdate = off);
alter index patient_search alter column 2 set statistics 1000;

drop index coverage_patient, coverage_plan_group;
create index coverage_patient on coverage (organization_id, patient, id);
create index coverage_plan_group on coverage (organization_id, insurance_plan_payer_plan_group_id)
  where insurance_plan_payer_plan_group_id is not null;

drop index appointment_placer_id_unique;
create unique index appointment_placer_id_unique on appointment (organization_id, placer_appointment_id)
  where placer_appointment_id is not null;

-- New columns and indexes on expressions have no statistics before.
do $$ begin if exists (select from patient) then analyze patient, coverage, appointment; end if; end $$;
