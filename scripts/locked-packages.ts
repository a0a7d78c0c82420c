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

/** The project itself and every package that an installation for production brings, in the order of their places. */
export function readLock(): { root: LockedPackage; packages: LockedPackage[] } {
  const lock = JSON.parse(readFileSync(packageFile('package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>
  }
  const own = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as LockEntry & { name: string }
  const packages = Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && !entry.dev)
    .map(([path, entry]) => toPackage(path, entry))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return { root: { ...toPackage('', own), name: own.name }, packages }
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

function toPackage(path: string, entry: LockEntry): LockedPackage {
  return {
    path,
    name: path.split('node_modules/').at(-1) ?? '',
    version: entry.version ?? '',
    license: entry.license,
    integrity: entry.integrity,
    isOptional: entry.optional === true,
    dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }).sort(),
  }
}
