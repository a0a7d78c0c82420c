-- Who somebody is at the identity provider of the installation (OpenID Connect). decisions/0059-openid-connect.md
create table user_identity (
  organization_id uuid not null,
  -- As the provider names itself and the person: never an e-mail address, which people change and share.
  issuer          text not null,
  subject         text not null,
  user_id         uuid not null,
  -- True for a person whom a sign-in has made: they have no password, and their role follows the provider.
  is_managed      boolean not null,
  created_at      timestamptz(3) not null default now(),
  primary key (organization_id, issuer, subject),
  constraint user_identity_user_unique unique (organization_id, user_id),
  constraint user_identity_user_exists foreign key (organization_id, user_id) references user_account (organization_id, id) on delete cascade
);
