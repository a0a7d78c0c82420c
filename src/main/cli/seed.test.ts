import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/support/database.ts'
import { runCommand } from '../../../test/support/started-server.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone?.drop())

const run = (...args: string[]) => runCommand(args, { DATABASE_URL: clone.url })

describe('anteroom seed', () => {
  it('requires --organization when there is none, and when there are several', async () => {
    const none = await run('seed')
    expect([none.code, none.stderr]).toEqual([2, 'anteroom: --organization is required: there is none yet\n'])
    await run('organization', 'create', 'first')
    await run('organization', 'create', 'second')
    const several = await run('seed')
    expect([several.code, several.stderr]).toEqual([2, 'anteroom: --organization is required: there are several\n'])
    const unknown = await run('seed', '--organization', 'third')
    const advice = 'anteroom organization list shows all'
    expect([unknown.code, unknown.stderr]).toEqual([1, `anteroom: there is no organization third: ${advice}\n`])
  })

  it('adds 200 patients and 1,000 appointments by default, prints what it created, and reports progress in plain lines', async () => {
    const { code, stdout, stderr } = await run('seed', '--organization', 'first')
    expect([code, stdout.split('\n').slice(0, 3)]).toEqual([
      0,
      ['patients: 200', 'coverages: 300', 'appointments: 1000'],
    ])
    expect(stderr.split('\n').slice(-2)).toEqual(['1,200 of 1,200 patients and appointments', ''])
    expect(stderr).not.toContain('\r')
  })

  it('adds the given numbers, and prints JSON for programs', async () => {
    const { stdout } = await run(
      'seed',
      '--organization',
      'second',
      '--patients',
      '12',
      '--appointments',
      '7',
      '--json',
    )
    expect(JSON.parse(stdout)).toMatchObject({ patients: 12, coverages: 18, appointments: 7, patient_merges: 0 })
  })

  it.each([
    ['--patients', '0'],
    ['--patients', 'many'],
    ['--appointments', '1.5'],
    ['--appointments', '10000000'],
  ])('refuses %s %s with exit code 2 and adds nothing', async (flag, value) => {
    const { code, stdout, stderr } = await run('seed', '--organization', 'first', flag, value)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(flag)
  })
})
