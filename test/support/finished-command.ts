import { expect } from 'vitest'
import type { Finished } from './started-server.ts'

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
