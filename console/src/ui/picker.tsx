// Search as you type: a field with its results below. Arrow keys move, Enter selects. Source: WAI-ARIA practices, combobox.
import { TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import styles from './picker.module.css'

interface Props<Item> {
  label: string
  placeholder?: string
  text: string
  onText: (text: string) => void
  items: readonly Item[]
  keyOf: (item: Item) => string
  render: (item: Item) => ReactNode
  onTake: (item: Item) => void
  /** The text shown instead of a list: that the search is running, or that nothing was found. */
  message?: string | undefined
  isFirst?: boolean
  onFocus?: () => void
}

export function Picker<Item>(props: Props<Item>) {
  const { label, placeholder, text, onText, items, keyOf, render, onTake, message, isFirst = false, onFocus } = props
  const [active, setActive] = useState(0)
  const id = useId()
  const at = Math.min(active, items.length - 1)
  const optionId = (index: number) => `${id}-${index}`

  function onKeyDown(event: React.KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive(Math.max(0, Math.min(items.length - 1, at + step)))
    }
    const item = items[at]
    if (event.key === 'Enter' && item !== undefined) {
      event.preventDefault()
      onTake(item)
    }
  }

  return (
    <div className={styles.picker}>
      <TextInput
        label={label}
        placeholder={placeholder ?? ''}
        data-autofocus={isFirst || undefined}
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={items.length > 0 ? optionId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={text}
        onFocus={() => onFocus?.()}
        onChange={(event) => {
          setActive(0)
          onText(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label={label} className={styles.list}>
        {items.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          <div
            key={keyOf(item)}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.option}
            onClick={() => onTake(item)}
          >
            {render(item)}
          </div>
        ))}
      </div>
      <p role="status" className={styles.message}>
        {message}
      </p>
    </div>
  )
}
