// `anteroom check` sends an inquiry and prints the result for a front desk, or as the API returns it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newClonePlace, runCommand } from '../support/started-server.ts'

let place: Awaited<ReturnType<typeof newClonePlace>>
beforeAll(async () => {
  place = await newClonePlace()
  await runCommand(['organization', 'create', 'harbor'], place.settings)
})
afterAll(() => place?.remove())

const jane = {
  payer_id: '60054',
  provider: { npi: '1999999984' },
  subscriber: { member_id: 'AETNA12345', first_name: 'Jane', last_name: 'Doe', date_of_birth: '2004-04-04' },
}
const flags = ['--payer', '60054', '--npi', '1999999984', '--first-name', 'Jane', '--last-name', 'Doe']

test.concurrent("prints the payer's answer in readable form", async () => {
  const asked = ['check', ...flags, '--member-id', 'AETNA12345', '--date-of-birth', '2004-04-04']
  const { code, stdout, stderr } = await runCommand(asked, place.settings)
  expect([code, stderr]).toEqual([0, ''])
  for (const line of [
    /^ACTIVE$/m,
    /Member ID +AETNA12345/,
    /Office +varies, see below +40 % coinsurance/,
    /\$25 copay: PRIMARY CARE PHYSICIAN/,
    /\$50 copay: SPECIALIST/,
    /Deductible, individual +\$1,500/,
  ]) {
    expect(stdout).toMatch(line)
  }
})

test.concurrent('reads a request from standard input and prints the answer of the API with --json', async () => {
  const { code, stdout, stderr } = await runCommand(['check', '-', '--json'], place.settings, JSON.stringify(jane))
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ request: jane, parsed_response: { eligibility_status: 'ACTIVE' } })
})

test.concurrent('explains in plain words what to do about a rejection', async () => {
  const rejected = { ...jane, payer_id: '87726', subscriber: { ...jane.subscriber, member_id: 'UHCAAA75' } }
  const { stdout } = await runCommand(['check', '-'], place.settings, JSON.stringify(rejected))
  expect(stdout).toMatch(/^UNKNOWN$/m)
  expect(stdout).toMatch(/75/)
  expect(stdout).toMatch(/Front desk: .*Compare member ID/)
})

test.concurrent.each([
  [2, /--payer is required/, ['check'], ''],
  [1, /payer_id is required/, ['check', '-'], '{}'],
  [1, /organization nobody/, ['check', ...flags, '--organization', 'nobody'], ''],
])('ends with %i and one line that says what is wrong', async (code, line, args, input) => {
  const finished = await runCommand(args, place.settings, input)
  expect([finished.code, finished.stdout]).toEqual([code, ''])
  expect(finished.stderr).toMatch(/^anteroom: [^\n]+\n$/)
  expect(finished.stderr).toMatch(line)
})
