-- POST of a tag looks for its value among deactivated tags as well (rules.md 7), which the unique index does not have.
create index tag_by_value on tag (organization_id, (body ->> 'value'));
