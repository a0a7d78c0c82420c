import { afterEach, expect, it, vi } from 'vitest'
import './output.ts'

const { exitCode } = process
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = exitCode
})

const full = () => Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })

it('a command whose output is on a full disk says so in one line, and fails', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (let line = 0; line < 3; line++) process.stdout.emit('error', full())
  expect(write.mock.calls.map(([text]) => text).join('')).toMatch(/^anteroom: the output .*\(ENOSPC\).*\n$/)
  expect(process.exitCode).toBe(1)
})

it('a command does not end halfway when nobody can be told of its progress', () => {
  for (const code of ['ENOSPC', 'EPIPE']) process.stderr.emit('error', Object.assign(full(), { code }))
  expect(process.exitCode).toBe(exitCode)
})
