-- Generated from migrations/ by npm run generate. Do not edit.

create extension btree_gin;
create extension btree_gist;
create extension pg_trgm;

CREATE OR REPLACE FUNCTION public.audit_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end $function$
;
CREATE OR REPLACE FUNCTION public.build_tenant_wall()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  tenant record;
  condition text;
  distributed regclass[] := '{}';
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select coalesce(array_agg(logicalrelid), $1) from pg_catalog.pg_dist_partition' into distributed using distributed;
  end if;
  for tenant in
    select c.relname as base, c.relrowsecurity as has_security, a.attname as key, rights_behind_wall(c.relname) as rights,
      (select array_agg((attname, atttypid, atttypmod, attcollation)::text order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped)
      is not distinct from
      (select array_agg((attname, atttypid, atttypmod, attcollation)::text order by attnum)
        from pg_attribute where attrelid = to_regclass(format('walled.%I', c.relname)) and attnum > 0 and not attisdropped)
      as has_view,
      c.oid = any(distributed) as is_distributed
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname = case c.relname when 'organization' then 'id' else 'organization_id' end
    order by c.relname
  loop
    condition := format($wall$%I = nullif(current_setting('anteroom.organization', true), '')::uuid$wall$, tenant.key);
    if not tenant.has_security then
      execute format('alter table public.%I enable row level security', tenant.base);
      execute format('create policy one_organization on public.%I to anteroom_app using (%s)', tenant.base, condition);
    end if;
    if tenant.is_distributed then
      execute format('drop view if exists walled.%I', tenant.base);
      execute format('grant %s on public.%I to anteroom_app', tenant.rights, tenant.base);
      continue;
    end if;
    if not tenant.has_view then
      execute format('drop view if exists walled.%I', tenant.base);
      execute format('create view walled.%I as select * from public.%1$I where %s with check option', tenant.base, condition);
    end if;
    -- A view that stays must lose the rights that are not given any more; a new one has none.
    execute format('revoke all on walled.%I from anteroom_app', tenant.base);
    execute format('grant %s on public.%I, walled.%2$I to anteroom_app', tenant.rights, tenant.base);
  end loop;
end
$function$
;
CREATE OR REPLACE FUNCTION public.caseless(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN lower((value COLLATE "C")) ELSE fold_case(NORMALIZE(value, NFC)) END
;
CREATE OR REPLACE FUNCTION public.changed_paths(before jsonb, after jsonb, prefix text DEFAULT ''::text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  key text;
  found text[] := '{}';
begin
  for key in select k from (select jsonb_object_keys(before) as k union select jsonb_object_keys(after)) keys order by k loop
    if jsonb_typeof(before -> key) = 'object' and jsonb_typeof(after -> key) = 'object' then
      found := found || changed_paths(before -> key, after -> key, prefix || key || '.');
    elsif before -> key is distinct from after -> key then
      found := found || (prefix || key);
    end if;
  end loop;
  return found;
end $function$
;
CREATE OR REPLACE FUNCTION public.fold_case(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(lower((upper((value COLLATE pg_c_utf8)) COLLATE pg_c_utf8)), 'ς'::text, 'σ'::text)
;
CREATE OR REPLACE FUNCTION public.in_ascii(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION public.leave_event_of_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.completed_at is null or (tg_op = 'UPDATE' and old.completed_at is not null) then return null; end if;
  if not exists (select from public.event_log where organization_id = new.organization_id) then return null; end if;
  insert into public.event_pending (organization_id, at, type, record_type, record_id, detail)
    values (new.organization_id, new.completed_at, 'eligibility_check.finished', 'eligibility_check', new.id,
      jsonb_strip_nulls(jsonb_build_object('status', new.status, 'batch_id', new.batch_id, 'coverage_id', new.coverage_id,
        'appointment_id', new.appointment_id)));
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.patient_name(body jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return left((body #>> '{name,given}') || ' ' || (body #>> '{name,family}') || coalesce(' ' || (body #>> '{name,suffix}'), ''), 200);
end
$function$
;
CREATE OR REPLACE FUNCTION public.patient_provider_npis(body jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*].npi')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider.npi')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider.npi');
end
$function$
;
CREATE OR REPLACE FUNCTION public.patient_providers(body jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((jsonb_path_query_array(body, '$."general_practitioners"[*]'::jsonpath) || jsonb_path_query_array(body, '$."referrals"[*]."provider"'::jsonpath)) || jsonb_path_query_array(body, '$."origination_detail"."referring_provider"'::jsonpath))
;
CREATE OR REPLACE FUNCTION public.patient_referring_providers(body jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return jsonb_path_query_array(body, 'lax $.general_practitioners[*] ? (@.type == "REFERRING")')
    || jsonb_path_query_array(body, 'lax $.referrals[*].provider')
    || jsonb_path_query_array(body, 'lax $.origination_detail.referring_provider');
end
$function$
;
CREATE OR REPLACE FUNCTION public.plain_letters(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(NORMALIZE(regexp_replace(fold_case(NORMALIZE(value, NFKD)), '([a-zα-ω])[̀-ͯ]+|[֑-ֽֿ-ׇـً-ٰٟ­​-‏﻿]'::text, '\1'::text, 'g'::text), NFC), 'łøđħıðþæœßё’ʼ'::text, 'lodhidtaosе'''''::text)
;
CREATE OR REPLACE FUNCTION public.provider_search_text(provider jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((provider #>> '{name,given}'::text[]) || ' '::text) || (provider #>> '{name,family}'::text[])) || COALESCE((' '::text || (provider ->> 'npi'::text)), ''::text))
;
CREATE OR REPLACE FUNCTION public.rights_behind_wall(base name)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when base ~ '_history$' or base in ('timeline_event', 'audit_block') then 'select, insert'
    when base = 'audit_pending' then 'select, insert, delete'
    when base in ('audit_head', 'app_user') then 'select, insert, update'
    when base = 'organization' then 'select, update (auto_update_benefits, npi, verification, verification_days, visit_services)'
    when base = 'client' then 'select, insert, update'
    else 'select, insert, update, delete' end
$function$
;
CREATE OR REPLACE FUNCTION public.same_name(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN caseless(btrim(value, ' 	
 　'::text))
;
CREATE OR REPLACE FUNCTION public.search_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN lower((value COLLATE "C")) ELSE in_ascii(caseless(value)) END
;
CREATE OR REPLACE FUNCTION public.sort_key(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN "left"(CASE WHEN (octet_length(value) = length(value)) THEN lower((value COLLATE "C")) ELSE plain_letters(value) END, 200)
;
CREATE OR REPLACE FUNCTION public.trigram_text(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  if octet_length(value) = length(value) then return lower(value collate "C"); end if;
  return public.in_ascii(regexp_replace(
    public.plain_letters(value) || ' ' || translate(public.caseless(value), public.plain_letters(value), ''),
    U&'[\0080-\00bf\2000-\206f\2e00-\2e7f\3000-\3004\3008-\3020\30fb]', ' ', 'g'));
end
$function$
;

create table app_user (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamp(3) with time zone default now() not null
);

create table appointment (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null,
  patient_id uuid generated always as (((body ->> 'patient_id'::text))::uuid) stored not null,
  start_timestamp text collate "C" generated always as ((body ->> 'start_timestamp'::text)) stored not null,
  status text generated always as ((body ->> 'status'::text)) stored,
  not_ready_reason text generated always as ((body ->> 'not_ready_reason'::text)) stored,
  placer_appointment_id text generated always as ((body ->> 'placer_appointment_id'::text)) stored
);

create table appointment_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table appointment_verification (
  organization_id uuid not null,
  appointment_id uuid not null,
  date_of_service text not null,
  begun_at timestamp(3) with time zone not null,
  attempt integer not null,
  due_at timestamp with time zone not null,
  retries integer default 0 not null,
  answers jsonb default '[]'::jsonb not null,
  written_version integer,
  finished_at timestamp(3) with time zone,
  held boolean default false not null,
  faults smallint default 0 not null,
  basis text,
  copay_cents bigint
);

create table audit_block (
  organization_id uuid not null,
  number bigint not null,
  first_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null,
  size integer not null,
  patient_ids uuid[] not null,
  events text not null,
  previous_hash text not null,
  hash text not null
);

create table audit_head (
  organization_id uuid not null,
  number bigint default 0 not null,
  hash text default ''::text not null
);

create table audit_key (
  id text not null,
  sealed_key text not null,
  created_at timestamp(3) with time zone default now() not null
);

create table audit_pending (
  organization_id uuid not null,
  id bigint not null,
  at timestamp(3) with time zone default clock_timestamp() not null,
  act text not null,
  record_type text not null,
  record_ids text[] not null,
  version integer,
  patient_ids text[] not null
);

create table call_window (
  subject bytea not null,
  ends_at timestamp with time zone not null,
  granted integer not null,
  block integer not null
);

create table change_clock (
  organization_id uuid not null,
  record_type text not null,
  at timestamp(3) with time zone not null,
  total bigint default 0 not null,
  live bigint default 0 not null,
  span interval default '00:00:00'::interval not null
);

create table client (
  id uuid not null,
  organization_id uuid not null,
  user_id uuid not null,
  name text not null,
  secret_hash bytea not null,
  previous_secret_hash bytea,
  previous_secret_expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  scopes text[]
);

create table connector (
  organization_id uuid not null,
  name text not null,
  kind text not null,
  settings text not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  public_only boolean default false not null
);

create table coverage (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null,
  auto_updated boolean default false not null,
  patient text generated always as ((body ->> 'patient'::text)) stored,
  insurance_plan_payer_plan_group_id text generated always as ((body #>> '{insurance_plan,payer_plan_group_id}'::text[])) stored,
  member_id_backwards text collate "C" generated always as ("left"(reverse(regexp_replace(upper(((body #>> '{insurance_plan,member_id}'::text[]) COLLATE "C")), '[^A-Z0-9]'::text, ''::text, 'g'::text)), 100)) stored
);

create table coverage_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null,
  auto_updated boolean default false not null
);

create table diagnosis (
  organization_id uuid not null,
  id uuid not null,
  encounter_id uuid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table eligibility_batch (
  organization_id uuid not null,
  id uuid not null,
  submitted_at timestamp(3) with time zone not null,
  user_id uuid not null,
  size integer not null
);

create table eligibility_check (
  organization_id uuid not null,
  id uuid not null,
  initiated_at timestamp(3) with time zone not null,
  completed_at timestamp(3) with time zone,
  user_id uuid not null,
  coverage_id uuid,
  status text not null,
  request jsonb,
  request_key bytea,
  raw_inquiry text,
  raw_response text,
  parsed_response json,
  request_corrections json,
  errors json,
  date_of_service text,
  batch_id uuid,
  batch_index integer,
  appointment_id uuid,
  attempt integer default 1 not null,
  due_at timestamp with time zone default now() not null,
  asked_payer_id text generated always as ((request ->> 'payer_id'::text)) stored,
  asked_npi text generated always as ((request #>> '{provider,npi}'::text[])) stored,
  held boolean default false not null,
  faults smallint default 0 not null,
  answer_form text,
  obstacles json,
  opened_at timestamp with time zone default now()
);

create table eligibility_recommendation (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table eligibility_recommendation_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table encryption_key (
  id text not null,
  created_at timestamp(3) with time zone default now() not null
);

create table event (
  organization_id uuid not null,
  number bigint not null,
  id uuid default gen_random_uuid() not null,
  at timestamp(3) with time zone not null,
  type text not null,
  record_type text not null,
  record_id uuid not null,
  version integer,
  detail jsonb default '{}'::jsonb not null
);

create table event_cursor (
  organization_id uuid not null,
  record_type text not null,
  at timestamp(3) with time zone not null
);

create table event_log (
  organization_id uuid not null,
  last_number bigint default 0 not null,
  pruned_number bigint default 0 not null,
  created_at timestamp(3) with time zone default now() not null
);

create table event_pending (
  organization_id uuid not null,
  id bigint not null,
  at timestamp(3) with time zone default clock_timestamp() not null,
  type text not null,
  record_type text not null,
  record_id uuid not null,
  detail jsonb default '{}'::jsonb not null
);

create table image (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table image_content (
  organization_id uuid not null,
  image_id uuid not null,
  version integer not null,
  upload_id uuid not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 bytea
);

create table image_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table metadata_schema (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table metadata_schema_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null
);

create table mrn_counter (
  organization_id uuid not null,
  day date not null,
  last integer not null
);

create table note (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table note_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table organization (
  id uuid not null,
  name text not null,
  time_zone text default 'UTC'::text not null,
  created_at timestamp(3) with time zone default now() not null,
  auto_update_benefits boolean default true not null,
  npi text,
  verification boolean default false not null,
  verification_days integer default 3 not null,
  visit_services jsonb default '{}'::jsonb not null,
  allowed_origins jsonb default '[]'::jsonb not null
);

create table organization_external_provider (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table organization_external_provider_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table patient (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null,
  full_name text generated always as (COALESCE(trigram_text(patient_name(body)), ''::text)) stored not null,
  mrn text generated always as ((body ->> 'mrn'::text)) stored,
  name_family text generated always as (((body -> 'name'::text) ->> 'family'::text)) stored,
  birth_date text generated always as ((body ->> 'birth_date'::text)) stored,
  primary_telecom_value text generated always as (((body -> 'primary_telecom'::text) ->> 'value'::text)) stored,
  tag_ids jsonb generated always as ((body -> 'tag_ids'::text)) stored,
  external_provenance_system_name text generated always as (((body -> 'external_provenance'::text) ->> 'system_name'::text)) stored,
  external_provenance_external_id text generated always as (((body -> 'external_provenance'::text) ->> 'external_id'::text)) stored,
  provider_npis jsonb generated always as (patient_provider_npis(body)) stored,
  referring_providers integer generated always as (jsonb_array_length(patient_referring_providers(body))) stored
);

create table patient_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table patient_merge (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table patient_merge_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table payer (
  stedi_id text not null,
  has_made_up_id boolean default false not null,
  display_name text not null,
  primary_payer_id text not null,
  aliases jsonb not null,
  names jsonb not null,
  transaction_support jsonb not null,
  employer_identification_numbers jsonb,
  payer_enrollment jsonb,
  parent_payer_group text,
  coverage_types jsonb,
  programs jsonb
);

create table payer_directory (
  id boolean default true not null,
  version bigint not null
);

create table payer_route (
  organization_id uuid not null,
  payer_id text not null,
  connector text not null,
  connector_payer_id text
);

create table record_change (
  organization_id uuid not null,
  record_type text not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  version integer not null
);

create table replica_beat (
  one boolean default true not null,
  timeline text not null,
  at timestamp with time zone not null,
  token uuid not null
);

create table signing_key (
  kid text not null,
  private_key text not null,
  public_key jsonb not null,
  created_at timestamp(3) with time zone default now() not null,
  retired_at timestamp(3) with time zone,
  signs_from timestamp(3) with time zone default now() not null
);

create table tag (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table tag_history (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
);

create table timeline_event (
  organization_id uuid not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  user_id uuid,
  event_type text not null,
  patient_id uuid not null,
  coverage_id uuid,
  appointment_id uuid,
  appointment_date text,
  payload jsonb not null
);

create table user_account (
  organization_id uuid not null,
  id uuid not null,
  username text not null,
  role text not null,
  password_hash text not null,
  must_change_password boolean not null,
  password_expires_at timestamp(3) with time zone,
  disabled_at timestamp(3) with time zone,
  last_signed_in_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null,
  sessions_ended integer default 0 not null
);

create table user_identity (
  organization_id uuid not null,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  is_managed boolean not null,
  created_at timestamp(3) with time zone default now() not null
);

create table user_passkey (
  organization_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone,
  last_challenge bigint default 0 not null
);

create table user_passkey_challenge (
  organization_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  challenge text not null,
  created_at timestamp(3) with time zone default now() not null
);

create table user_recovery_code (
  organization_id uuid not null,
  user_id uuid not null,
  digest bytea not null
);

create table user_second_factor (
  organization_id uuid not null,
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamp(3) with time zone,
  last_step bigint default 0 not null,
  created_at timestamp(3) with time zone default now() not null
);

create table user_session (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_digest bytea not null,
  address text not null,
  user_agent text,
  created_at timestamp(3) with time zone default now() not null,
  last_used_at timestamp(3) with time zone default now() not null,
  expires_at timestamp(3) with time zone not null
);

create table webhook (
  organization_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,
  includes_record boolean default false not null,
  secret text not null,
  previous_secret text,
  previous_secret_expires_at timestamp(3) with time zone,
  position bigint not null,
  enabled boolean default true not null,
  disabled_reason text,
  disabled_at timestamp(3) with time zone,
  failures integer default 0 not null,
  failing_since timestamp(3) with time zone,
  retry_at timestamp(3) with time zone default '-infinity'::timestamp with time zone not null,
  leased_until timestamp(3) with time zone default '-infinity'::timestamp with time zone not null,
  created_at timestamp(3) with time zone default now() not null,
  updated_at timestamp(3) with time zone default now() not null
);

create table webhook_delivery (
  organization_id uuid not null,
  webhook_id uuid not null,
  number bigint not null,
  record_id uuid not null,
  status text default 'PENDING'::text not null,
  attempts integer default 0 not null,
  due_at timestamp(3) with time zone default now() not null,
  first_attempt_at timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  response_status integer,
  duration_ms integer,
  error text
);

create sequence audit_pending_id_seq as bigint minvalue 1 maxvalue 9223372036854775807;
create sequence event_pending_id_seq as bigint minvalue 1 maxvalue 9223372036854775807;
create sequence interchange_control_number as integer minvalue 1 maxvalue 999999999 cycle;

alter table app_user add constraint app_user_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table app_user add constraint app_user_pkey PRIMARY KEY (organization_id, id);
alter table appointment add constraint appointment_pkey PRIMARY KEY (organization_id, id);
alter table appointment_history add constraint appointment_history_pkey PRIMARY KEY (organization_id, id, version);
alter table appointment_verification add constraint appointment_verification_pkey PRIMARY KEY (organization_id, appointment_id);
alter table audit_block add constraint audit_block_pkey PRIMARY KEY (organization_id, number);
alter table audit_head add constraint audit_head_pkey PRIMARY KEY (organization_id);
alter table audit_key add constraint audit_key_pkey PRIMARY KEY (id);
alter table audit_pending add constraint audit_pending_pkey PRIMARY KEY (organization_id, id);
alter table call_window add constraint call_window_pkey PRIMARY KEY (subject);
alter table change_clock add constraint change_clock_pkey PRIMARY KEY (organization_id, record_type);
alter table client add constraint client_pkey PRIMARY KEY (id);
alter table client add constraint client_user_exists FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id);
alter table connector add constraint connector_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table connector add constraint connector_pkey PRIMARY KEY (organization_id, name);
alter table coverage add constraint coverage_pkey PRIMARY KEY (organization_id, id);
alter table coverage_history add constraint coverage_history_pkey PRIMARY KEY (organization_id, id, version);
alter table diagnosis add constraint diagnosis_pkey PRIMARY KEY (organization_id, id);
alter table eligibility_batch add constraint eligibility_batch_pkey PRIMARY KEY (organization_id, id);
alter table eligibility_check add constraint eligibility_check_pkey PRIMARY KEY (organization_id, id);
alter table eligibility_recommendation add constraint eligibility_recommendation_pkey PRIMARY KEY (organization_id, id);
alter table eligibility_recommendation_history add constraint eligibility_recommendation_history_pkey PRIMARY KEY (organization_id, id, version);
alter table encryption_key add constraint encryption_key_pkey PRIMARY KEY (id);
alter table event add constraint event_pkey PRIMARY KEY (organization_id, number);
alter table event_cursor add constraint event_cursor_pkey PRIMARY KEY (organization_id, record_type);
alter table event_log add constraint event_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table event_log add constraint event_log_pkey PRIMARY KEY (organization_id);
alter table event_pending add constraint event_pending_pkey PRIMARY KEY (organization_id, id);
alter table image add constraint image_pkey PRIMARY KEY (organization_id, id);
alter table image_content add constraint image_content_pkey PRIMARY KEY (organization_id, image_id, version);
alter table image_history add constraint image_history_pkey PRIMARY KEY (organization_id, id, version);
alter table metadata_schema add constraint metadata_schema_pkey PRIMARY KEY (organization_id, id);
alter table metadata_schema_history add constraint metadata_schema_history_pkey PRIMARY KEY (organization_id, id, version);
alter table migration add constraint migration_pkey PRIMARY KEY (name);
alter table mrn_counter add constraint mrn_counter_pkey PRIMARY KEY (organization_id, day);
alter table note add constraint note_pkey PRIMARY KEY (organization_id, id);
alter table note_history add constraint note_history_pkey PRIMARY KEY (organization_id, id, version);
alter table organization add constraint organization_name_unique UNIQUE (name);
alter table organization add constraint organization_pkey PRIMARY KEY (id);
alter table organization_external_provider add constraint organization_external_provider_pkey PRIMARY KEY (organization_id, id);
alter table organization_external_provider_history add constraint organization_external_provider_history_pkey PRIMARY KEY (organization_id, id, version);
alter table patient add constraint patient_pkey PRIMARY KEY (organization_id, id);
alter table patient_history add constraint patient_history_pkey PRIMARY KEY (organization_id, id, version);
alter table patient_merge add constraint patient_merge_pkey PRIMARY KEY (organization_id, id);
alter table patient_merge_history add constraint patient_merge_history_pkey PRIMARY KEY (organization_id, id, version);
alter table payer add constraint payer_pkey PRIMARY KEY (stedi_id);
alter table payer add constraint payer_stedi_id_format CHECK ((stedi_id ~ '^[A-Z]{5}$'::text));
alter table payer_directory add constraint payer_directory_id_check CHECK (id);
alter table payer_directory add constraint payer_directory_pkey PRIMARY KEY (id);
alter table payer_route add constraint payer_route_connector_exists FOREIGN KEY (organization_id, connector) REFERENCES connector(organization_id, name);
alter table payer_route add constraint payer_route_pkey PRIMARY KEY (organization_id, payer_id);
alter table record_change add constraint record_change_pkey PRIMARY KEY (organization_id, record_type, id);
alter table replica_beat add constraint replica_beat_one_check CHECK (one);
alter table replica_beat add constraint replica_beat_pkey PRIMARY KEY (one);
alter table signing_key add constraint signing_key_pkey PRIMARY KEY (kid);
alter table tag add constraint tag_pkey PRIMARY KEY (organization_id, id);
alter table tag_history add constraint tag_history_pkey PRIMARY KEY (organization_id, id, version);
alter table timeline_event add constraint timeline_event_pkey PRIMARY KEY (organization_id, id);
alter table user_account add constraint user_account_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table user_account add constraint user_account_pkey PRIMARY KEY (organization_id, id);
alter table user_account add constraint user_account_user_exists FOREIGN KEY (organization_id, id) REFERENCES app_user(organization_id, id);
alter table user_account add constraint user_account_username_unique UNIQUE (username);
alter table user_identity add constraint user_identity_pkey PRIMARY KEY (organization_id, issuer, subject);
alter table user_identity add constraint user_identity_user_exists FOREIGN KEY (organization_id, user_id) REFERENCES user_account(organization_id, id) ON DELETE CASCADE;
alter table user_identity add constraint user_identity_user_unique UNIQUE (organization_id, user_id);
alter table user_passkey add constraint user_passkey_credential_unique UNIQUE (organization_id, user_id, credential_id);
alter table user_passkey add constraint user_passkey_pkey PRIMARY KEY (organization_id, user_id, id);
alter table user_passkey add constraint user_passkey_user_exists FOREIGN KEY (organization_id, user_id) REFERENCES user_account(organization_id, id) ON DELETE CASCADE;
alter table user_passkey_challenge add constraint user_passkey_challenge_pkey PRIMARY KEY (organization_id, user_id);
alter table user_passkey_challenge add constraint user_passkey_challenge_user_exists FOREIGN KEY (organization_id, user_id) REFERENCES user_account(organization_id, id) ON DELETE CASCADE;
alter table user_recovery_code add constraint user_recovery_code_factor_exists FOREIGN KEY (organization_id, user_id) REFERENCES user_second_factor(organization_id, user_id) ON DELETE CASCADE;
alter table user_recovery_code add constraint user_recovery_code_pkey PRIMARY KEY (organization_id, user_id, digest);
alter table user_second_factor add constraint user_second_factor_pkey PRIMARY KEY (organization_id, user_id);
alter table user_second_factor add constraint user_second_factor_user_exists FOREIGN KEY (organization_id, user_id) REFERENCES user_account(organization_id, id) ON DELETE CASCADE;
alter table user_session add constraint user_session_pkey PRIMARY KEY (organization_id, id);
alter table user_session add constraint user_session_user_exists FOREIGN KEY (organization_id, user_id) REFERENCES user_account(organization_id, id) ON DELETE CASCADE;
alter table webhook add constraint webhook_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table webhook add constraint webhook_pkey PRIMARY KEY (organization_id, id);
alter table webhook_delivery add constraint webhook_delivery_pkey PRIMARY KEY (organization_id, webhook_id, number);
alter table webhook_delivery add constraint webhook_delivery_webhook FOREIGN KEY (organization_id, webhook_id) REFERENCES webhook(organization_id, id) ON DELETE CASCADE;

CREATE INDEX appointment_not_ready ON public.appointment USING btree (organization_id, not_ready_reason, start_timestamp, id) INCLUDE (patient_id, deactivated) WHERE (not_ready_reason IS NOT NULL);
CREATE INDEX appointment_patient ON public.appointment USING btree (organization_id, patient_id, start_timestamp, id) INCLUDE (status, deactivated);
CREATE UNIQUE INDEX appointment_placer_id_unique ON public.appointment USING btree (organization_id, placer_appointment_id) WHERE (placer_appointment_id IS NOT NULL);
CREATE INDEX appointment_start ON public.appointment USING btree (organization_id, start_timestamp, id) INCLUDE (patient_id, status, deactivated);
CREATE INDEX appointment_status ON public.appointment USING btree (organization_id, status, start_timestamp, id) INCLUDE (patient_id, deactivated);
CREATE INDEX appointment_verification_open ON public.appointment_verification USING btree (organization_id) WHERE (finished_at IS NULL);
CREATE INDEX audit_block_patient ON public.audit_block USING gin (organization_id, patient_ids);
CREATE INDEX audit_block_time ON public.audit_block USING btree (organization_id, last_at);
CREATE INDEX coverage_member_id ON public.coverage USING btree (organization_id, member_id_backwards);
CREATE INDEX coverage_patient ON public.coverage USING btree (organization_id, patient, id);
CREATE INDEX coverage_plan_group ON public.coverage USING btree (organization_id, insurance_plan_payer_plan_group_id) WHERE (insurance_plan_payer_plan_group_id IS NOT NULL);
CREATE UNIQUE INDEX diagnosis_primary_unique ON public.diagnosis USING btree (organization_id, encounter_id) WHERE ((body ->> 'code_type'::text) = ANY (ARRAY['ABK'::text, 'BK'::text]));
CREATE INDEX eligibility_check_appointment ON public.eligibility_check USING btree (organization_id, appointment_id, initiated_at) WHERE (appointment_id IS NOT NULL);
CREATE UNIQUE INDEX eligibility_check_batch ON public.eligibility_check USING btree (organization_id, batch_id, batch_index) WHERE (batch_id IS NOT NULL);
CREATE INDEX eligibility_check_coverage ON public.eligibility_check USING btree (organization_id, coverage_id, initiated_at) WHERE (coverage_id IS NOT NULL);
CREATE INDEX eligibility_check_day ON public.eligibility_check USING btree (organization_id, date_of_service, initiated_at, id);
CREATE INDEX eligibility_check_due ON public.eligibility_check USING btree (organization_id, due_at) WHERE (status = 'PENDING'::text);
CREATE INDEX eligibility_check_initiated ON public.eligibility_check USING btree (organization_id, initiated_at, id);
CREATE INDEX eligibility_check_member ON public.eligibility_check USING btree (organization_id, ((request #>> '{subscriber,member_id}'::text[])), initiated_at, id);
CREATE INDEX eligibility_check_messages ON public.eligibility_check USING btree (organization_id, initiated_at, id) WHERE ((raw_inquiry IS NOT NULL) OR (raw_response IS NOT NULL));
CREATE INDEX eligibility_check_payer ON public.eligibility_check USING btree (organization_id, asked_payer_id, initiated_at, id);
CREATE INDEX eligibility_check_provider ON public.eligibility_check USING btree (organization_id, asked_npi, initiated_at, id);
CREATE INDEX eligibility_check_same ON public.eligibility_check USING btree (organization_id, request_key, initiated_at DESC) WHERE (status = 'COMPLETED'::text);
CREATE INDEX eligibility_recommendation_check ON public.eligibility_recommendation USING btree (organization_id, ((body ->> 'eligibility_check_id'::text)), (((body -> 'recommendation'::text) ->> 'type'::text)), created_at, id) WHERE (NOT deactivated);
CREATE INDEX eligibility_recommendation_coverage ON public.eligibility_recommendation USING btree (organization_id, ((body ->> 'coverage_id'::text)), (((body -> 'recommendation'::text) ->> 'type'::text)), created_at, id) WHERE ((NOT deactivated) AND ((body ->> 'coverage_id'::text) IS NOT NULL));
CREATE INDEX eligibility_recommendation_family ON public.eligibility_recommendation USING btree (organization_id, (((body -> 'patient'::text) ->> 'last_name'::text)), (((body -> 'recommendation'::text) ->> 'type'::text)), created_at, id) WHERE ((NOT deactivated) AND (((body -> 'patient'::text) ->> 'last_name'::text) IS NOT NULL));
CREATE INDEX eligibility_recommendation_latest ON public.eligibility_recommendation USING btree (organization_id, (((body -> 'recommendation'::text) ->> 'type'::text)), created_at, id) WHERE (NOT deactivated);
CREATE INDEX eligibility_recommendation_member ON public.eligibility_recommendation USING btree (organization_id, (((body -> 'patient'::text) ->> 'member_id'::text)), (((body -> 'recommendation'::text) ->> 'type'::text)), created_at, id) WHERE ((NOT deactivated) AND (((body -> 'patient'::text) ->> 'member_id'::text) IS NOT NULL));
CREATE INDEX eligibility_recommendation_mrn ON public.eligibility_recommendation USING btree (organization_id, (((body -> 'patient'::text) ->> 'mrn'::text)), (((body -> 'recommendation'::text) ->> 'type'::text)), created_at, id) WHERE ((NOT deactivated) AND (((body -> 'patient'::text) ->> 'mrn'::text) IS NOT NULL));
CREATE INDEX eligibility_recommendation_patient ON public.eligibility_recommendation USING btree (organization_id, (((body -> 'patient'::text) ->> 'id'::text)), (((body -> 'recommendation'::text) ->> 'type'::text)), created_at, id) WHERE ((NOT deactivated) AND (((body -> 'patient'::text) ->> 'id'::text) IS NOT NULL));
CREATE INDEX event_at ON public.event USING btree (organization_id, at);
CREATE UNIQUE INDEX image_coverage_side_unique ON public.image USING btree (organization_id, (((body -> 'coverage'::text) ->> 'id'::text)), (((body -> 'coverage'::text) ->> 'side'::text))) WHERE (NOT deactivated);
CREATE INDEX image_patient ON public.image USING btree (organization_id, (((body -> 'patient'::text) ->> 'id'::text))) WHERE (NOT deactivated);
CREATE UNIQUE INDEX metadata_schema_name_unique ON public.metadata_schema USING btree (organization_id, ((body ->> 'name'::text)));
CREATE INDEX organization_external_provider_family ON public.organization_external_provider USING btree (organization_id, (((body -> 'name'::text) ->> 'family'::text)), id) WHERE (NOT deactivated);
CREATE UNIQUE INDEX organization_external_provider_npi_unique ON public.organization_external_provider USING btree (organization_id, ((body ->> 'npi'::text))) WHERE ((body ->> 'npi'::text) <> ''::text);
CREATE INDEX patient_demographics ON public.patient USING btree (organization_id, birth_date, "left"(same_name(name_family), 50)) WHERE (NOT deactivated);
CREATE UNIQUE INDEX patient_external_id_unique ON public.patient USING btree (organization_id, external_provenance_system_name, external_provenance_external_id) WHERE (external_provenance_external_id IS NOT NULL);
CREATE INDEX patient_family ON public.patient USING btree (organization_id, name_family, id);
CREATE INDEX patient_family_order ON public.patient USING btree (organization_id, sort_key(name_family) COLLATE "C", id);
CREATE UNIQUE INDEX patient_mrn_unique ON public.patient USING btree (organization_id, mrn);
CREATE INDEX patient_numbers ON public.patient USING gin (organization_id, caseless(mrn) gin_trgm_ops, caseless(primary_telecom_value) gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX patient_phone ON public.patient USING btree (organization_id, primary_telecom_value) WHERE (primary_telecom_value IS NOT NULL);
CREATE INDEX patient_provider_npi ON public.patient USING gin (organization_id, provider_npis) WITH (fastupdate='on', gin_pending_list_limit='64') WHERE (NOT deactivated);
CREATE INDEX patient_referred ON public.patient USING btree (organization_id, referring_providers) WHERE (NOT deactivated);
CREATE INDEX patient_search ON public.patient USING gin (organization_id, search_text(name_family) gin_trgm_ops, tag_ids, lower(full_name) gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX patient_similar_name ON public.patient USING gist (organization_id, full_name gist_trgm_ops);
CREATE UNIQUE INDEX patient_merge_alternative_unique ON public.patient_merge USING btree (organization_id, ((body ->> 'alternative_patient_mrn'::text))) WHERE (NOT deactivated);
CREATE INDEX patient_merge_primary ON public.patient_merge USING btree (organization_id, ((body ->> 'primary_patient_mrn'::text))) WHERE (NOT deactivated);
CREATE INDEX payer_route_connector ON public.payer_route USING btree (organization_id, connector);
CREATE INDEX record_change_at ON public.record_change USING btree (organization_id, record_type, at, id);
CREATE INDEX tag_by_value ON public.tag USING btree (organization_id, ((body ->> 'value'::text)));
CREATE UNIQUE INDEX tag_value_unique ON public.tag USING btree (organization_id, ((body ->> 'value'::text))) WHERE (NOT deactivated);
CREATE INDEX timeline_event_patient ON public.timeline_event USING btree (organization_id, patient_id, at DESC, id DESC);
CREATE INDEX user_session_user ON public.user_session USING btree (organization_id, user_id);
CREATE INDEX webhook_delivery_pending ON public.webhook_delivery USING btree (organization_id, webhook_id, due_at, number) WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_delivery_record ON public.webhook_delivery USING btree (organization_id, webhook_id, record_id, number) WHERE (status = 'PENDING'::text);

alter table app_user enable row level security;
alter table appointment enable row level security;
alter table appointment_history enable row level security;
alter table appointment_verification enable row level security;
alter table audit_block enable row level security;
alter table audit_head enable row level security;
alter table audit_pending enable row level security;
alter table change_clock enable row level security;
alter table client enable row level security;
alter table connector enable row level security;
alter table coverage enable row level security;
alter table coverage_history enable row level security;
alter table diagnosis enable row level security;
alter table eligibility_batch enable row level security;
alter table eligibility_check enable row level security;
alter table eligibility_recommendation enable row level security;
alter table eligibility_recommendation_history enable row level security;
alter table event enable row level security;
alter table event_cursor enable row level security;
alter table event_log enable row level security;
alter table event_pending enable row level security;
alter table image enable row level security;
alter table image_content enable row level security;
alter table image_history enable row level security;
alter table metadata_schema enable row level security;
alter table metadata_schema_history enable row level security;
alter table mrn_counter enable row level security;
alter table note enable row level security;
alter table note_history enable row level security;
alter table organization enable row level security;
alter table organization_external_provider enable row level security;
alter table organization_external_provider_history enable row level security;
alter table patient enable row level security;
alter table patient_history enable row level security;
alter table patient_merge enable row level security;
alter table patient_merge_history enable row level security;
alter table payer_route enable row level security;
alter table record_change enable row level security;
alter table tag enable row level security;
alter table tag_history enable row level security;
alter table timeline_event enable row level security;
alter table user_account enable row level security;
alter table user_identity enable row level security;
alter table user_passkey enable row level security;
alter table user_passkey_challenge enable row level security;
alter table user_recovery_code enable row level security;
alter table user_second_factor enable row level security;
alter table user_session enable row level security;
alter table webhook enable row level security;
alter table webhook_delivery enable row level security;
create policy one_organization on app_user to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on appointment to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on appointment_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on appointment_verification to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on audit_block to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on audit_head to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on audit_pending to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on change_clock to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on client to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on connector to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on coverage to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on coverage_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on diagnosis to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on eligibility_batch to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on eligibility_check to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on eligibility_recommendation to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on eligibility_recommendation_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on event to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on event_cursor to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on event_log to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on event_pending to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on image to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on image_content to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on image_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on metadata_schema to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on metadata_schema_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on mrn_counter to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on note to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on note_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on organization to anteroom_app using ((id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on organization_external_provider to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on organization_external_provider_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on patient to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on patient_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on patient_merge to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on patient_merge_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on payer_route to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on record_change to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on tag to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on tag_history to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on timeline_event to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on user_account to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on user_identity to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on user_passkey to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on user_passkey_challenge to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on user_recovery_code to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on user_second_factor to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on user_session to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on webhook to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create policy one_organization on webhook_delivery to anteroom_app using ((organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid));
create view walled.app_user as select * from app_user where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.appointment as select * from appointment where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.appointment_history as select * from appointment_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.appointment_verification as select * from appointment_verification where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.audit_block as select * from audit_block where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.audit_head as select * from audit_head where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.audit_pending as select * from audit_pending where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.change_clock as select * from change_clock where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.client as select * from client where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.connector as select * from connector where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.coverage as select * from coverage where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.coverage_history as select * from coverage_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.diagnosis as select * from diagnosis where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.eligibility_batch as select * from eligibility_batch where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.eligibility_check as select * from eligibility_check where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.eligibility_recommendation as select * from eligibility_recommendation where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.eligibility_recommendation_history as select * from eligibility_recommendation_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.event as select * from event where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.event_cursor as select * from event_cursor where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.event_log as select * from event_log where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.event_pending as select * from event_pending where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.image as select * from image where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.image_content as select * from image_content where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.image_history as select * from image_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.metadata_schema as select * from metadata_schema where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.metadata_schema_history as select * from metadata_schema_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.mrn_counter as select * from mrn_counter where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.note as select * from note where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.note_history as select * from note_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.organization as select * from organization where (id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.organization_external_provider as select * from organization_external_provider where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.organization_external_provider_history as select * from organization_external_provider_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.patient as select * from patient where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.patient_history as select * from patient_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.patient_merge as select * from patient_merge where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.patient_merge_history as select * from patient_merge_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.payer_route as select * from payer_route where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.record_change as select * from record_change where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.tag as select * from tag where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.tag_history as select * from tag_history where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.timeline_event as select * from timeline_event where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.user_account as select * from user_account where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.user_identity as select * from user_identity where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.user_passkey as select * from user_passkey where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.user_passkey_challenge as select * from user_passkey_challenge where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.user_recovery_code as select * from user_recovery_code where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.user_second_factor as select * from user_second_factor where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.user_session as select * from user_session where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.webhook as select * from webhook where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
create view walled.webhook_delivery as select * from webhook_delivery where (organization_id = (NULLIF(current_setting('anteroom.organization'::text, true), ''::text))::uuid) check_option=cascaded;
grant delete, insert, select on public.audit_pending to anteroom_app;
grant delete, insert, select on walled.audit_pending to anteroom_app;
grant delete, insert, select, update on public.appointment to anteroom_app;
grant delete, insert, select, update on public.appointment_verification to anteroom_app;
grant delete, insert, select, update on public.change_clock to anteroom_app;
grant delete, insert, select, update on public.connector to anteroom_app;
grant delete, insert, select, update on public.coverage to anteroom_app;
grant delete, insert, select, update on public.diagnosis to anteroom_app;
grant delete, insert, select, update on public.eligibility_batch to anteroom_app;
grant delete, insert, select, update on public.eligibility_check to anteroom_app;
grant delete, insert, select, update on public.eligibility_recommendation to anteroom_app;
grant delete, insert, select, update on public.event to anteroom_app;
grant delete, insert, select, update on public.event_cursor to anteroom_app;
grant delete, insert, select, update on public.event_log to anteroom_app;
grant delete, insert, select, update on public.event_pending to anteroom_app;
grant delete, insert, select, update on public.image to anteroom_app;
grant delete, insert, select, update on public.image_content to anteroom_app;
grant delete, insert, select, update on public.metadata_schema to anteroom_app;
grant delete, insert, select, update on public.mrn_counter to anteroom_app;
grant delete, insert, select, update on public.note to anteroom_app;
grant delete, insert, select, update on public.organization_external_provider to anteroom_app;
grant delete, insert, select, update on public.patient to anteroom_app;
grant delete, insert, select, update on public.patient_merge to anteroom_app;
grant delete, insert, select, update on public.payer_route to anteroom_app;
grant delete, insert, select, update on public.record_change to anteroom_app;
grant delete, insert, select, update on public.tag to anteroom_app;
grant delete, insert, select, update on public.user_account to anteroom_app;
grant delete, insert, select, update on public.user_identity to anteroom_app;
grant delete, insert, select, update on public.user_passkey to anteroom_app;
grant delete, insert, select, update on public.user_passkey_challenge to anteroom_app;
grant delete, insert, select, update on public.user_recovery_code to anteroom_app;
grant delete, insert, select, update on public.user_second_factor to anteroom_app;
grant delete, insert, select, update on public.user_session to anteroom_app;
grant delete, insert, select, update on public.webhook to anteroom_app;
grant delete, insert, select, update on public.webhook_delivery to anteroom_app;
grant delete, insert, select, update on walled.appointment to anteroom_app;
grant delete, insert, select, update on walled.appointment_verification to anteroom_app;
grant delete, insert, select, update on walled.change_clock to anteroom_app;
grant delete, insert, select, update on walled.connector to anteroom_app;
grant delete, insert, select, update on walled.coverage to anteroom_app;
grant delete, insert, select, update on walled.diagnosis to anteroom_app;
grant delete, insert, select, update on walled.eligibility_batch to anteroom_app;
grant delete, insert, select, update on walled.eligibility_check to anteroom_app;
grant delete, insert, select, update on walled.eligibility_recommendation to anteroom_app;
grant delete, insert, select, update on walled.event to anteroom_app;
grant delete, insert, select, update on walled.event_cursor to anteroom_app;
grant delete, insert, select, update on walled.event_log to anteroom_app;
grant delete, insert, select, update on walled.event_pending to anteroom_app;
grant delete, insert, select, update on walled.image to anteroom_app;
grant delete, insert, select, update on walled.image_content to anteroom_app;
grant delete, insert, select, update on walled.metadata_schema to anteroom_app;
grant delete, insert, select, update on walled.mrn_counter to anteroom_app;
grant delete, insert, select, update on walled.note to anteroom_app;
grant delete, insert, select, update on walled.organization_external_provider to anteroom_app;
grant delete, insert, select, update on walled.patient to anteroom_app;
grant delete, insert, select, update on walled.patient_merge to anteroom_app;
grant delete, insert, select, update on walled.payer_route to anteroom_app;
grant delete, insert, select, update on walled.record_change to anteroom_app;
grant delete, insert, select, update on walled.tag to anteroom_app;
grant delete, insert, select, update on walled.user_account to anteroom_app;
grant delete, insert, select, update on walled.user_identity to anteroom_app;
grant delete, insert, select, update on walled.user_passkey to anteroom_app;
grant delete, insert, select, update on walled.user_passkey_challenge to anteroom_app;
grant delete, insert, select, update on walled.user_recovery_code to anteroom_app;
grant delete, insert, select, update on walled.user_second_factor to anteroom_app;
grant delete, insert, select, update on walled.user_session to anteroom_app;
grant delete, insert, select, update on walled.webhook to anteroom_app;
grant delete, insert, select, update on walled.webhook_delivery to anteroom_app;
grant insert, select on public.appointment_history to anteroom_app;
grant insert, select on public.audit_block to anteroom_app;
grant insert, select on public.coverage_history to anteroom_app;
grant insert, select on public.eligibility_recommendation_history to anteroom_app;
grant insert, select on public.image_history to anteroom_app;
grant insert, select on public.metadata_schema_history to anteroom_app;
grant insert, select on public.note_history to anteroom_app;
grant insert, select on public.organization_external_provider_history to anteroom_app;
grant insert, select on public.patient_history to anteroom_app;
grant insert, select on public.patient_merge_history to anteroom_app;
grant insert, select on public.tag_history to anteroom_app;
grant insert, select on public.timeline_event to anteroom_app;
grant insert, select on walled.appointment_history to anteroom_app;
grant insert, select on walled.audit_block to anteroom_app;
grant insert, select on walled.coverage_history to anteroom_app;
grant insert, select on walled.eligibility_recommendation_history to anteroom_app;
grant insert, select on walled.image_history to anteroom_app;
grant insert, select on walled.metadata_schema_history to anteroom_app;
grant insert, select on walled.note_history to anteroom_app;
grant insert, select on walled.organization_external_provider_history to anteroom_app;
grant insert, select on walled.patient_history to anteroom_app;
grant insert, select on walled.patient_merge_history to anteroom_app;
grant insert, select on walled.tag_history to anteroom_app;
grant insert, select on walled.timeline_event to anteroom_app;
grant insert, select, update on public.app_user to anteroom_app;
grant insert, select, update on public.audit_head to anteroom_app;
grant insert, select, update on public.client to anteroom_app;
grant insert, select, update on walled.app_user to anteroom_app;
grant insert, select, update on walled.audit_head to anteroom_app;
grant insert, select, update on walled.client to anteroom_app;
grant select on public.migration to anteroom_app;
grant select on public.organization to anteroom_app;
grant select on public.payer to anteroom_app;
grant select on public.payer_directory to anteroom_app;
grant select on public.replica_beat to anteroom_app;
grant select on walled.organization to anteroom_app;
grant usage on public.interchange_control_number to anteroom_app;
