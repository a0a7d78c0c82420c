-- Text is composed (NFC) on the way in since 0046; here what was stored before becomes so, that equality finds it: decisions/0023-text-beyond-ascii.md.
-- Versions do not change, nor does history: the letters are the same. A record stays as it is where its composed MRN, tag or name is
-- another record's, or where a mark follows an escaped character, which JSON writes with a letter.
do $$
declare
  name text;
  found record;
begin
  -- Patients first: what names one by an MRN that stays as it is must go on naming it.
  foreach name in array array['patient', 'appointment', 'coverage', 'diagnosis', 'eligibility_recommendation', 'image', 'metadata_schema', 'note',
    'organization_external_provider', 'patient_merge', 'tag'] loop
    for found in execute format(
      $q$select t.organization_id, t.id from public.%I t
        where octet_length(t.body::text) <> length(t.body::text)
          and case when octet_length(t.body::text) <> length(t.body::text) then t.body::text is not nfc normalized end
        order by t.organization_id, t.id$q$, name)
    loop
      begin
        execute format(
          $q$update public.%I t set body = normalize(body::text, nfc)::jsonb where organization_id = $1 and id = $2
            and not exists (select from public.patient p where p.organization_id = $1
              and p.body ->> 'mrn' = any(array[t.body ->> 'alternative_patient_mrn', t.body ->> 'primary_patient_mrn', t.body #>> '{patient,mrn}'])
              and p.body ->> 'mrn' is not nfc normalized)$q$, name)
          using found.organization_id, found.id;
      exception when unique_violation or invalid_text_representation then
        null;
      end;
    end loop;
  end loop;
end $$;
