// The log of a process whose reader stalls, or whose disk is full.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const LINES = 3_000
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const writing = `import { logLines } from ${JSON.stringify(new URL('output.ts', import.meta.url).href)}
const lines = logLines()
for (let index = 0; index < ${LINES}; index++) lines.write('x'.repeat(1000) + '\\n')`

const command = [process.execPath, '--import', loader, '--input-type=module', '-e', writing]

it('the log arrives completely if somebody reads it', async () => {
  const log = join(await mkdtemp(join(tmpdir(), 'anteroom-log-')), 'log')
  // `cat` reads even while this process has no time to.
  await once(
    spawn('sh', ['-c', '"$@" | cat > "$LOG"', 'sh', ...command], { env: { ...process.env, LOG: log } }),
    'exit',
  )
  expect((await readFile(log, 'utf8')).split('\n')).toHaveLength(LINES + 1)
})

it('the log continues with the next line after a slow reader has read, because a second of a busy service would fill the buffer', async () => {
  const [program = '', ...rest] = command
  // The pause after which it is written again never ends here.
  const slowly = `globalThis.setTimeout = () => ({ unref() { return this } })
${writing}
process.stdin.on('data', () => { lines.write('x'); console.error('written') })`
  const child = spawn(program, [...rest.slice(0, -1), slowly])
  let read = 0
  child.stdout.on('data', ({ length }) => (read += length))
  for (let lines = 0; lines < 1000 && read < LINES * 1001; lines++) {
    child.stdin.write('next')
    await once(child.stderr, 'data')
  }
  child.kill('SIGKILL')
  expect(read).toBeGreaterThan(LINES * 1001)
})

it('a log that nobody reads does not keep the process from ending', async () => {
  const [program = '', ...rest] = command
  expect(await once(spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] }), 'exit')).toEqual([0, null])
})

it('a log on a full disk does not keep the process from working or ending', async () => {
  const [program = '', ...rest] = command
  const going = [...rest.slice(0, -1), `${writing}; lines.flushSync(); console.error('goes on')`]
  const full = await open('/dev/full', 'w')
  const child = spawn(program, going, { stdio: ['ignore', full.fd, 'pipe'] })
  const [said] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')])
  await full.close()
  expect([said, child.exitCode]).toEqual(['goes on\n', 0])
})
