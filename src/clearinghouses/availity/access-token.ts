/** The access token that every request carries, fetched on demand and shared until it expires. */
interface TokenSource {
  /** @throws the error of the fetch; the next caller fetches again. */
  get(): Promise<string>
  /** The server no longer accepts this token. Several callers that report the same token cause one new fetch. */
  forget(token: string): void
}

export interface FetchedToken {
  token: string
  /** As stated by the server; undefined when it was not. */
  lifetimeMs: number | undefined
}

/** Availity's tokens are valid for five minutes and cannot be renewed. Source: clearinghouse.md C. */
const USUAL_LIFETIME_MS = 300_000
/** A token must outlive the request that carries it. */
const MARGIN_MS = 60_000

/** Tokens are used until a minute before they expire. Nothing is fetched before the first `get`. */
export function createTokenSource(fetchToken: () => Promise<FetchedToken>): TokenSource {
  let current: { token: string; goodUntil: number } | undefined
  let fetching: Promise<string> | undefined

  async function refresh(): Promise<string> {
    try {
      const { token, lifetimeMs = USUAL_LIFETIME_MS } = await fetchToken()
      current = { token, goodUntil: performance.now() + lifetimeMs - MARGIN_MS }
      return token
    } finally {
      fetching = undefined
    }
  }

  return {
    async get() {
      if (current && performance.now() < current.goodUntil) return current.token
      fetching ??= refresh()
      return fetching
    },
    forget(token) {
      if (current?.token === token) current = undefined
    },
  }
}
