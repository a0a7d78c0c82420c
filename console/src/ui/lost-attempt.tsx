// A create whose answer was lost may have been done. Whoever has changed the form since says whether it is still the same entry.
import { Alert, Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type Attempt, isLost } from '../api/create-once.ts'
import { forgetAttempt, forgetLost, idempotencyKey, lostAttempt, rememberAttempt } from './draft.ts'
import styles from './record-form.module.css'

/** `same`: the record that may be stored is to be changed; `another`: it is left alone. */
export type Decision = 'same' | 'another'

/**
 * `send` runs `work` with what the attempt needs, unless the user has to decide first: then it returns `asked`, and `isAsked` is true until
 * the next attempt.
 */
export function useAttempts<Content>(draftKey: string) {
  const [isAsked, ask] = useState(false)

  async function send<Result>(
    content: Content,
    decision: Decision | undefined,
    work: (attempt: Attempt<Content>) => Promise<Result>,
  ): Promise<Result | 'asked'> {
    if (decision === 'another') forgetAttempt(draftKey)
    const lost = lostAttempt<Content>(draftKey)
    const isOther = lost !== undefined && JSON.stringify(lost) !== JSON.stringify(content)
    ask(isOther && decision === undefined)
    if (isOther && decision === undefined) return 'asked'
    const idempotency_key = idempotencyKey(draftKey)
    if (isOther) return work({ idempotency_key, earlier: lost })
    rememberAttempt(draftKey, content)
    try {
      return await work({ idempotency_key })
    } catch (error) {
      if (!isLost(error)) forgetLost(draftKey)
      throw error
    }
  }
  return { isAsked, send }
}

interface Words {
  title: string
  question: string
  /** Undefined where what was sent first is not known any more. */
  same: string | undefined
  another: string
}

const OF_A_RECORD: Words = {
  title: 'Your last attempt may have been saved',
  question: 'Its answer was lost, and you have changed the form since. Is this still the same entry?',
  same: 'The same: save my changes to it',
  another: 'Another one: add it, too',
}

export function MaybeStored({ onDecide, words }: { onDecide: (decision: Decision) => void; words?: Words }) {
  const { title, question, same, another } = words ?? OF_A_RECORD
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => alert.current?.focus(), [])
  return (
    <Alert ref={alert} role="alert" tabIndex={-1} color="yellow" title={title}>
      <p>{question}</p>
      <div className={styles.buttons}>
        {same && (
          <Button size="xs" onClick={() => onDecide('same')}>
            {same}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => onDecide('another')}>
          {another}
        </Button>
      </div>
    </Alert>
  )
}
