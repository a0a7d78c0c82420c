-- A payer's answer is kept once, encrypted, and `response` is made of it when it is read (decisions/0022-answers-kept-once.md).
drop view if exists walled.eligibility_check;

-- How the kept answer is read: x12, json, coverage (Availity's) or text; null where nothing of it may be shown.
alter table eligibility_check add column answer_form text;

-- Answers that came as JSON and were kept as X12 are read as X12 from now on.
update eligibility_check set answer_form = case
    when response::jsonb ?| array['x12', 'benefitsInformation', 'dependents'] then 'x12' else 'text' end
where response is not null and raw_response is not null;

-- A social security number that a payer wrote into a free text stood in what was read of it.
create function pg_temp.without_ssn(told text) returns text language sql immutable as $$
  select regexp_replace(
    regexp_replace(told, '(\m(s\.?\s?s\.?\s?n\.?|ss\s?(#|no\.?|num(ber)?)|soc(ial)?\.?\s*sec(urity)?\.?(\s*(#|no\.?|num(ber)?))?)\s*(is|was)?[\s:=#-]{0,3})\d{3}[- .]?\d{2}[- .]?\d{4}(?!\d)', '\1XXXXXXXXX', 'gi'),
    '(?<![0-9-])\d{3}-\d{2}-\d{4}(?![0-9-])', 'XXXXXXXXX', 'g')
$$;

update eligibility_check set parsed_response = pg_temp.without_ssn(parsed_response::text)::json
where parsed_response is not null and pg_temp.without_ssn(parsed_response::text) <> parsed_response::text;
update eligibility_check set errors = pg_temp.without_ssn(errors::text)::json
where errors is not null and pg_temp.without_ssn(errors::text) <> errors::text;
update eligibility_recommendation set body = pg_temp.without_ssn(body::text)::jsonb
where pg_temp.without_ssn(body::text) <> body::text;
update eligibility_recommendation_history set body = pg_temp.without_ssn(body::text)::jsonb
where pg_temp.without_ssn(body::text) <> body::text;
update coverage set body = jsonb_set(body, '{benefits}', pg_temp.without_ssn((body -> 'benefits')::text)::jsonb)
where body ? 'benefits' and pg_temp.without_ssn((body -> 'benefits')::text) <> (body -> 'benefits')::text;
update coverage_history set body = jsonb_set(body, '{benefits}', pg_temp.without_ssn((body -> 'benefits')::text)::jsonb)
where body ? 'benefits' and pg_temp.without_ssn((body -> 'benefits')::text) <> (body -> 'benefits')::text;

alter table eligibility_check drop column response;

-- Writes the table anew, so that the dropped column is gone from the disk and not from sight alone. Source: PostgreSQL manual, ALTER TABLE, Notes.
alter table eligibility_check alter column errors set data type json using errors;
