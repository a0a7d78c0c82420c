// The screen that a user wanted to see before the redirect to the identity provider, which always returns to the first screen.

/** The path to which the service redirects after a refused sign-in. */
export const REFUSED = '/refused'

const PLACE = 'return-place'

export function rememberPlace(): void {
  const { pathname, search } = location
  if (!pathname.endsWith(REFUSED)) sessionStorage.setItem(PLACE, pathname + search)
}

/** The remembered screen; a second call returns undefined. */
export function takePlace(): string | undefined {
  const place = sessionStorage.getItem(PLACE)
  sessionStorage.removeItem(PLACE)
  return place ?? undefined
}
