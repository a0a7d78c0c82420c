-- Whether checks may write benefits into coverages (rules.md 10.3); each coverage has a switch of its own beside it.
alter table organization add column auto_update_benefits boolean not null default true;
