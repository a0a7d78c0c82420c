-- Names compared by trigrams, best first (rules.md 2.2).
create extension if not exists pg_trgm;
-- So that an index by similarity can begin with organization_id.
create extension if not exists btree_gist;

-- What `similar_name` compares: given names, family name, suffix. Trigrams are made of letters and digits alone, so the brackets
-- and quotes of the list of given names do not count. Bounded, so that no name outgrows an index row.
create function patient_name(body jsonb) returns text language sql immutable parallel safe
  return left((body #>> '{name,given}') || ' ' || (body #>> '{name,family}') || coalesce(' ' || (body #>> '{name,suffix}'), ''), 200);

-- Measured with 50,000 patients: a page by similarity takes 50 ms instead of 220, and a create no longer than before.
create index patient_similar_name on patient using gist (organization_id, patient_name(body) gist_trgm_ops) where not deactivated;

-- Whom `search_providers` finds on a patient (rules.md 6): referring practitioners, the providers of referrals, and who sent the
-- patient to us.
create function patient_referring_providers(body jsonb) returns jsonb language sql immutable parallel safe
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*] ? (@.type == "REFERRING")')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider');

create function provider_search_text(provider jsonb) returns text language sql immutable parallel safe
  return (provider #>> '{name,given}') || ' ' || (provider #>> '{name,family}') || coalesce(' ' || (provider ->> 'npi'), '');

-- Few patients have one, and the search looks at those alone. Every patient stands in it: a partial index has no statistics of
-- how few they are, and the planner would read the whole table instead.
create index patient_referred on patient (organization_id, (jsonb_array_length(patient_referring_providers(body))))
  where not deactivated;
