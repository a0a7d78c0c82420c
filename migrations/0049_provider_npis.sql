-- The NPIs of every provider that stands on a patient, of whatever type: an exact one finds its provider (rules.md 6).
create function patient_providers(body jsonb) returns jsonb language sql immutable parallel safe
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*]')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider');

create function patient_provider_npis(body jsonb) returns jsonb language sql immutable parallel safe
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*].npi')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider.npi')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider.npi');

create index patient_provider_npi on patient using gin (organization_id, patient_provider_npis(body)) with (fastupdate = off)
  where not deactivated;
