#!/usr/bin/env node
// What `npm start` and `npx anteroom` run: builds when the sources are newer than the build, then hands over to the command line.
// Lifecycle scripts do not run when install scripts are off, so nothing else may build.
import { build, builtProgram, isBuilt } from '../scripts/build.js'

if (!isBuilt()) {
  await build().catch(() => {
    process.stderr.write('anteroom: the build failed\n')
    process.exit(1)
  })
}
await import(builtProgram)
