// Search as you type: a field with its results below. Arrow keys move, Enter selects; one that comes before the results waits for them, and
// takes nothing that was found for earlier letters. Source: WAI-ARIA practices, combobox.
import { TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import styles from './picker.module.css'

interface Props<Item> {
  label: string
  placeholder?: string
  text: string
  onText: (text: string) => void
  items: readonly Item[]
  /** The items are those for the whole text. */
  isCurrent: boolean
  /** The items merely resemble the text: an Enter that came before them takes none. */
  isDoubtful?: boolean
  keyOf: (item: Item) => string
  render: (item: Item) => ReactNode
  onTake: (item: Item) => void
  /** The text shown instead of a list: that the search is running, or that nothing was found. */
  message?: string | undefined
  error?: string | undefined
  isRequired?: boolean
  isFirst?: boolean
  onFocus?: () => void
}

export function Picker<Item>(props: Props<Item>) {
  const {
    label,
    placeholder,
    text,
    onText,
    items,
    isCurrent,
    isDoubtful = false,
    keyOf,
    render,
    onTake,
    message,
    error,
    isRequired = false,
    isFirst = false,
    onFocus,
  } = props
  const [active, setActive] = useState(0)
  const id = useId()
  const at = Math.min(active, items.length - 1)
  const [isAwaited, setAwaited] = useState(false)
  const [first] = items
  useEffect(() => {
    if (!isAwaited || !isCurrent) return
    setAwaited(false)
    if (first !== undefined && !isDoubtful) onTake(first)
  }, [isAwaited, isCurrent, isDoubtful, first, onTake])
  const optionId = (index: number) => `${id}-${index}`

  function onKeyDown(event: React.KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive(Math.max(0, Math.min(items.length - 1, at + step)))
    }
    const item = items[at]
    // An item below the first was looked at and chosen.
    const isEarly = !isCurrent && active === 0
    if (event.key !== 'Enter' || !(isEarly || item !== undefined)) return
    event.preventDefault()
    if (isEarly) setAwaited(true)
    else if (item !== undefined) onTake(item)
  }

  return (
    <div className={styles.picker}>
      <TextInput
        label={label}
        placeholder={placeholder ?? ''}
        error={error}
        withAsterisk={isRequired}
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
        onBlur={() => setAwaited(false)}
        onChange={(event) => {
          setActive(0)
          setAwaited(false)
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
