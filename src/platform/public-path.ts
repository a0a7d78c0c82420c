/**
 * The path below which a proxy publishes the service, from PUBLIC_URL: without a trailing slash, empty for the root. Only path characters: it is
 * written into pages.
 */
export function publicPath(publicUrl: string | undefined): string {
  const { pathname } = new URL(publicUrl ?? 'http://localhost')
  return /^[\w./~-]*$/.test(pathname) ? pathname.replace(/\/+$/, '') : ''
}
