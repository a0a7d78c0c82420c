// Sends a list of patients once. decisions/0146-a-batch-that-is-sent-twice.md
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Attempt } from '../../api/create-once.ts'
import type { EligibilityRequest } from '../../api/generated.ts'
import { lostAttempt } from '../../ui/draft.ts'
import { type Decision, useAttempts } from '../../ui/lost-attempt.tsx'

/** What is kept in the tab of a list: it names no patient. */
interface Sent {
  patients: number
  digest: string
}

/** The list whose answer was lost. In memory only, because it names patients. */
let lost: readonly EligibilityRequest[] = []

interface Batch {
  id: string
  /** The number of its patients. */
  of: number
}

export function useSendBatch(draftKey: string) {
  const attempts = useAttempts<Sent>(draftKey)
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  /** Undefined when the user has to decide first, or when it failed. */
  async function send(requests: EligibilityRequest[], decision?: Decision): Promise<Batch | undefined> {
    setSending(true)
    setError(undefined)
    const work = async ({ idempotency_key, earlier }: Attempt<Sent>): Promise<Batch> => {
      const body = earlier ? [...lost] : requests
      lost = body
      const { batch_id } = await call('eligibilityChecks.batch', { query: { idempotency_key }, body })
      lost = []
      return { id: batch_id, of: body.length }
    }
    try {
      const done = await attempts.send(sentOf(requests), decision, work)
      return done === 'asked' ? undefined : done
    } catch (caught) {
      setError(caught)
      return undefined
    } finally {
      setSending(false)
    }
  }
  /** The number of patients of the earlier list, and whether it can be sent again. After a reload it is not known any more. */
  const earlier = { patients: lostAttempt<Sent>(draftKey)?.patients ?? 0, isKept: lost.length > 0 }
  return { ...attempts, send, error, isSending, earlier }
}

const sentOf = (requests: readonly EligibilityRequest[]): Sent => ({
  patients: requests.length,
  digest: digestOf(JSON.stringify(requests)),
})

/** FNV-1a: `crypto.subtle` is not there for a page that is not of a secure origin. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return `${text.length}-${hash >>> 0}`
}
