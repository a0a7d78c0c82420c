// The files of unit tests, found by what they import: they start neither a database, nor a server, nor another process.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { packageFile } from '../../src/platform/package-root.ts'

/** Whoever imports one of these needs the PostgreSQL of the whole run, or starts a server of its own. */
const STARTING = ['service', 'started-server', 'database'].map((name) => packageFile('test', 'support', `${name}.ts`))
const STARTS = /from 'node:(child_process|worker_threads)'|\b(createServer|startSandbox)\(|\.listen\(/

/** Their paths, absolute. */
export function unitTests(): string[] {
  const tests = ['src', 'test', 'console/src'].flatMap((folder) =>
    readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => packageFile(folder, name)),
  )
  return tests.filter((file) => startsNothing(file, new Set()))
}

function startsNothing(file: string, seen: Set<string>): boolean {
  if (STARTING.includes(file)) return false
  if (seen.has(file)) return true
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (STARTS.test(text)) return false
  const helpers = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) => resolve(dirname(file), path))
  return helpers.filter((path) => path.startsWith(packageFile('test'))).every((path) => startsNothing(path, seen))
}
