import type { ErrorComponentProps } from '@tanstack/react-router'
import { Problem } from './states.tsx'

/** A new release has other chunks than the page that is open: a reload takes them. */
export function ScreenError({ error }: ErrorComponentProps) {
  return <Problem error={error} retry={() => location.reload()} />
}
