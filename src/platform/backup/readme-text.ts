/** The README of a backup, for a reader who opens it manually years later. */
export const readmeText = `This is a backup of Anteroom, an open service for patients, appointments, coverages and eligibility checks.

"anteroom restore <file>" brings it back into an empty database. Without Anteroom:

  age -d backup.age | tar -x                    encrypted under a passphrase (age asks for it), or
  age -d -i identity.txt backup.age | tar -x    encrypted for a recipient

A backup that was made with --without-keys and no passphrase opens with the encryption key as its passphrase: the first line of
the file "encryption-key" in DATA_DIR, or the first key of the setting ENCRYPTION_KEY, in lower case.

manifest.json     What is here: the migrations that the database had (files of the folder "migrations" of the release), where its
                  sequences stood, and every table with its columns, rows, bytes and SHA-256, in the order in which to load them.
encryption-key    The encryption keys, unless they were left out. Keep it as secret as all the rest together. Values that begin
                  with "encrypted:" or "sealed:" are encrypted under one of them with AES-256-GCM, and read by Anteroom.
tables/           One file a table, as PostgreSQL's COPY writes text: a line a row, tabs between columns, \\N for null. In psql:
                    \\copy patient (organization_id, id, ...) from 'tables/patient.copy'
                  with the columns of manifest.json. The rows that migrations have made are in the files too: delete them first.
images/           <organization>/<upload>: images and PDFs as they were uploaded; the table image_content says what they are.
complete.json     How many images there are. Without this file the backup was cut off.
`
