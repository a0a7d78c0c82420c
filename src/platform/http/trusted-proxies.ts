import { isIP } from 'node:net'
import { StartupError } from '../startup-error.ts'

/**
 * The addresses and networks of TRUSTED_PROXIES, the only ones whose X-Forwarded-For, -Proto and -Host are trusted.
 * @throws StartupError for an invalid address, and for a network that includes every address.
 */
export function readTrustedProxies(setting: string | undefined): string[] {
  const entries = (setting ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  if (!entries.every(isNetwork)) {
    throw new StartupError('TRUSTED_PROXIES must be comma-separated addresses or networks (10.0.0.0/8)')
  }
  return entries
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)
}
