import { isIPv4, isIPv6 } from 'node:net'

/** A caller with one IPv6 address has the whole network of 2^64 addresses. Source: RFC 6177 2, RFC 4291 2.5.4. */
const GROUPS_OF_A_NETWORK = 4
/** A site may have 2^16 such networks. Source: RFC 6177 1. */
const GROUPS_OF_A_SITE = 3
const GROUPS = 8
const MAPPED_IPV4 = /^(?:0{0,4}:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The key that callers are counted by: an IPv4 address, or the network of an IPv6 address. Never longer than an
 * address.
 */
export const callerAddress = (ip: string): string => networkOf(ip, GROUPS_OF_A_NETWORK)

/**
 * The key that callers share places and turns by: an IPv4 address, or the site of an IPv6 address. Those who only share a site with an attacker get
 * less than others while it attacks, but are not locked out.
 */
export const callerSite = (ip: string): string => networkOf(ip, GROUPS_OF_A_SITE)

function networkOf(ip: string, length: number): string {
  const address = ip.split('%')[0] ?? ''
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped) return mapped
  return `${groupsOf(address).slice(0, length).join(':')}::/${16 * length}`
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const between = tail === undefined ? 0 : GROUPS - before.length - after.length
  return [...before, ...Array.from({ length: Math.max(0, between) }, () => '0'), ...after]
}

/**
 * The groups without leading zeros; an IPv4 address at the end counts as two groups, which are never part of the
 * network.
 */
function groups(part: string): string[] {
  if (part === '') return []
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : [Number.parseInt(group, 16).toString(16)]))
}
