// Whether the server of DATABASE_READ_URL may answer reads: for starts and for `anteroom doctor`.
import type { Database } from '../database.ts'
import type { Replica } from './replica.ts'

export interface ReplicaFinding {
  isFault: boolean
  /** A server that must never answer; other faults may pass while the service runs. */
  isRefused: boolean
  says: string
}

const ATTEMPTS = 3

/** A standby has the cluster's system identifier, and its databases have the same object ids. */
const identityStatement = `select (select system_identifier from pg_control_system()),
  (select oid from pg_database where datname = current_database())`

const fault = (says: string): ReplicaFinding => ({ isFault: true, isRefused: false, says })
const refused = (says: string): ReplicaFinding => ({ isFault: true, isRefused: true, says })

/** Never throws: a server that does not answer is a finding. `primary` may be unavailable, and is then not compared. */
export async function examineReplica(primary: Database, replica: Replica): Promise<ReplicaFinding> {
  const [ours, theirs] = await Promise.all([primary, replica.server].map(identityOf))
  if (ours && theirs && ours[0] !== theirs[0])
    return refused(
      'DATABASE_READ_URL leads to another PostgreSQL cluster than DATABASE_URL: it must be a standby of it',
    )
  if (ours && theirs && ours[1] !== theirs[1])
    return refused('DATABASE_READ_URL names another database than DATABASE_URL: it must be the same one, on a standby')
  const look = await answerOf(replica.look)
  if (!look)
    return fault(
      'the standby of DATABASE_READ_URL does not answer, or has not replayed the migrations yet: the primary answers reads',
    )
  if (!look.isRestricted)
    return refused(
      'connections to DATABASE_READ_URL do not keep the options that they start with (role, search_path), which isolate organizations from ' +
        'each other: connect to PostgreSQL itself, or through a pooler that passes on start-up options and keeps sessions',
    )
  if (look.replayed === undefined)
    return fault('the server of DATABASE_READ_URL accepts writes, so it is not a standby: the primary answers reads')
  return { isFault: false, isRefused: false, says: 'the standby of DATABASE_READ_URL answers' }
}

/** Undefined where it cannot be read: then only the signs of life tell a foreign server. */
const identityOf = (database: Database) => answerOf(() => database.row(identityStatement))

/** A busy machine may need longer for the first connection. */
async function answerOf<T>(ask: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await ask()
    } catch {
      // The next attempt may be answered.
    }
  }
  return undefined
}
