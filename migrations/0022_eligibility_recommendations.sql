create table eligibility_recommendation (
  organization_id  uuid not null,
  id               uuid not null,
  version          integer not null,
  deactivated      boolean not null,
  updated_at       timestamptz(3) not null,
  updating_user_id uuid not null,
  created_at       timestamptz(3) not null,
  body             jsonb not null,
  primary key (organization_id, id)
);

create table eligibility_recommendation_history (
  like eligibility_recommendation,
  primary key (organization_id, id, version)
);

-- The latest of each type (rules.md 13.8): of the organization, of a patient, a member, a coverage or a check. Each type is one
-- look at the end of an index, so every index goes on with the type and the order. Expressions are those of src/records/paths.ts.
create index eligibility_recommendation_latest on eligibility_recommendation (
  organization_id,
  (body -> 'recommendation' ->> 'type'),
  created_at,
  id
) where not deactivated;

create index eligibility_recommendation_patient on eligibility_recommendation (
  organization_id,
  (body -> 'patient' ->> 'id'),
  (body -> 'recommendation' ->> 'type'),
  created_at,
  id
) where not deactivated and body -> 'patient' ->> 'id' is not null;

create index eligibility_recommendation_mrn on eligibility_recommendation (
  organization_id,
  (body -> 'patient' ->> 'mrn'),
  (body -> 'recommendation' ->> 'type'),
  created_at,
  id
) where not deactivated and body -> 'patient' ->> 'mrn' is not null;

create index eligibility_recommendation_member on eligibility_recommendation (
  organization_id,
  (body -> 'patient' ->> 'member_id'),
  (body -> 'recommendation' ->> 'type'),
  created_at,
  id
) where not deactivated and body -> 'patient' ->> 'member_id' is not null;

-- Names and birth dates are looked for by the family name.
create index eligibility_recommendation_family on eligibility_recommendation (
  organization_id,
  (body -> 'patient' ->> 'last_name'),
  (body -> 'recommendation' ->> 'type'),
  created_at,
  id
) where not deactivated and body -> 'patient' ->> 'last_name' is not null;

create index eligibility_recommendation_coverage on eligibility_recommendation (
  organization_id,
  (body ->> 'coverage_id'),
  (body -> 'recommendation' ->> 'type'),
  created_at,
  id
) where not deactivated and body ->> 'coverage_id' is not null;

create index eligibility_recommendation_check on eligibility_recommendation (
  organization_id,
  (body ->> 'eligibility_check_id'),
  (body -> 'recommendation' ->> 'type'),
  created_at,
  id
) where not deactivated;
