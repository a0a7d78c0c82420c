import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Field } from '../rules/fields.ts'
import { afterPress } from './presses.ts'
import styles from './record-form.module.css'

interface Props {
  field: Omit<Field<never>, 'read' | 'write'>
  value: string
  error: string | undefined
  warning: string | undefined
  /** The warning is shown also while the user is in the field. */
  isHeld: boolean
  onWarned: () => void
  onChange: (text: string) => void
}

/** The input of one field of a record, with what is wrong or unusual about the entry. */
export function RecordInput({ field, value, error, warning, isHeld, onWarned, onChange }: Props) {
  const [isTyping, setTyping] = useState(false)
  // Not while the entry is unfinished.
  const shown = error === undefined && (isHeld || !isTyping) ? warning : undefined
  useEffect(() => {
    if (shown !== undefined) onWarned()
  })
  const { label, name, options, input = 'text', isRequired = false, autoComplete } = field
  if (input === 'checkbox') {
    return (
      <Checkbox
        className={styles.full}
        label={label}
        checked={value === 'yes'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : '')}
      />
    )
  }
  if (options) {
    const known = options.some((option) => option.value === value)
    const data = known ? options : [{ value, label: value || 'Choose…' }, ...options]
    return (
      <NativeSelect
        label={label}
        name={name}
        withAsterisk={isRequired}
        error={error}
        value={value}
        data={[...data]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      type={input}
      label={label}
      name={name}
      dir={input === 'text' ? 'auto' : undefined}
      withAsterisk={isRequired}
      error={error}
      description={shown}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      descriptionProps={{ className: styles.warning }}
      onFocus={() => setTyping(true)}
      onBlur={({ currentTarget }) => afterPress(() => setTyping(document.activeElement === currentTarget))}
      value={value}
      autoComplete={autoComplete ?? 'off'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
