// Writes that are on their way: a double click sends one of them, not two.

const inFlight = new Map<string, Promise<unknown>>()

/** Runs `send` unless the same call has not been answered yet, whose answer is then this one's, too. `key`: the call with its values. */
export function sendOnce<Answer>(key: string, send: () => Promise<Answer>): Promise<Answer> {
  const running = inFlight.get(key)
  if (running) return running as Promise<Answer>
  const sent = send().finally(() => inFlight.delete(key))
  inFlight.set(key, sent)
  return sent
}
