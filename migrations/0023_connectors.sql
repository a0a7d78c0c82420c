-- An organization's own ways to payers, beside the one of the settings.
create table connector (
  organization_id uuid not null references organization (id),
  name            text not null,
  -- core, stedi, availity
  kind            text not null,
  -- Everything that it needs, credentials included, as JSON and sealed (src/encryption.ts).
  settings        text not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, name)
);

-- Which connector asks which payer. The empty payer id stands for every payer without a route of its own.
create table payer_route (
  organization_id    uuid not null,
  payer_id           text not null,
  connector          text not null,
  -- What the connector's other side calls this payer, where it is another id.
  connector_payer_id text,
  primary key (organization_id, payer_id),
  constraint payer_route_connector_exists foreign key (organization_id, connector) references connector (organization_id, name)
);

create index payer_route_connector on payer_route (organization_id, connector);
