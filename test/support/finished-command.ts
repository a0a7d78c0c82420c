import { expect, vi } from 'vitest'
import { runToEnd } from '../../src/main/cli/program/run-to-end.ts'
import type { Finished, Settings } from './started-server.ts'

/**
 * Runs a command in this process, where what it does and prints is the promise and its process is not: to start one takes a third of a second
 * of processor time. One at a time, and none that reads standard input. As `runCommand`, without the test's environment or `.env`.
 */
export async function runHere(args: string[], settings: Settings = {}): Promise<Finished> {
  const { env, exitCode } = process
  const folder = process.cwd()
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(written),
  )
  process.env = { PATH: env.PATH, NODE_ENV: 'development', ...settings }
  process.exitCode = 0
  process.chdir('/')
  try {
    await runToEnd(args)
    const [stdout = '', stderr = ''] = streams.map(({ mock }) => mock.calls.map(([chunk]) => String(chunk)).join(''))
    return { code: Number(process.exitCode), stdout, stderr }
  } finally {
    for (const stream of streams) stream.mockRestore()
    process.chdir(folder)
    process.exitCode = exitCode
    process.env = env
  }
}

/** What a stream does that can be written: the last argument may be the function that waits for it. */
function written(...args: unknown[]): true {
  const onWritten = args.at(-1)
  if (typeof onWritten === 'function') onWritten()
  return true
}

/** The output of a successful command: no text on stderr and exit code 0. */
export async function outputOf(running: Promise<Finished>): Promise<string> {
  const { code, stdout, stderr } = await running
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

/** Expects one line on stderr, nothing on stdout, and the exit code. */
export function expectRefusal(finished: Finished, code: 1 | 2, line: RegExp): void {
  expect(finished.stderr).toMatch(/^anteroom: [^\n]+\n$/)
  expect(finished.stderr).toMatch(line)
  expect([finished.code, finished.stdout]).toEqual([code, ''])
}
