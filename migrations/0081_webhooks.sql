-- Where an organization wants to be told of events. decisions/0040-webhooks.md
create table webhook (
  organization_id            uuid not null references organization (id),
  id                         uuid not null,
  url                        text not null,
  description                text,
  -- 'patient.created', 'patient.*' or '*'.
  event_types                text[] not null,
  includes_record            boolean not null default false,
  -- Encrypted (src/platform/crypto). The previous one signs, too, until it expires.
  secret                     text not null,
  previous_secret            text,
  previous_secret_expires_at timestamptz(3),
  -- Deliveries have been made of the events up to this number.
  position                   bigint not null,
  enabled                    boolean not null default true,
  disabled_reason            text,
  disabled_at                timestamptz(3),
  -- Attempts that failed since the last one that succeeded.
  failures                   integer not null default 0,
  failing_since              timestamptz(3),
  -- Nothing is sent before this moment.
  retry_at                   timestamptz(3) not null default '-infinity',
  -- One process at a time sends, which keeps the events of a record in order.
  leased_until               timestamptz(3) not null default '-infinity',
  created_at                 timestamptz(3) not null default now(),
  updated_at                 timestamptz(3) not null default now(),
  primary key (organization_id, id)
);

create table webhook_delivery (
  organization_id uuid not null,
  webhook_id      uuid not null,
  number          bigint not null,
  record_id       uuid not null,
  -- PENDING, DELIVERED, FAILED
  status          text not null default 'PENDING',
  attempts        integer not null default 0,
  due_at          timestamptz(3) not null default now(),
  first_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  -- Of the last attempt: the HTTP status, the milliseconds, and what went wrong. Never what the receiver wrote.
  response_status integer,
  duration_ms     integer,
  error           text,
  primary key (organization_id, webhook_id, number),
  constraint webhook_delivery_webhook foreign key (organization_id, webhook_id) references webhook (organization_id, id) on delete cascade
);
create index webhook_delivery_pending on webhook_delivery (organization_id, webhook_id, due_at, number) where status = 'PENDING';
create index webhook_delivery_record on webhook_delivery (organization_id, webhook_id, record_id, number) where status = 'PENDING';
