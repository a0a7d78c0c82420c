/**
 * The path below which a proxy publishes the service, from PUBLIC_URL: without a trailing slash, empty for the root. It is written into pages and
 * redirects, so that other than plain path characters are percent-encoded, and it never begins like the address of another host.
 */
export function publicPath(publicUrl: string | undefined): string {
  const { pathname } = new URL(publicUrl ?? 'http://localhost')
  return pathname
    .replace(/^\/+/, '/')
    .replace(/\/+$/, '')
    .replaceAll(/[^\w./~%-]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
