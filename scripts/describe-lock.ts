// package-lock.json with the address of each package, so that `npm ci` fetches it at once. Without addresses npm reads and parses the description of
// all versions of each of 500 packages first, which is half of its work. decisions/0247-less-work-before-and-within-tests.md
import { readFileSync } from 'node:fs'
import { packageFile } from '../src/platform/package-root.ts'

/** A name that no server has (RFC 2606, 2): npm puts the configured registry in its place (`replace-registry-host` in .npmrc). */
const REGISTRY = 'https://registry.invalid'

interface Entry {
  /** Of a package that stands under another name. */
  name?: string
  version?: string
  resolved?: string
  integrity?: string
}

/** An entry with a digest comes from a registry; all registries have the same paths. */
export function describeLock(): string {
  const lock = JSON.parse(readFileSync(packageFile('package-lock.json'), 'utf8')) as { packages: Record<string, Entry> }
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const { version, resolved: _, ...more } = entry
    const name = entry.name ?? path.split('node_modules/').at(-1) ?? ''
    const resolved = `${REGISTRY}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
    return [path, path === '' || entry.integrity === undefined ? entry : { version, resolved, ...more }]
  })
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`
}
