import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that contains package.json and `src/`, or `dist/` when built. */
export const packageRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The path of a file that ships with the project, e.g. `packageFile('migrations')`. */
export function packageFile(...segments: string[]): string {
  return join(packageRoot, ...segments)
}

/** The version of this program, as its package says it. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}
