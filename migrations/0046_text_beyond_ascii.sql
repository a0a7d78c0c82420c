-- How text is compared, ordered and searched, whatever the locale of the database: decisions/0023-text-beyond-ascii.md.
-- Every function takes text of ASCII alone on a short way. Bodies are parsed here and now, so that they do not depend on a search path.
-- A column of patient changes; the view comes back after the migration (0030).
drop view walled.patient;

-- Upper and lower case as Unicode has them: by PostgreSQL's own tables from version 17 on, before that by ICU. A database without either
-- folds what its own locale knows. By way of the upper case, so that both sigmas and both dotless i are one letter.
do $$
declare
  encoding integer := pg_char_to_encoding(getdatabaseencoding());
  rules name := (
    select collname from pg_collation
    where collnamespace = 'pg_catalog'::regnamespace and collname in ('pg_c_utf8', 'und-x-icu', 'default')
      and collencoding in (-1, encoding)
    order by array_position(array['pg_c_utf8', 'und-x-icu', 'default']::name[], collname) limit 1
  );
begin
  execute format(
    $f$create function fold_case(value text) returns text language sql immutable parallel safe
      return translate(lower(upper(value collate pg_catalog.%1$I) collate pg_catalog.%1$I), 'ς', 'σ')$f$,
    rules
  );
end $$;

-- What compares without regard to case, and to whether a letter and its mark are one character or two.
create function caseless(value text) returns text language sql immutable parallel safe
  return case when octet_length(value) = length(value) then lower(value collate "C") else fold_case(normalize(value, nfc)) end;

-- Each character beyond ASCII as five capital letters, the first of which (A to E) never stands at another place: what a text holds, its
-- form holds, and nothing else. Numbers are scattered, so that neighbours in an alphabet do not look alike. Trigrams are made of what the
-- locale has for letters, which are in the C locale those of ASCII alone. 972405 = 5 * 21^4; code points above it have no characters.
create function in_ascii(value text) returns text language plpgsql immutable strict parallel safe as $$
declare
  letter text;
  number integer;
  made text := '';
begin
  foreach letter in array string_to_array(value, null) loop
    if octet_length(letter) = 1 then
      made := made || letter;
    else
      number := ascii(letter)::bigint * 48271 % 972405;
      made := made || substr('ABCDE', 1 + number / 194481, 1) || substr('FGHIJKLMNOPQRSTUVWXYZ', 1 + number / 9261 % 21, 1)
        || substr('FGHIJKLMNOPQRSTUVWXYZ', 1 + number / 441 % 21, 1) || substr('FGHIJKLMNOPQRSTUVWXYZ', 1 + number / 21 % 21, 1)
        || substr('FGHIJKLMNOPQRSTUVWXYZ', 1 + number % 21, 1);
    end if;
  end loop;
  return made;
end
$$;

-- `caseless`, in a form that an index by trigrams holds whole.
create function search_text(value text) returns text language sql immutable parallel safe
  return case when octet_length(value) = length(value) then lower(value collate "C")
    else in_ascii(caseless(value)) end;

-- Without what a reader passes over: marks on Latin and Greek letters, vowel points of Hebrew and Arabic. Letters with a stroke, which
-- have no mark of their own, become the ones that they look like.
create function plain_letters(value text) returns text language sql immutable parallel safe
  return translate(
    normalize(
      regexp_replace(
        fold_case(normalize(value, nfkd)),
        U&'([a-z\03b1-\03c9])[\0300-\036f]+|[\0591-\05bd\05bf-\05c7\0640\064b-\065f\0670\00ad\200b-\200f\feff]', '\1', 'g'),
      nfc),
    'łøđħıðþæœßё’ʼ', 'lodhidtaosе''''');

-- The order of names: case and marks do not count, letters of other scripts come in the order of their code points. Bounded, so that no
-- text outgrows an index row.
create function sort_key(value text) returns text language sql immutable parallel safe
  return left(case when octet_length(value) = length(value) then lower(value collate "C") else plain_letters(value) end, 200);

-- What likeness is measured on: the plain letters, and behind them those that are plain no more, so that a name is nearest to itself.
create function trigram_text(value text) returns text language sql immutable parallel safe
  return case when octet_length(value) = length(value) then lower(value collate "C")
    else in_ascii(regexp_replace(
      plain_letters(value) || ' ' || translate(caseless(value), plain_letters(value), ''),
      U&'[\0080-\00bf\2000-\206f\2e00-\2e7f\3000-\3004\3008-\3020\30fb]', ' ', 'g')) end;

-- The duplicate check compares names by this; blanks around them do not count.
create function same_name(value text) returns text language sql immutable parallel safe
  return caseless(btrim(value, U&' \0009\000a\000d\00a0\3000'));

-- The column is made anew: an expression can be changed in place from PostgreSQL 17 on only.
drop index patient_search, patient_similar_name, patient_demographics;
alter table patient drop column full_name;
alter table patient add column full_name text not null generated always as (coalesce(trigram_text(patient_name(body)), '')) stored;

create index patient_search on patient using gin (
  organization_id,
  search_text(body -> 'name' ->> 'family') gin_trgm_ops,
  (body -> 'tag_ids'),
  lower(full_name) gin_trgm_ops
) with (fastupdate = off);
alter index patient_search alter column 2 set statistics 1000;

create index patient_similar_name on patient using gist (organization_id, full_name gist_trgm_ops);

create index patient_demographics on patient (
  organization_id,
  (body ->> 'birth_date'),
  left(same_name(body -> 'name' ->> 'family'), 50)
) where not deactivated;

-- Lists in the order of family names.
create index patient_family_order on patient (organization_id, (sort_key(body -> 'name' ->> 'family') collate "C"), id);

-- An index on an expression has no statistics before.
do $$ begin if exists (select from patient) then analyze patient; end if; end $$;
