import { readFileSync } from 'node:fs'
import { packageFile } from '../src/platform/package-root.ts'

/** A package of package-lock.json. */
export interface LockedPackage {
  /** Its path in `node_modules`; two versions may have the same name. */
  path: string
  name: string
  version: string
  license: string | undefined
  /** In npm's form: `sha512-` and base64. */
  integrity: string | undefined
  isOptional: boolean
  /** The names in its package.json. */
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

/** The console's libraries, which are delivered in dist/console without being installed. */
const BUNDLED = [
  '@mantine/core',
  '@mantine/hooks',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'react',
  'react-dom',
  'uqr',
]

/** The project itself and every package of a production installation or of the console, in the order of their paths. */
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

/** The package that `name` resolves to in the package at `path`: the nearest folder that contains it. Source: Node.js, "Loading from node_modules folders". */
export function resolveLocked(packages: LockedPackage[], path: string, name: string): LockedPackage | undefined {
  const places = path === '' ? [] : path.split('/node_modules/')
  for (let depth = places.length; depth >= 0; depth--) {
    const wanted = [...places.slice(0, depth), depth === 0 ? `node_modules/${name}` : name].join('/node_modules/')
    const found = packages.find((each) => each.path === wanted)
    if (found) return found
  }
  return undefined
}

/** The license in the LICENSE file of packages whose package.json names none. */
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
