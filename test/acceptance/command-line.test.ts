// Commands are slow to start and independent of each other, so these tests run concurrently.
import { once } from 'node:events'
import { access, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'
import { expectRefusal, outputOf, runHere } from '../support/finished-command.ts'
import {
  newClonePlace,
  newDataFolder,
  packageRoot,
  runCommand,
  type Settings,
  startProgram,
  startServer,
} from '../support/started-server.ts'

let place: Awaited<ReturnType<typeof newClonePlace>>
let folder: Awaited<ReturnType<typeof newDataFolder>>
beforeAll(async () => {
  ;[place, folder] = await Promise.all([newClonePlace(), newDataFolder()])
})
afterAll(async () => {
  await Promise.all([place?.remove(), folder?.remove()])
})

const anteroom = (...args: string[]) => runCommand(args, place.settings)

const succeed = (...args: string[]) => outputOf(anteroom(...args))

describe.concurrent('anteroom', () => {
  test.each([['help'], ['--help'], []])('%s prints every command and ends with 0', async (...args) => {
    const help = await succeed(...args)
    for (const command of ['serve', 'migrate', 'organization', 'client', 'x12 decode', 'sandbox', 'openapi']) {
      expect(help).toContain(`anteroom ${command}`)
    }
  })

  test.each([['--version'], ['-V']])('%s prints the version of the program and ends with 0', async (flag) => {
    const { version } = JSON.parse(await readFile(packageFile('package.json'), 'utf8'))
    expect(await succeed(flag)).toBe(`${version}\n`)
  })
})

// The exit code of a process is tried in test/laws/commands.test.ts.
describe('wrong usage', () => {
  test.each([
    [['sevre'], /unknown command sevre/],
    [['organization', 'list', '--version'], /--version/],
    [['organization', '-V'], /-V/],
    [['constructor'], /unknown command constructor/],
    [['client'], /create, list, update, rotate or revoke/],
    [['client', 'update', 'x'], /--scopes or --read-only is required/],
    [['client', 'create', 'x', '--organization', 'y', '--scopes', 'patient'], /unknown scope patient: .*patients:read/],
    [
      ['client', 'create', 'x', '--organization', 'y', '--scopes', 'all,admin'],
      /all cannot be combined with other scopes/,
    ],
    [
      ['client', 'create', 'x', '--organization', 'y', '--read-only', '--scopes', 'notes:write'],
      /--read-only removes all of --scopes/,
    ],
    [['keys'], /rotate, list or retire/],
    [['keys', 'retire'], /the kid of a key is required/],
    [['client', 'create', 'front desk'], /--organization is required/],
    [['organization', 'create'], /a name is required/],
    [['organization', 'update'], /an organization is required/],
    [['organization', 'update', 'Harbor Clinic', '--auto-update', 'maybe'], /--auto-update takes on or off/],
    [['x12', 'explain', '-'], /decode or encode/],
    [['x12', 'decode'], /a file or - is required/],
    [['x12', 'decode', '-', '--date-of-service', '2026-02-30'], /--date-of-service/],
    [['sandbox', '--port', 'many'], /--port/],
    [['list', '--color'], /--color/],
  ])('%j is one line and exit code 2', async (args, line) => {
    expectRefusal(await runHere(args), 2, line)
  })
})

describe.concurrent('organization and client', () => {
  test('are created and listed for people and, with --json, for programs', async () => {
    const made = await succeed('organization', 'create', 'Harbor Clinic', '--time-zone', 'America/New_York')
    expect(made).toMatch(/^organization_id: \S+\nname: Harbor Clinic\ntime_zone: America\/New_York\n$/)
    const organizations = JSON.parse(await succeed('organization', 'list', '--json'))
    expect(organizations).toContainEqual({
      organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Harbor Clinic',
      time_zone: 'America/New_York',
    })
    expect(await succeed('organization', 'list')).toMatch(/^organization_id +name +time_zone\n/)

    const client = await succeed('client', 'create', 'front desk', '--organization', 'Harbor Clinic')
    expect(client).toMatch(/^client_id: \S+\nclient_secret: \S{43}\norganization_id: \S+\n$/)
    expect(await succeed('client', 'list')).toMatch(
      /^client_id +organization_id +name +scopes +revoked +created_at\n(.*\n)*.*front desk +all +false +\S+\n/,
    )
  })

  test('show the settings of an organization, and change only the named ones', async () => {
    await succeed('organization', 'create', 'Pier Clinic')
    const settings = async (...flags: string[]) =>
      JSON.parse(await succeed('organization', 'update', 'Pier Clinic', ...flags, '--json')).auto_update_benefits
    expect(await settings('--auto-update', 'off')).toBe(false)
    expect(await settings()).toBe(false)
    const shown = await succeed('organization', 'update', 'Pier Clinic', '--visit-services', 'Treatment=PT,98')
    expect(shown).toContain('visit_services: {"Treatment":["PT","98"]}')
  })

  test('take effect on a running server: rotation keeps both secrets, revocation ends the client', async () => {
    await succeed('organization', 'create', 'Quay Clinic', '--json')
    const first = JSON.parse(await succeed('client', 'create', 'desk', '--organization', 'Quay Clinic', '--json'))
    const server = await startServer(place.settings)
    try {
      const tokenStatus = async (credentials: object) => {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify(credentials)
        return (await fetch(`${server.url}/api/auth/v2/token`, { method: 'POST', headers, body })).status
      }
      const second = JSON.parse(await succeed('client', 'rotate', first.client_id, '--json'))
      expect(second).toMatchObject({ client_id: first.client_id, organization_id: first.organization_id })
      expect(second.client_secret).not.toBe(first.client_secret)
      expect([await tokenStatus(first), await tokenStatus(second)]).toEqual([200, 200])

      expect(await succeed('client', 'revoke', first.client_id)).toBe(`client_id: ${first.client_id}\nrevoked: true\n`)
      expect([await tokenStatus(first), await tokenStatus(second)]).toEqual([401, 401])
      const listed = JSON.parse(await succeed('client', 'list', '--json')) as { client_id: string; revoked: boolean }[]
      expect(listed.find((each) => each.client_id === first.client_id)?.revoked).toBe(true)
    } finally {
      await server.stop()
    }
  })

  test.each([
    [['organization', 'create', 'Nowhere', '--time-zone', 'Mars/Olympus'], /IANA/],
    [['client', 'create', 'desk', '--organization', 'nobody'], /no organization/],
    [['client', 'rotate', 'nobody'], /no client/],
    [['distribute'], /does not have the extension citus/],
  ])('%j fails with one line and exit code 1', async (args, line) => {
    expectRefusal(await anteroom(...args), 1, line)
  })

  test('with a name in use fail with one line and exit code 1', async () => {
    await succeed('organization', 'create', 'Twice')
    expectRefusal(await anteroom('organization', 'create', 'Twice'), 1, /already exists/)
  })
})

/** An invented active answer with a copay and a deductible. */
const answer = `ISA*00*          *00*          *ZZ*NORTHWIND      *ZZ*ANTEROOM       *260301*0930*^*00501*000000042*0*T*:~
GS*HB*NORTHWIND*ANTEROOM*20260301*0930*42*X*005010X279A1~
ST*271*0001*005010X279A1~BHT*0022*11*REF-1*20260301*0930~
HL*1**20*1~NM1*PR*2*NORTHWIND HEALTH*****PI*NWH01~
HL*2*1*21*1~NM1*1P*2*HARBOR CLINIC*****XX*1999999984~
HL*3*2*22*0~NM1*IL*1*MARLOWE*IRIS****MI*NW-100200~DMG*D8*19840229*F~DTP*346*D8*20260101~
EB*1**30**GOLD PPO~EB*C*IND*30***23*1500*****Y~EB*B*IND*98***27*25*****Y~
SE*14*0001~GE*1*42~IEA*1*000000042~
`

describe.concurrent('x12 decode', () => {
  // No database is configured, because the command needs none.
  const decode = (args: string[], input = '') => runCommand(['x12', 'decode', ...args], {}, input)

  test('decodes a file and prints a readable summary', async () => {
    const path = join(folder.path, 'answer.271')
    await writeFile(path, answer)
    const { code, stdout, stderr } = await decode([path])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ACTIVE\n/)
    for (const fact of ['IRIS MARLOWE', 'NORTHWIND HEALTH', 'GOLD PPO', 'NW-100200', '$1,500', '$25']) {
      expect(stdout).toContain(fact)
    }
  })

  test('shows what limits active coverage before everything else', async () => {
    const { stdout } = await decode(
      ['-', '--date-of-service', '2026-03-09'],
      answer.replace('~EB*C*', '~EB*N**30~EB*C*').replace('SE*14*', 'SE*15*'),
    )
    expect(stdout).toMatch(/^ACTIVE\n.*with limits\.\nATTENTION: Services Restricted to Following Provider: the plan\n/)
    const printed = await decode(
      ['-', '--json', '--date-of-service', '2026-03-09'],
      answer.replace('~EB*C*', '~EB*N**30~EB*C*').replace('SE*14*', 'SE*15*'),
    )
    expect(JSON.parse(printed.stdout).transactions[0].patients[0].benefits.notes).toMatch(
      /^ATTENTION: Services Restricted to Following Provider: the plan/,
    )
  })

  test('reads standard input and prints the parsed response with --json', async () => {
    const { code, stdout } = await decode(['-', '--json'], answer)
    const { transactions } = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(transactions[0].patients[0]).toMatchObject({
      eligibility_status: 'ACTIVE',
      plan_metadata: { payer_name: 'NORTHWIND HEALTH', member_id: 'NW-100200' },
    })
  })

  test('reports faults of an envelope and still decodes it', async () => {
    const { code, stdout } = await decode(['-'], answer.replace('SE*14*', 'SE*99*'))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^warning: .*SE01/m)
    expect(stdout).toMatch(/^ACTIVE$/m)
  })

  test('reports the rejected person and the reason', async () => {
    const { code, stdout } = await decode(
      ['-'],
      answer.replace(/EB\*1.*\n/, 'AAA*N**75*C~\n').replace('SE*14*', 'SE*12*'),
    )
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^rejected: AAA 75 /m)])
  })

  test.each([
    ['text that is not X12', ['-'], 'Dear Sir or Madam', /no readable X12/],
    ['nothing', ['-'], '', /no readable X12/],
    ['a missing file', ['/nowhere/answer.271'], '', /there is no file/],
    ['a folder', ['/'], '', /cannot be read/],
  ])('of %s fails with one line and exit code 1', async (_, args, input, line) => {
    expectRefusal(await decode(args, input), 1, line)
  })
})

describe.concurrent('serve', () => {
  const serve = (settings: Settings) => runCommand(['serve'], { ...place.settings, LOG_LEVEL: 'silent', ...settings })

  test('lists all wrong settings at once, by name and without their values', async () => {
    const wrong = {
      PORT: 'secret-a',
      CORE_PORT: '70000',
      DATABASE_URL: 'secret-b',
      ENCRYPTION_KEY: 'secret-c',
      LOG_LEVEL: 'secret-d',
      TOKEN_LIFETIME_SECONDS: '5',
      CLEARINGHOUSE_URL: 'secret-e',
      TRUSTED_PROXIES: 'secret-f',
      WEBHOOK_PRIVATE_NETWORKS: 'secret-g',
      CONNECTOR_PRIVATE_NETWORKS: 'secret-h',
      TLS_CERT_FILE: 'secret-i',
      OIDC_ISSUER: 'https://secret-j.example',
      CLEARINGHOUSE_KIND: 'stedi',
    }
    const DATA_DIR = join(folder.path, 'never-made')
    const refused = await serve({ ...wrong, DATA_DIR })
    expectRefusal(refused, 1, /invalid settings/)
    for (const name of Object.keys(wrong).filter((each) => each !== 'CLEARINGHOUSE_KIND'))
      expect(refused.stderr).toContain(name)
    expect(refused.stderr).toContain('CLEARINGHOUSE_API_KEY is required')
    expect(refused.stderr).not.toMatch(/secret-|70000/)
    await expect(access(DATA_DIR)).rejects.toThrow('ENOENT')
    const checked = await runCommand(['config', 'check'], { ...place.settings, ...wrong, DATA_DIR })
    expect([checked.code, checked.stderr]).toEqual([refused.code, refused.stderr])
  })

  test('names the setting of a port that is in use before a first start makes anything', async () => {
    const occupant = createServer().listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    const taken = String((occupant.address() as { port: number }).port)
    const own = { LOG_LEVEL: 'silent', DATA_DIR: join(folder.path, 'never') }
    try {
      for (const setting of ['PORT', 'CORE_PORT', 'METRICS_PORT']) {
        const refused = await runCommand(['serve'], { ...own, [setting]: taken })
        expectRefusal(refused, 1, new RegExp(`: set ${setting} to another`))
      }
    } finally {
      occupant.close()
    }
    await expect(access(own.DATA_DIR)).rejects.toThrow('ENOENT')
  })

  test('reports that the database cannot be reached', async () => {
    expectRefusal(
      await serve({ DATABASE_URL: 'postgresql://nobody:hidden@127.0.0.1:1/none' }),
      1,
      /DATABASE_URL cannot be reached/,
    )
  })

  test('creates no client automatically in an external database', async () => {
    const server = await startServer(place.settings)
    await server.stop()
    expect(server.output()).not.toMatch(/client_secret/)
  })
})

describe.concurrent('sandbox', () => {
  test('serves a page of its members, refuses a second process on its port, and stops on a signal', async () => {
    const sandbox = await startProgram(['sandbox', '--port', '0'], {}, /^Sandbox clearinghouse on (\S+)\n/m)
    try {
      const { origin, port } = new URL(sandbox.address)
      for (const address of [origin, sandbox.address]) {
        const overview = await fetch(address)
        expect([overview.status, await overview.text()]).toEqual([200, expect.stringContaining('AETNA12345')])
      }
      expectRefusal(await runCommand(['sandbox', '--port', port]), 1, /port \d+ is in use: choose another with --port/)
    } finally {
      await sandbox.stop()
    }
  })

  test.each([
    ['is missing', undefined, /cannot be read/],
    ['has faults', '{"payers": [], "members": 1}', /has faults: .*; /],
  ])('says in one line that a roster %s', async (state, content, line) => {
    const path = join(folder.path, `roster that ${state}.json`)
    if (content) await writeFile(path, content)
    expectRefusal(await runCommand(['sandbox', '--port', '0', '--roster', path]), 1, line)
  })
})

test('migrate reports that the database is ready, also when it runs again', async () => {
  expect(await succeed('migrate')).toBe('the database schema matches this release\n')
})

test('openapi prints the committed description and needs no database', async () => {
  const { code, stdout, stderr } = await runCommand(['openapi'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(await readFile(join(packageRoot, 'openapi.json'), 'utf8'))
})
