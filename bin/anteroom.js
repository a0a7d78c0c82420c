#!/usr/bin/env node
// What `npm start` and `npx anteroom` run: builds when the sources are newer than the build, then hands over to the command line.
// Lifecycle scripts do not run when install scripts are off, so nothing else may build.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const built = join(root, 'dist', 'main', 'cli.js')

if (!existsSync(built) || newestChange() > statSync(built).mtimeMs) build()
await import(built)

function newestChange() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = [
    ...files.map((entry) => join(entry.parentPath, entry.name)),
    join(root, 'tsconfig.build.json'),
    join(root, 'package.json'),
  ]
  return Math.max(...paths.map((path) => statSync(path).mtimeMs))
}

function build() {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) {
    process.stderr.write('anteroom: the build failed\n')
    process.exit(1)
  }
}
