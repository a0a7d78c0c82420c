import { expect } from 'vitest'
import type { Finished } from './started-server.ts'

/** What a command that worked has printed: it says nothing on stderr and ends with exit code 0. */
export async function outputOf(running: Promise<Finished>): Promise<string> {
  const { code, stdout, stderr } = await running
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

/** One line on stderr that a person can act on, nothing on stdout, and the exit code. */
export function expectRefusal(finished: Finished, code: 1 | 2, line: RegExp): void {
  expect(finished.stderr).toMatch(/^anteroom: [^\n]+\n$/)
  expect(finished.stderr).toMatch(line)
  expect([finished.code, finished.stdout]).toEqual([code, ''])
}
