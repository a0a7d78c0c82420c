// The files of the web console that the build writes to dist/console: index.html, and assets whose names contain a hash
// of their contents.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** The encodings that scripts/build.js writes, smallest first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const
type Encoding = keyof typeof ENCODINGS

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

interface Asset {
  type: string
  /** The plain file, or an encoding of it that the caller accepts. */
  read(accepted: ReadonlySet<string>): { bytes: Buffer; encoding?: Encoding }
}

export interface ConsoleFiles {
  index: string
  /** Finds only files that existed at the start, so that no name leads out of the folder. */
  asset(name: string): Asset | undefined
}

/**
 * The console in this folder; undefined when it was not built. Everything is read at once (2 MB): a build or an upgrade may replace the folder
 * under a running service, whose pages would ask for files that are no longer there.
 */
export function openConsoleFiles(folder: string): ConsoleFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const assets = join(folder, 'assets')
  const contents = new Map(readdirSync(assets).map((name) => [name, readFileSync(join(assets, name))]))

  return {
    index: readFileSync(join(folder, 'index.html'), 'utf8'),
    asset(name) {
      const type = TYPES[extname(name)]
      const plain = contents.get(name)
      if (type === undefined || plain === undefined) return undefined
      return {
        type,
        read(accepted) {
          for (const [encoding, suffix] of Object.entries(ENCODINGS) as [Encoding, string][]) {
            const bytes = contents.get(name + suffix)
            if (bytes && accepted.has(encoding)) return { bytes, encoding }
          }
          return { bytes: plain }
        },
      }
    },
  }
}
