-- Pages of these origins may call the service with an organization's tokens (CORS): ["https://desk.example.com"]. decisions/0042-cors.md
drop view if exists walled.organization;
alter table organization add column allowed_origins jsonb not null default '[]';
