-- What the console and API clients administer for their own organization (decisions/0049-administration-over-the-api.md).

-- Under row-level security the application makes and changes API clients, and changes the settings that are an organization's own. It never
-- deletes them: the audit trail names them.
create or replace function rights_behind_wall(base name) returns text language sql immutable as $$
  select case
    when base ~ '_history$' or base in ('timeline_event', 'audit_block') then 'select, insert'
    when base = 'audit_pending' then 'select, insert, delete'
    when base in ('audit_head', 'app_user') then 'select, insert, update'
    when base = 'organization' then 'select, update (auto_update_benefits, npi, verification, verification_days, visit_services)'
    when base = 'client' then 'select, insert, update'
    else 'select, insert, update, delete' end
$$;

-- True for a connector whose addresses the organization itself has set: it reaches the public Internet, and nothing beside the service.
drop view if exists walled.connector;
alter table connector add column public_only boolean not null default false;
