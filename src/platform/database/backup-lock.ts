/**
 * An arbitrary number, the same in every process: backups hold this lock shared; a rotation of keys, and a change of the schema that met one of
 * them, hold it exclusively.
 */
export const BACKUP_LOCK = 7_206_053
