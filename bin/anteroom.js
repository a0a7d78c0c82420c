#!/usr/bin/env node
// What `npm start` and `npx anteroom` run: builds when the sources are newer than the build, then hands over to the command line.
// Lifecycle scripts do not run when install scripts are off, so nothing else may build.
import { spawnSync } from 'node:child_process'
import { buildScript, builtProgram, isBuilt } from '../scripts/build.js'

// In a process of its own: a bundler leaves its memory, its threads and NODE_ENV=production behind.
if (!isBuilt() && spawnSync(process.execPath, [buildScript], { stdio: ['ignore', 2, 2] }).status !== 0) {
  process.stderr.write('anteroom: the build failed\n')
  process.exit(1)
}
await import(builtProgram)
