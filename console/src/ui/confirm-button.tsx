// Asks for confirmation of an action that cannot be undone with one click.
import { Button } from '@mantine/core'
import { useState } from 'react'
import styles from './confirm-button.module.css'

interface Props {
  label: string
  /** The button's own name, where others have the same label. */
  name?: string
  question: string
  onYes: () => void
  loading?: boolean
  size?: 'xs' | 'sm'
}

export function ConfirmButton({ label, name, question, onYes, loading = false, size = 'xs' }: Props) {
  const [isAsking, ask] = useState(false)
  if (!isAsking)
    return (
      <Button size={size} variant="default" aria-label={name} loading={loading} onClick={() => ask(true)}>
        {label}
      </Button>
    )
  return (
    <fieldset className={styles.confirm}>
      <legend>{question}</legend>
      <div className={styles.actions}>
        <Button
          size={size}
          color="red.9"
          onClick={() => {
            ask(false)
            onYes()
          }}
        >
          Yes, {label.toLowerCase()}
        </Button>
        <Button size={size} variant="default" autoFocus onClick={() => ask(false)}>
          No
        </Button>
      </div>
    </fieldset>
  )
}
