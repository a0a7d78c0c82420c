-- What an upload brought, so that the same bytes sent again are known: SHA-256 of the image as it was received. Uploads of
-- earlier releases have none, and are never taken for a repetition.
alter table image_content add column sha256 bytea;
