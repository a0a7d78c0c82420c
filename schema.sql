-- Generated from migrations/ by npm run generate. Do not edit.

create table app_user (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamp(3) with time zone default now() not null
);

create table change_clock (
  organization_id uuid not null,
  record_type text not null,
  at timestamp(3) with time zone not null,
  records_at integer not null
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
  created_at timestamp(3) with time zone default now() not null
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
  auto_updated boolean default false not null
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

create table eligibility_check (
  organization_id uuid not null,
  id uuid not null,
  initiated_at timestamp(3) with time zone not null,
  completed_at timestamp(3) with time zone,
  user_id uuid not null,
  coverage_id uuid,
  status text not null,
  request jsonb not null,
  request_key bytea not null,
  raw_inquiry text,
  raw_response text,
  response json,
  parsed_response json,
  request_corrections json,
  errors json
);

create table encryption_key (
  id text not null,
  created_at timestamp(3) with time zone default now() not null
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
  created_at timestamp(3) with time zone default now() not null
);

create table patient (
  organization_id uuid not null,
  id uuid not null,
  version integer not null,
  deactivated boolean not null,
  updated_at timestamp(3) with time zone not null,
  updating_user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  body jsonb not null
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

create table signing_key (
  kid text not null,
  private_key text not null,
  public_key jsonb not null,
  created_at timestamp(3) with time zone default now() not null,
  retired_at timestamp(3) with time zone
);

create sequence interchange_control_number as integer minvalue 1 maxvalue 999999999 cycle;

alter table app_user add constraint app_user_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table app_user add constraint app_user_pkey PRIMARY KEY (organization_id, id);
alter table change_clock add constraint change_clock_pkey PRIMARY KEY (organization_id, record_type);
alter table client add constraint client_pkey PRIMARY KEY (id);
alter table client add constraint client_user_exists FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id);
alter table coverage add constraint coverage_pkey PRIMARY KEY (organization_id, id);
alter table coverage_history add constraint coverage_history_pkey PRIMARY KEY (organization_id, id, version);
alter table eligibility_check add constraint eligibility_check_pkey PRIMARY KEY (organization_id, id);
alter table encryption_key add constraint encryption_key_pkey PRIMARY KEY (id);
alter table migration add constraint migration_pkey PRIMARY KEY (name);
alter table mrn_counter add constraint mrn_counter_pkey PRIMARY KEY (organization_id, day);
alter table note add constraint note_pkey PRIMARY KEY (organization_id, id);
alter table note_history add constraint note_history_pkey PRIMARY KEY (organization_id, id, version);
alter table organization add constraint organization_name_unique UNIQUE (name);
alter table organization add constraint organization_pkey PRIMARY KEY (id);
alter table patient add constraint patient_pkey PRIMARY KEY (organization_id, id);
alter table patient_history add constraint patient_history_pkey PRIMARY KEY (organization_id, id, version);
alter table signing_key add constraint signing_key_pkey PRIMARY KEY (kid);

CREATE INDEX coverage_patient ON public.coverage USING btree (organization_id, ((body ->> 'patient'::text)), id);
CREATE INDEX coverage_scan ON public.coverage USING btree (organization_id, updated_at, id);
CREATE INDEX eligibility_check_same ON public.eligibility_check USING btree (organization_id, request_key, initiated_at DESC) WHERE (status = 'COMPLETED'::text);
CREATE INDEX patient_demographics ON public.patient USING btree (organization_id, ((body ->> 'birth_date'::text)), "left"(lower(btrim(((body -> 'name'::text) ->> 'family'::text))), 50)) WHERE (NOT deactivated);
CREATE UNIQUE INDEX patient_external_id_unique ON public.patient USING btree (organization_id, (((body -> 'external_provenance'::text) ->> 'system_name'::text)), (((body -> 'external_provenance'::text) ->> 'external_id'::text))) WHERE (body ? 'external_provenance'::text);
CREATE UNIQUE INDEX patient_mrn_unique ON public.patient USING btree (organization_id, ((body ->> 'mrn'::text)));
CREATE INDEX patient_scan ON public.patient USING btree (organization_id, updated_at, id);
