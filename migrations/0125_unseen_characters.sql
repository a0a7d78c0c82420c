-- Characters that nobody sees are removed on the way in since change 0747; here from what was stored before, that an MRN, a tag, a name or a member id
-- is found as it looks: decisions/0023-text-beyond-ascii.md. As in 0063, versions and history do not change, and a record stays as it is where
-- its MRN, tag or name without them is another record's. Free-form data stays, and so do the controls that JSON writes as an escape.
do $$
declare
  unseen constant text := '[\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+';
  name text;
  found record;
begin
  -- Patients first: what names one by an MRN that stays as it is must go on naming it.
  foreach name in array array['patient', 'appointment', 'coverage', 'diagnosis', 'eligibility_recommendation', 'image', 'metadata_schema', 'note',
    'organization_external_provider', 'patient_merge', 'tag'] loop
    for found in execute format(
      $q$select t.organization_id, t.id from public.%I t
        where (octet_length(t.body::text) <> length(t.body::text) or position(chr(127) in t.body::text) > 0)
          and (t.body - 'custom_metadata')::text ~ $1
        order by t.organization_id, t.id$q$, name) using unseen
    loop
      begin
        execute format(
          $q$update public.%I t set body = regexp_replace((t.body - 'custom_metadata')::text, $3, '', 'g')::jsonb
              || case when t.body ? 'custom_metadata' then jsonb_build_object('custom_metadata', t.body -> 'custom_metadata') else '{}' end
            where organization_id = $1 and id = $2
            and not exists (select from public.patient p where p.organization_id = $1
              and p.body ->> 'mrn' = any(array[t.body ->> 'alternative_patient_mrn', t.body ->> 'primary_patient_mrn', t.body #>> '{patient,mrn}'])
              and p.body ->> 'mrn' ~ $3)$q$, name)
          using found.organization_id, found.id, unseen;
      exception when unique_violation or invalid_text_representation then
        null;
      end;
    end loop;
  end loop;
end $$;
