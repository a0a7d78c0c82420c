-- Passkeys of people (WebAuthn). decisions/0069-passkeys.md
create table user_passkey (
  organization_id uuid not null,
  user_id         uuid not null,
  id              uuid not null,
  -- As the authenticator made it, base64url.
  credential_id   text not null,
  -- COSE key.
  public_key      bytea not null,
  -- Of the authenticator; many keep it at zero.
  counter         bigint not null,
  transports      text[] not null,
  name            text not null,
  created_at      timestamptz(3) not null default now(),
  last_used_at    timestamptz(3),
  -- When the challenge of the last sign-in was made, in milliseconds: only a later one is accepted, so that each is accepted once.
  last_challenge  bigint not null default 0,
  primary key (organization_id, user_id, id),
  constraint user_passkey_credential_unique unique (organization_id, user_id, credential_id),
  constraint user_passkey_user_exists foreign key (organization_id, user_id) references user_account (organization_id, id) on delete cascade
);

-- The registration that a person has begun, one at a time. It is deleted when it is used.
create table user_passkey_challenge (
  organization_id uuid not null,
  user_id         uuid not null,
  session_id      uuid not null,
  challenge       text not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, user_id),
  constraint user_passkey_challenge_user_exists foreign key (organization_id, user_id) references user_account (organization_id, id) on delete cascade
);
