import type { Database, Statement } from '../database.ts'

/** Somebody who waits for the result of statements, and may leave. */
export interface Waiter {
  /** Aborted when the waiter leaves. */
  readonly gone: AbortSignal
  readonly isGone: boolean
}

/**
 * The database for a call that only reads, as long as its caller waits for the answer: once it has left, no statement is sent, and
 * one that runs is cancelled. It must not be a part of anything that other callers share, such as a cache: those have the database itself.
 * Reads by key run on connections that carry the statements of others as well, and are not cancelled. decisions/0090-callers-who-have-gone.md
 */
export function whileWaitedFor(database: Database, waiter: Waiter): Database {
  return new WaitedFor(database, waiter)
}

/** A class, because one is made for each read. */
class WaitedFor implements Database {
  readonly #database: Database
  readonly #waiter: Waiter

  constructor(database: Database, waiter: Waiter) {
    this.#database = database
    this.#waiter = waiter
  }

  rows(statement: Statement | string, values?: unknown[]) {
    return this.#database.rows(statement, values, this.#waiter.gone)
  }

  row(statement: Statement | string, values?: unknown[]) {
    return this.#database.row(statement, values, this.#waiter.gone)
  }

  rowByKey(statement: Statement, values: unknown[]) {
    if (this.#waiter.isGone) return Promise.reject(this.#waiter.gone.reason)
    return this.#database.rowByKey(statement, values)
  }

  rowsByKey(statement: Statement, values: unknown[]) {
    if (this.#waiter.isGone) return Promise.reject(this.#waiter.gone.reason)
    return this.#database.rowsByKey(statement, values)
  }

  transaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.#database.transaction(
      (transaction) => work(new WaitedFor(transaction, this.#waiter)),
      this.#waiter.gone,
    )
  }
}
