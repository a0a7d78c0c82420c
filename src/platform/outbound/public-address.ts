// Outbound connections to addresses that an organization chooses must not reach the service's own network (server-side
// request forgery). Source: OWASP Server-Side Request Forgery Prevention Cheat Sheet; IANA special-purpose address
// registries.
import type { SecureContext } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { codeOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'
import { askMachineToo, askNameServers, type ResolveName } from './resolve-name.ts'

type Address = ReturnType<typeof ipaddr.process>
export type Networks = readonly [Address, number][]

export class AddressRefused extends Error {}

/** All addresses that are assigned for use on the public Internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** The networks of a setting of this name. @throws StartupError */
export function readNetworks(name: string, setting: string | undefined): Networks {
  return (setting ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      try {
        const [address, bits] = ipaddr.parseCIDR(entry)
        return [address, bits] as const
      } catch (cause) {
        throw new StartupError(`${name} must be comma-separated networks (10.1.0.0/16)`, { cause })
      }
    }) as unknown as Networks
}

/** Whether this address may be reached: a public one, or one in a network that the operator allows. */
export function isAllowed(text: string, allowed: Networks): boolean {
  return isPublic(text) || isPrivateAllowed(text, allowed)
}

function isPrivateAllowed(text: string, allowed: Networks): boolean {
  const address = ipaddr.process(text)
  return allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/** The host of each virtual machine at Azure, which hands out its configuration. Source: Microsoft, "What is IP address 168.63.129.16?". */
const AZURE_HOST = '168.63.129.16'

function isPublic(text: string): boolean {
  const address = ipaddr.process(text)
  if (address.toString() === AZURE_HOST) return false
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST)
}

/** Of a name with more addresses the first of each kind are tried. */
const ADDRESSES_MAX = 4

/**
 * A connector that resolves the name, refuses the connection when any of its addresses is not allowed, and connects to
 * an address that it has just checked: a different answer of the name server to a second lookup has no effect. Where one address does not answer,
 * the next is tried: hosts without IPv4 reach no address of that kind, and one of several servers may be down. `ask` asks the name servers.
 */
export async function guardedConnector(
  allowed: Networks,
  timeoutMs: number,
  tls: { secureContext?: SecureContext } = {},
  ask: ResolveName = askNameServers(),
): Promise<buildConnector.connector> {
  const { buildConnector } = await import('./undici.ts')
  const connect = buildConnector({ ...tls, timeout: timeoutMs })
  // Where no private network is allowed, a name that only the machine knows leads nowhere that may be reached.
  const resolveName = allowed.length > 0 ? askMachineToo(ask) : ask
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
    const servername = options.servername ?? (ipaddr.isValid(host) ? undefined : host)
    const connectTo = ([address = '', ...others]: string[], begunAt: number) =>
      connect(
        { ...options, hostname: address, ...(servername !== undefined && { servername }) },
        (...[error, socket]) => {
          const mayTry = others.length > 0 && performance.now() - begunAt < 2 * timeoutMs
          if (error && mayTry && isUnreached(error)) connectTo(others, begunAt)
          else if (error) callback(error, null)
          else callback(null, socket)
        },
      )
    findAddresses(host)
      .then((addresses) => connectTo(addresses, performance.now()))
      .catch((error: Error) => callback(error, null))
  }

  async function findAddresses(host: string): Promise<string[]> {
    const addresses = ipaddr.isValid(host) ? [host] : await resolveName(host, timeoutMs)
    if (addresses.length === 0 || !addresses.every((address) => isAllowed(address, allowed))) {
      throw new AddressRefused('the host name resolves to an address that is not public')
    }
    return inTurns(addresses)
  }
}

const UNREACHED = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'],
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Nothing was sent, and the fault may be that of one address. */
const isUnreached = (error: Error) => UNREACHED.has(codeOf(error) ?? '')

/** One of IPv4, one of IPv6, and so on, each in the order of the name server. */
function inTurns(addresses: string[]): string[] {
  const isV6 = (address: string) => address.includes(':')
  const kinds = [addresses.filter((address) => !isV6(address)), addresses.filter(isV6)]
  return addresses.flatMap((_, place) => kinds.flatMap((kind) => kind[place] ?? [])).slice(0, ADDRESSES_MAX)
}

/**
 * The fault in an address that an organization sets in this field; undefined when there is none. Host names are
 * resolved at each connection.
 */
export function findUrlFault(text: string, allowed: Networks, field = 'url'): string | undefined {
  if (!URL.canParse(text)) return `${field} must be a URL that starts with https://`
  const { protocol, hostname, username, password, hash } = new URL(text)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (username !== '' || password !== '') return `${field} must not contain a username or password`
  if (hash !== '') return `${field} must not have a fragment`
  if (protocol !== 'https:' && !(protocol === 'http:' && allowed.length > 0)) return `${field} must start with https://`
  if (ipaddr.isValid(host) && !isAllowed(host, allowed)) return `${field} must not lead to a private address`
  return undefined
}
