-- The payer directory: which payers there are, for all organizations alike. An import writes it as a whole and counts
-- `version` up in the same transaction, so that every process can tell at a glance that its index in memory is of the past.
create table payer (
  -- Five capital letters that never change. Source: rules.md 13.7.
  stedi_id            text primary key constraint payer_stedi_id_format check (stedi_id ~ '^[A-Z]{5}$'),
  -- True where the list that the payer came from has no such id and we made one up: a list that has it may replace it.
  has_made_up_id      boolean not null default false,
  display_name        text not null,
  primary_payer_id    text not null,
  aliases             jsonb not null,
  names               jsonb not null,
  transaction_support jsonb not null,
  employer_identification_numbers jsonb,
  payer_enrollment    jsonb,
  parent_payer_group  text,
  coverage_types      jsonb,
  programs            jsonb
);

create table payer_directory (
  -- There is one.
  id      boolean primary key default true check (id),
  version bigint not null
);

insert into payer_directory (version) values (0);
