// The log of a process whose reader stalls.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const LINES = 3_000
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const writing = `import { logLines } from ${JSON.stringify(new URL('output.ts', import.meta.url).href)}
const lines = logLines()
for (let index = 0; index < ${LINES}; index++) lines.write('x'.repeat(1000) + '\\n')`

const start = () =>
  spawn(process.execPath, ['--import', loader, '--input-type=module', '-e', writing], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

it('arrives completely where somebody reads it', async () => {
  const child = start()
  const [log] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(log.split('\n')).toHaveLength(LINES + 1)
})

it('does not keep the process from ending where nobody reads it', async () => {
  expect(await once(start(), 'exit')).toEqual([0, null])
})
