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

/** Nobody is named to answer. */
export const isUnset = ({ CLEARINGHOUSE_KIND, CLEARINGHOUSE_URL }: Choice) =>
  CLEARINGHOUSE_KIND === 'core' && CLEARINGHOUSE_URL === undefined
