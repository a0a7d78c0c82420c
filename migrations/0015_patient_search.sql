-- Names compared by trigrams, best first (rules.md 2.2).
create extension if not exists pg_trgm;

-- What `similar_name` compares: given names, family name, suffix. Trigrams are made of letters and digits alone, so the brackets
-- and quotes of the list of given names do not count. Bounded, so that no name outgrows an index row.
create function patient_name(body jsonb) returns text language sql immutable parallel safe
  return left((body #>> '{name,given}') || ' ' || (body #>> '{name,family}') || coalesce(' ' || (body #>> '{name,suffix}'), ''), 200);

-- Whom `search_providers` finds on a patient (rules.md 6): referring practitioners, the providers of referrals, and who sent the
-- patient to us.
create function patient_referring_providers(body jsonb) returns jsonb language sql immutable parallel safe
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*] ? (@.type == "REFERRING")')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider');

create function provider_search_text(provider jsonb) returns text language sql immutable parallel safe
  return (provider #>> '{name,given}') || ' ' || (provider #>> '{name,family}') || coalesce(' ' || (provider ->> 'npi'), '');

-- Few patients have one: the search looks at those alone.
create index patient_referred on patient (organization_id, id) where patient_referring_providers(body) <> '[]' and not deactivated;
