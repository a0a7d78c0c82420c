import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import styles from './choice.module.css'

interface Props<Value extends string> {
  label: string
  options: readonly { value: Value; label: string }[]
  /** What is stored; the button appears for any other choice. */
  stored: Value
  button: string
  disabled?: boolean
  onTake: (value: Value) => void
}

/**
 * A list with the button that takes the choice. The list alone must not act: an arrow key changes a closed list at once, so that a user who
 * only looks through it would already have done something (WCAG 2.2, 3.2.2).
 */
export function Choice<Value extends string>({ label, options, stored, button, disabled, onTake }: Props<Value>) {
  const [chosen, choose] = useState<Value>()
  const value = options.some((each) => each.value === chosen) ? (chosen ?? stored) : stored
  return (
    <span className={styles.choice}>
      <NativeSelect
        size="xs"
        aria-label={label}
        disabled={disabled ?? false}
        data={[...options]}
        value={value}
        onChange={(event) => choose(event.currentTarget.value as Value)}
      />
      {value !== stored && (
        <Button
          size="xs"
          variant="default"
          disabled={disabled ?? false}
          onClick={() => {
            choose(undefined)
            onTake(value)
          }}
        >
          {button}
        </Button>
      )}
    </span>
  )
}
