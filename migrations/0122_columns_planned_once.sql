-- PostgreSQL plans the expressions of generated columns anew for each statement that writes a row, and puts the body of a function in SQL into each
-- of them: a quarter of the update of a patient. A function in PL/pgSQL is planned once in a session. The values are the same, so nothing is
-- computed again. Names have their schema, since these bodies are read when they run. decisions/0133-what-a-write-costs-beside-its-rows.md
create or replace function patient_name(body jsonb) returns text language plpgsql immutable parallel safe as $$
begin
  return left((body #>> '{name,given}') || ' ' || (body #>> '{name,family}') || coalesce(' ' || (body #>> '{name,suffix}'), ''), 200);
end
$$;

create or replace function trigram_text(value text) returns text language plpgsql immutable parallel safe as $$
begin
  if octet_length(value) = length(value) then return lower(value collate "C"); end if;
  return public.in_ascii(regexp_replace(
    public.plain_letters(value) || ' ' || translate(public.caseless(value), public.plain_letters(value), ''),
    U&'[\0080-\00bf\2000-\206f\2e00-\2e7f\3000-\3004\3008-\3020\30fb]', ' ', 'g'));
end
$$;

create or replace function patient_provider_npis(body jsonb) returns jsonb language plpgsql immutable parallel safe as $$
begin
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*].npi')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider.npi')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider.npi');
end
$$;

create or replace function patient_referring_providers(body jsonb) returns jsonb language plpgsql immutable parallel safe as $$
begin
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*] ? (@.type == "REFERRING")')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider');
end
$$;
