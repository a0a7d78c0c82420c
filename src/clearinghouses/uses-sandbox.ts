import type { Clearinghouse } from './clearinghouse.ts'

/** The settings that select the clearinghouse. */
interface Choice {
  NODE_ENV: string
  CLEARINGHOUSE_KIND: string
  CLEARINGHOUSE_URL?: string
}

/** Whether these settings select the built-in sandbox: in production only when it is named explicitly, because no real inquiry may reach it. */
export function usesSandbox(settings: Choice): boolean {
  if (settings.CLEARINGHOUSE_KIND === 'sandbox') return true
  return settings.NODE_ENV !== 'production' && isUnset(settings)
}

/** Whether a connection is the built-in sandbox: an organization may have a real connection of its own. */
export function isSandbox(settings: Choice, clearinghouse: Clearinghouse): boolean {
  return usesSandbox(settings) && clearinghouse.name === 'sandbox'
}

/** No clearinghouse is configured. */
export const isUnset = ({ CLEARINGHOUSE_KIND, CLEARINGHOUSE_URL }: Choice) =>
  CLEARINGHOUSE_KIND === 'core' && CLEARINGHOUSE_URL === undefined
