import { readFileSync } from 'node:fs'
import { packageFile } from '../src/platform/package-root.ts'

/** A package as package-lock.json holds it. */
export interface LockedPackage {
  /** Its place in `node_modules`; the same name may be there in two versions. */
  path: string
  name: string
  version: string
  license: string | undefined
  /** As npm writes it: `sha512-` and base64. */
  integrity: string | undefined
  isOptional: boolean
  /** Names, as its own package.json asks for them. */
  dependencies: string[]
}

interface LockEntry {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** What the console is made of: it is built into dist/console, so that it is delivered without being installed. */
const BUNDLED = [
  '@mantine/core',
  '@mantine/hooks',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'react',
  'react-dom',
  'uqr',
]

/** The project itself and every package that an installation for production or the console brings, in the order of their places. */
export function readLock(): { root: LockedPackage; packages: LockedPackage[] } {
  const lock = JSON.parse(readFileSync(packageFile('package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>
  }
  const own = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as LockEntry & { name: string }
  const locked = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => toPackage(path, entry))
  const bundled = withWhatTheyNeed(BUNDLED, locked)
  const packages = locked
    .filter((each) => !lock.packages[each.path]?.dev || bundled.has(each))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const self = toPackage('', own)
  return { root: { ...self, name: own.name, dependencies: [...self.dependencies, ...BUNDLED].sort() }, packages }
}

function withWhatTheyNeed(names: readonly string[], locked: LockedPackage[]): Set<LockedPackage> {
  const found = new Set<LockedPackage>()
  const add = (from: string, name: string) => {
    const each = resolveLocked(locked, from, name)
    if (!each || found.has(each)) return
    found.add(each)
    for (const needed of each.dependencies) add(each.path, needed)
  }
  for (const name of names) add('', name)
  return found
}

/** The package that `name` means inside of the one at `path`: the nearest folder that has it. Source: Node.js, "Loading from node_modules folders". */
export function resolveLocked(packages: LockedPackage[], path: string, name: string): LockedPackage | undefined {
  const places = path === '' ? [] : path.split('/node_modules/')
  for (let depth = places.length; depth >= 0; depth--) {
    const wanted = [...places.slice(0, depth), depth === 0 ? `node_modules/${name}` : name].join('/node_modules/')
    const found = packages.find((each) => each.path === wanted)
    if (found) return found
  }
  return undefined
}

/** Packages whose package.json names no licence: what the LICENSE file in the package says. */
const READ_LICENSES: Readonly<Record<string, string>> = { 'png-js': 'MIT' }

function toPackage(path: string, entry: LockEntry): LockedPackage {
  return {
    path,
    name: path.split('node_modules/').at(-1) ?? '',
    version: entry.version ?? '',
    license: entry.license ?? READ_LICENSES[path.split('node_modules/').at(-1) ?? ''],
    integrity: entry.integrity,
    isOptional: entry.optional === true,
    dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }).sort(),
  }
}
