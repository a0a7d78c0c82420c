import type { ErrorComponentProps } from '@tanstack/react-router'
import { Problem } from './states.tsx'

/** After a new release, chunks of the open page no longer exist: a reload loads the new ones. */
export function ScreenError({ error }: ErrorComponentProps) {
  return <Problem error={error} retry={() => location.reload()} />
}
