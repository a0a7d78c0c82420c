-- A diagnosis of an encounter: written in place, not versioned. Encounters themselves live elsewhere.
create table diagnosis (
  organization_id uuid not null,
  id              uuid not null,
  encounter_id    uuid not null,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  body            jsonb not null,
  primary key (organization_id, id)
);

-- One principal diagnosis an encounter, ICD-10 (ABK) or ICD-9 (BK).
create unique index diagnosis_primary_unique on diagnosis (organization_id, encounter_id) where body ->> 'code_type' in ('ABK', 'BK');
