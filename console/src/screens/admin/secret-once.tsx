import { Alert, Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { announce } from '../../ui/announce.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import styles from './admin.module.css'

/** A secret that the service shows once and stores as a digest. `advice`: what to do with it. */
export function SecretOnce({
  title,
  advice = 'Store it securely. If it is lost, create a new one.',
  fields,
  onDone,
}: {
  title: string
  advice?: string
  fields: readonly (readonly [label: string, value: string])[]
  onDone: () => void
}) {
  // The form that made it may be a screen below.
  const box = useRef<HTMLDivElement>(null)
  const secret = fields.at(-1)?.[1]
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each secret
  useEffect(() => box.current?.focus(), [secret])
  async function copy(label: string, value: string) {
    try {
      await navigator.clipboard.writeText(value)
      announce(`${label} copied`)
    } catch {
      announce('The browser does not allow copying. Select the text instead.')
    }
  }
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      role="alert"
      color="yellow"
      variant="light"
      title={title}
      icon={<WarningIcon size={18} />}
      mb="md"
    >
      <p>This is shown only once. {advice}</p>
      {fields.map(([label, value]) => (
        <div key={label} className={styles.secret}>
          <span>{label}</span>
          <code>{value}</code>
          <Button
            size="xs"
            variant="default"
            aria-label={`Copy ${label.toLowerCase()}`}
            onClick={() => copy(label, value)}
          >
            Copy
          </Button>
        </div>
      ))}
      <Button size="xs" onClick={onDone}>
        I have stored it
      </Button>
    </Alert>
  )
}
