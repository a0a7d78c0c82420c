-- A value belongs to active tags: nobody can bring a deactivated one back, so its value would be lost for good.
drop index tag_value_unique;
create unique index tag_value_unique on tag (organization_id, (body ->> 'value')) where not deactivated;
