import type { Database } from '../../src/platform/database/database.ts'

export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** A gate at which something waits until the test opens it. */
export function newGate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Runs a statement that takes locks, in a transaction that stays open until the returned function is called. */
export async function holdLocks(
  database: Database,
  statement: string,
  values: unknown[] = [],
): Promise<() => Promise<void>> {
  const gate = newGate()
  let session: Promise<void> = Promise.resolve()
  await new Promise<void>((held, failed) => {
    session = database.transaction(async (transaction) => {
      await transaction.rows(statement, values)
      held()
      await gate.opened
    })
    session.catch(failed)
  })
  return () => {
    gate.open()
    return session
  }
}
