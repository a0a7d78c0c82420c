// Creates a record once, however often it is sent. decisions/0150-creates-that-are-sent-twice.md
import { ApiError } from './client.ts'

export interface Attempt<Content> {
  /** The same for every attempt of one form. */
  idempotency_key: string
  /** What an attempt has sent before whose answer was lost, if this one has other content for the same record. */
  earlier?: Content | undefined
}

/**
 * What may be stored already is stored for certain first, by the same call again, and is then changed to the new content, so that there is
 * one record whether the earlier call was done or not.
 */
export async function createOnce<Content, Stored>(
  content: Content,
  { idempotency_key, earlier }: Attempt<Content>,
  {
    create,
    change,
  }: {
    create: (content: Content, query: { idempotency_key: string }) => Promise<Stored>
    change: (stored: Stored, content: Content) => Promise<Stored>
  },
): Promise<Stored> {
  const stored = await create(earlier ?? content, { idempotency_key })
  return earlier === undefined ? stored : change(stored, content)
}

/** Whether the call may have been executed although it failed. */
export const isLost = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500)
