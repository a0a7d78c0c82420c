-- A date of birth that came as YYYYMMDD is shown as it was understood. What the checks are compared by (request_key) is made of the date
-- already.
update eligibility_check set request = jsonb_set(request, '{subscriber,date_of_birth}',
    to_jsonb(regexp_replace(request #>> '{subscriber,date_of_birth}', '^(....)(..)(..)$', '\1-\2-\3')))
  where request #>> '{subscriber,date_of_birth}' ~ '^[0-9]{8}$';
update eligibility_check set request = jsonb_set(request, '{dependent,date_of_birth}',
    to_jsonb(regexp_replace(request #>> '{dependent,date_of_birth}', '^(....)(..)(..)$', '\1-\2-\3')))
  where request #>> '{dependent,date_of_birth}' ~ '^[0-9]{8}$';
