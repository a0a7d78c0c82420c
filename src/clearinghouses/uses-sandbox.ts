import type { Clearinghouse } from './clearinghouse.ts'

/** The settings that choose who answers. */
interface Choice {
  NODE_ENV: string
  CLEARINGHOUSE_KIND: string
  CLEARINGHOUSE_URL?: string
}

/** Whether these settings leave the answers to the built-in sandbox: in production only by its name, since nobody real may be sent to it. */
export function usesSandbox(settings: Choice): boolean {
  if (settings.CLEARINGHOUSE_KIND === 'sandbox') return true
  return settings.NODE_ENV !== 'production' && isUnset(settings)
}

/** Whether a connection is the built-in sandbox's: an organization may have a real one of its own beside it. */
export function isSandbox(settings: Choice, clearinghouse: Clearinghouse): boolean {
  return usesSandbox(settings) && clearinghouse.name === 'sandbox'
}

/** Nobody is named to answer. */
export const isUnset = ({ CLEARINGHOUSE_KIND, CLEARINGHOUSE_URL }: Choice) =>
  CLEARINGHOUSE_KIND === 'core' && CLEARINGHOUSE_URL === undefined
