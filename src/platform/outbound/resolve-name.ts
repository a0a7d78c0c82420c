// The addresses of a name that an organization chose, whose name server may be the organization's own. decisions/0040-webhooks.md
import { lookup, Resolver } from 'node:dns/promises'
import { createFairShare, firstCome } from '../fair-share.ts'

export type ResolveName = (host: string, timeoutMs: number) => Promise<string[]>

/** One name server is queried twice, for 2 s and then for 4 s. */
const ASKED_MS = 2_000
const TRIES = 2

/**
 * Asks the name servers of the machine, or these. Unlike `lookup` it takes no thread of the process: file operations and password hashes need
 * those, and a name server that never answers would occupy them. It therefore knows neither /etc/hosts nor search domains.
 * @throws an error with the code ENOTFOUND.
 */
export const askNameServers =
  (servers?: string[]): ResolveName =>
  async (host, timeoutMs) => {
    if (/(^|\.)localhost\.?$/i.test(host)) return LOOPBACK
    const resolver = new Resolver({ timeout: ASKED_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), timeoutMs)
    // An address of one kind is enough: only addresses that were found are used.
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    clearTimeout(timer)
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (addresses.length === 0) throw Object.assign(new Error('the name cannot be resolved'), { code: 'ENOTFOUND' })
    return addresses
  }

/** Source: RFC 6761 6.3. */
const LOOPBACK = ['127.0.0.1', '::1']

/** The place of all callers together: one of the two threads in which Node looks up names. The other is the operator's. */
const lookups = createFairShare({ places: 1, maxWaiting: 1000, rule: firstCome })

/** Names of the operator's own network may be known to the machine alone. */
export const askMachineToo =
  (ask: ResolveName): ResolveName =>
  (host, timeoutMs) =>
    ask(host, timeoutMs).catch(() =>
      lookups.pass(host, AbortSignal.timeout(timeoutMs), async () =>
        (await lookup(host, { all: true })).map(({ address }) => address),
      ),
    )
