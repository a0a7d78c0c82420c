// V8's readiness to optimize, for each file of a run of all tests. decisions/0219-less-work-in-tests-that-compute.md
import { setFlagsFromString } from 'node:v8'
import { beforeAll, inject } from 'vitest'

/** Of Node 20, whose V8 alone knows the flag. */
const BY_DEFAULT = 67_584
const LATER = 2_000_000

const computing = new Set(inject('computing'))

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it that no fixture is needed.
beforeAll(({}, { file }) => {
  if (!process.version.startsWith('v20.')) return
  setFlagsFromString(`--interrupt-budget=${computing.has(file.filepath) ? LATER : BY_DEFAULT}`)
})

declare module 'vitest' {
  export interface ProvidedContext {
    /** Files that run most code a few times each, with other inputs each time: what V8 optimizes early it has to discard. */
    computing: string[]
  }
}
