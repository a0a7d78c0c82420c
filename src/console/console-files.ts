// The files of the web console that the build writes to dist/console: index.html, and assets whose names contain a hash
// of their contents.
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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
  read(accepted: ReadonlySet<string>): Promise<{ bytes: Buffer; encoding?: Encoding }>
}

export interface ConsoleFiles {
  index(): Promise<string>
  /** Finds only files that existed at the start, so that no name leads out of the folder. */
  asset(name: string): Asset | undefined
}

/** The console in this folder; undefined when it was not built. */
export function openConsoleFiles(folder: string): ConsoleFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const names = new Set(readdirSync(join(folder, 'assets')))
  const contents = new Map<string, Promise<Buffer>>()

  function read(path: string): Promise<Buffer> {
    const known = contents.get(path) ?? readFile(join(folder, path))
    contents.set(path, known)
    // A read that failed, for instance for lack of file handles, may succeed next time.
    known.catch(() => contents.delete(path))
    return known
  }

  return {
    index: async () => String(await read('index.html')),
    asset(name) {
      const type = TYPES[extname(name)]
      if (type === undefined || !names.has(name)) return undefined
      return {
        type,
        async read(accepted) {
          for (const [encoding, suffix] of Object.entries(ENCODINGS) as [Encoding, string][]) {
            if (!accepted.has(encoding) || !names.has(name + suffix)) continue
            return { bytes: await read(join('assets', name + suffix)), encoding }
          }
          return { bytes: await read(join('assets', name)) }
        },
      }
    },
  }
}
