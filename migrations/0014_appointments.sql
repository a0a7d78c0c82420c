create table appointment (
  organization_id  uuid not null,
  id               uuid not null,
  version          integer not null,
  deactivated      boolean not null,
  updated_at       timestamptz(3) not null,
  updating_user_id uuid not null,
  created_at       timestamptz(3) not null,
  body             jsonb not null,
  primary key (organization_id, id)
);

create table appointment_history (
  like appointment,
  primary key (organization_id, id, version)
);

-- A deactivated appointment holds its id: a PUT may bring it back (rules.md 11.2).
create unique index appointment_placer_id_unique on appointment (organization_id, (body ->> 'placer_appointment_id'))
  where body ? 'placer_appointment_id';

create index appointment_scan on appointment (organization_id, updated_at, id);
create index appointment_patient on appointment (organization_id, (body ->> 'patient_id'), id);
