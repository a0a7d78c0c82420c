-- The second factor of a person (RFC 6238), and codes for whoever has lost it. decisions/0058-second-factor.md
create table user_second_factor (
  organization_id uuid not null,
  user_id         uuid not null,
  -- Encrypted: a code is made from the secret itself.
  secret          text not null,
  -- Until a code has confirmed it, sign-in does not ask for it.
  confirmed_at    timestamptz(3),
  -- The time step of the last code that was taken: a code is good once.
  last_step       bigint not null default 0,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, user_id),
  constraint user_second_factor_user_exists foreign key (organization_id, user_id) references user_account (organization_id, id) on delete cascade
);

create table user_recovery_code (
  organization_id uuid not null,
  user_id         uuid not null,
  -- SHA-256 of some 79 random bits.
  digest          bytea not null,
  primary key (organization_id, user_id, digest),
  constraint user_recovery_code_factor_exists foreign key (organization_id, user_id) references user_second_factor (organization_id, user_id) on delete cascade
);
