/** The access token that every request carries, fetched when it is needed and shared while it is good. */
export interface TokenSource {
  /** @throws what the fetch throws; the next caller fetches again. */
  get(): Promise<string>
  /** The other side does not take this token any more; callers that hear so of the same token cause one new fetch. */
  forget(token: string): void
}

export interface FetchedToken {
  token: string
  /** As the other side said; undefined when it did not. */
  lifetimeMs: number | undefined
}

/** Availity's tokens live five minutes and are not renewed. Source: clearinghouse.md C. */
const USUAL_LIFETIME_MS = 300_000
/** A token must outlive the request that carries it. */
const MARGIN_MS = 60_000

export function createTokenSource(
  fetchToken: () => Promise<FetchedToken>,
  clock: () => number = () => performance.now(),
): TokenSource {
  let current: { token: string; goodUntil: number } | undefined
  let fetching: Promise<string> | undefined

  async function refresh(): Promise<string> {
    try {
      const { token, lifetimeMs = USUAL_LIFETIME_MS } = await fetchToken()
      current = { token, goodUntil: clock() + lifetimeMs - MARGIN_MS }
      return token
    } finally {
      fetching = undefined
    }
  }

  return {
    async get() {
      if (current && clock() < current.goodUntil) return current.token
      fetching ??= refresh()
      return fetching
    },
    forget(token) {
      if (current?.token === token) current = undefined
    },
  }
}
