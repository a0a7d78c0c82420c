-- What happened to a patient's eligibility, appointments, coverages and tags (rules.md 6, "Timeline"). Written with the write
-- that it tells of, never changed. Without a user the system did it.
create table timeline_event (
  organization_id  uuid not null,
  id               uuid not null,
  at               timestamptz(3) not null,
  user_id          uuid,
  event_type       text not null,
  patient_id       uuid not null,
  coverage_id      uuid,
  appointment_id   uuid,
  appointment_date text,
  payload          jsonb not null,
  primary key (organization_id, id)
);

create index timeline_event_patient on timeline_event (organization_id, patient_id, at desc, id desc);
