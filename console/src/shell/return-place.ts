// The screen that a user wanted to see before the identity provider took the tab, which then comes back to the first screen.

/** Where the browser comes back to after a refusal. */
export const REFUSED = '/refused'

const PLACE = 'return-place'

export function rememberPlace(): void {
  const { pathname, search } = location
  if (!pathname.endsWith(REFUSED)) sessionStorage.setItem(PLACE, pathname + search)
}

/** Once. */
export function takePlace(): string | undefined {
  const place = sessionStorage.getItem(PLACE)
  sessionStorage.removeItem(PLACE)
  return place ?? undefined
}
