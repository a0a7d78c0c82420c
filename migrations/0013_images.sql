create table image (
  organization_id  uuid not null,
  id               uuid not null,
  version          integer not null,
  deactivated      boolean not null,
  updated_at       timestamptz(3) not null,
  updating_user_id uuid not null,
  created_at       timestamptz(3) not null,
  body             jsonb not null,
  primary key (organization_id, id)
);

create table image_history (
  like image,
  primary key (organization_id, id, version)
);

-- One active front and one active back a coverage (rules.md 9); an image without a coverage has no side to hold.
create unique index image_coverage_side_unique on image (
  organization_id,
  (body -> 'coverage' ->> 'id'),
  (body -> 'coverage' ->> 'side')
) where not deactivated;

create index image_patient on image (organization_id, (body -> 'patient' ->> 'id')) where not deactivated;

-- One row an upload, never changed: the version of the image that it wrote, and where its bytes are kept
-- (<organization>/<upload_id> in the folder or the bucket). The highest version is what the image shows.
create table image_content (
  organization_id uuid not null,
  image_id        uuid not null,
  version         integer not null,
  upload_id       uuid not null,
  content_type    text not null,
  size_bytes      integer not null,
  primary key (organization_id, image_id, version)
);
