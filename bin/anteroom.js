#!/usr/bin/env node
// What `npm start` and `npx anteroom` run: builds when the sources are newer than the build, then hands over to the command line.
// Lifecycle scripts do not run when install scripts are off, so nothing else may build.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { buildScript, builtProgram, isBuilt } from '../scripts/build.js'

// The program itself cannot say it: an older Node stops at the first import that it does not know.
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const wanted = engines.node.match(/\d+/g).map(Number)
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  process.stderr.write(
    `anteroom: Node ${wanted.join('.')} or newer is required, and this is Node ${process.versions.node}\n`,
  )
  process.exit(1)
}

if (!isBuilt()) {
  process.stderr.write('anteroom: building, once after each change of the sources\n')
  // In a process of its own: a bundler leaves its memory, its threads and NODE_ENV=production behind.
  if (spawnSync(process.execPath, [buildScript], { stdio: ['ignore', 2, 2] }).status !== 0) {
    process.stderr.write('anteroom: the build failed\n')
    process.exit(1)
  }
}
// With very few file descriptors not even the program's own files can be opened.
await import(builtProgram).catch((error) => {
  if (error.code !== 'EMFILE') throw error
  process.stderr.write(`anteroom: ${error.message}\n`)
  process.exit(1)
})
