import { formatInstant } from './days.ts'

/**
 * The question before a new secret of a client or a webhook. While the secret before the newest works, a further one ends it at once: the newest may
 * be known to nobody, because its answer was lost. decisions/0185-secrets-are-shown-before-they-count.md
 */
export function newSecretWords(
  { previous_secret_expires_at: until }: { previous_secret_expires_at?: string },
  question: string,
  timeZone: string,
): string {
  if (until === undefined) return question
  return `A new secret was created already, and the one before it works until ${formatInstant(until, timeZone)}. Another new secret ends the older one at once: whoever still uses it is refused. Create it?`
}
