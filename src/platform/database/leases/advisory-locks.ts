// Advisory locks of the database, under numbers that are arbitrary and the same in every process.

/** Whoever makes or changes the tables holds it: one start, migration or restore at a time. */
export const MIGRATION_LOCK = 7_206_051

/** Backups hold it shared; a rotation of keys, and a change of the schema that met one of them, hold it exclusively. */
export const BACKUP_LOCK = 7_206_053
