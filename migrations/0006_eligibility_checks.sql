-- One row a check, never versioned: what was asked, what went over the wire, what came back and what we read in it.
create table eligibility_check (
  organization_id uuid not null,
  id              uuid not null,
  initiated_at    timestamptz(3) not null,
  completed_at    timestamptz(3),
  user_id         uuid not null,
  coverage_id     uuid,
  -- PENDING, COMPLETED, FAILED
  status          text not null,
  -- The request with its defaults filled in; a portal password is sealed (src/encryption.ts).
  request         jsonb not null,
  -- SHA-256 of what makes two checks the same (rules.md 13.5).
  request_key     bytea not null,
  -- The raw 270 and 271, sealed.
  raw_inquiry     text,
  raw_response    text,
  -- The Stedi-shaped answer, what we read in it, what the payer corrected, and why it failed.
  response        json,
  parsed_response json,
  request_corrections json,
  errors          json,
  primary key (organization_id, id)
);

create index eligibility_check_same on eligibility_check (organization_id, request_key, initiated_at desc) where status = 'COMPLETED';

-- Control numbers of the interchanges that we send, one series a receiver: they return in acknowledgements.
create sequence interchange_control_number as integer minvalue 1 maxvalue 999999999 cycle;
