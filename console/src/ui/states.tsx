// What a screen shows while it loads, when it is empty, and after an error.
import { Alert, Button, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError, isGone } from '../api/client.ts'
import { explainError } from '../rules/errors.ts'
import styles from './states.module.css'

export function Loading({ what, rows = 6 }: { what: string; rows?: number }) {
  return (
    <div role="status">
      <VisuallyHidden>Loading {what}</VisuallyHidden>
      <Stack gap="xs" aria-hidden>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
          <Skeleton key={row} height={36} animate={false} />
        ))}
      </Stack>
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}

interface ProblemProps {
  error: unknown
  retry?: (() => void) | undefined
  /** In place of the usual one, where more is known. */
  name?: string | undefined
}

/** Shows what went wrong and what to do; `retry` if a second attempt may help. */
export function Problem({ error, retry, name }: ProblemProps) {
  const { title, advice } = explainError(
    error instanceof ApiError ? error : { status: -1, message: error instanceof Error ? error.message : '' },
  )
  return (
    <Alert role="alert" tabIndex={-1} color="red" variant="light" title={name ?? title}>
      <p className={styles.advice}>{advice}</p>
      {retry && !isGone(error) && (
        <Button size="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}
