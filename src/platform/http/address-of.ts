import { isIPv6 } from 'node:net'

/** The address that means all addresses of this machine, as URLs write it. It cannot be opened; the loopback is among the addresses. */
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

/** The address that a person can open of a server that listens on `host` and `port`. */
export function addressOf(protocol: 'http' | 'https', host: string, port: number): string {
  const name = isIPv6(host) ? `[${host}]` : host
  const url = `${protocol}://${name}`
  const plain = URL.canParse(url) ? new URL(url).hostname : name
  return `${protocol}://${LOOPBACK[plain] ?? plain}:${port}`
}
