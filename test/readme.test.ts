// What README.md and docs/ promise a newcomer, held against the program.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONNECTOR_KINDS } from '../src/clearinghouses/connector-kind-names.ts'
import { Config, readConfig } from '../src/config.ts'
import { ROLES } from '../src/platform/auth/roles.ts'
import { newDataFolder, packageRoot, program, type StartedServer, startServer } from './support/started-server.ts'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...(await readdir(join(packageRoot, 'docs'))).map((name) => `docs/${name}`),
]
const textOf = (page: string) => readFile(join(packageRoot, page), 'utf8')

/** The part of a page under a heading of the second level. */
async function section(page: string, title: string): Promise<string> {
  const [, part] = (await textOf(page)).split(`\n## ${title}\n`)
  if (part === undefined) throw new Error(`${page} has no part "${title}"`)
  return part.split('\n## ')[0] ?? ''
}

async function codeBlock(page: string, title: string): Promise<string> {
  const [, code] = /```\w*\n([\s\S]*?)```/.exec(await section(page, title)) ?? []
  if (code === undefined) throw new Error(`${page} has no code under "${title}"`)
  return code
}

test('README.md is short enough to be read: 120 lines', async () => {
  expect((await textOf('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(120)
})

test('every name in the folder tree is there', async () => {
  const open: string[] = []
  const paths = (await codeBlock('CONTRIBUTING.md', 'Where things are'))
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? []
      open.length = indent.length / 2
      open.push(name)
      return open.join('')
    })
  expect(paths.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([])
})

test('every link between the pages leads somewhere, and README.md leads to every page', async () => {
  const linksOf = async (page: string) =>
    [...(await textOf(page)).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = '']) => target)
  const dead: string[] = []
  for (const page of pages) {
    for (const link of await linksOf(page))
      if (!/^https?:/.test(link) && !existsSync(join(packageRoot, dirname(page), link))) dead.push(`${page}: ${link}`)
  }
  expect(dead).toEqual([])
  expect(await linksOf('README.md')).toEqual(expect.arrayContaining(pages.filter((each) => each !== 'README.md')))
})

test('the guide describes every role of a user and every kind of connector', async () => {
  const users = await textOf('docs/users.md')
  expect(ROLES.filter((role) => !users.includes(`| \`${role}\` |`))).toEqual([])
  const clearinghouses = await textOf('docs/clearinghouses.md')
  const isNamed = (kind: string) =>
    [`CLEARINGHOUSE_KIND=${kind}\``, `--kind ${kind} `].some((text) => clearinghouses.includes(text))
  expect(CONNECTOR_KINDS.filter((kind) => !isNamed(kind))).toEqual([])
})

describe('pasted from the README,', () => {
  let folder: Awaited<ReturnType<typeof newDataFolder>>
  let server: StartedServer
  beforeAll(async () => {
    folder = await newDataFolder()
    server = await startServer({ DATA_DIR: folder.path })
    // `npx anteroom` would build first; here it runs the very program that the server runs.
    const line = [process.execPath, ...program].map((word) => `'${word}'`).join(' ')
    const npx = `#!/bin/sh\n[ "$1" = anteroom ] && shift && exec ${line} "$@"\n`
    await writeFile(join(folder.path, 'npx'), npx)
    await chmod(join(folder.path, 'npx'), 0o755)
  })
  afterAll(async () => {
    await server?.stop()
    await folder?.remove()
  })

  async function paste(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    const PATH = `${folder.path}:${process.env.PATH}`
    // With a pipe as its input, bash would read the start-up files of the user who runs the tests.
    const child = spawn(command, args, {
      cwd: packageRoot,
      env: { ...env, PATH, DATA_DIR: folder.path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { stdout, stderr, code: child.exitCode }
  }
  const here = (code: string) => code.replaceAll('http://127.0.0.1:4000', server.url)

  test('the walk-through makes a patient and a coverage, and reads the benefits', async () => {
    const { code, stdout, stderr } = await paste('bash', [
      '-euo',
      'pipefail',
      '-c',
      here(await codeBlock('README.md', 'A first eligibility check')),
    ])
    expect([code, stderr]).toEqual([0, ''])
    const [made, status, plan, deductible, ...copays] = stdout.split('\n')
    expect(made).toMatch(/^patient [0-9a-f-]{36}, coverage [0-9a-f-]{36}$/)
    expect([status, plan, deductible]).toEqual(['ACTIVE', 'CHOICE PLUS PPO', '900'])
    expect(copays.join('\n')).toMatch(/type: 'COPAY'/)
    const promised = await section('README.md', 'A first eligibility check')
    for (const result of [status, plan, deductible]) expect(promised).toContain(`\`${result}\``)
  })

  test('the snippet of the published client says that the member is active', async () => {
    const [, CLIENT_ID, CLIENT_SECRET] = /client_id +(\S+)\n +client_secret +(\S+)/.exec(server.output()) ?? []
    const code = here(await codeBlock('README.md', 'The published client'))
    const { stdout, stderr } = await paste(process.execPath, ['--input-type=module', '-e', code], {
      CLIENT_ID,
      CLIENT_SECRET,
    })
    expect([stdout, stderr]).toEqual(['ACTIVE []\n', ''])
  })

  const blocksOf = async (page: string, language: string) =>
    [...(await textOf(`docs/${page}.md`)).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
      ([, code = '']) => code,
    )

  const CSHARP_PROJECT = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>`
  const interpreters: Record<string, (code: string) => Promise<[command: string, args: string[]]>> = {
    sh: async (code) => ['bash', ['-euo', 'pipefail', '-c', code]],
    ts: async (code) => [process.execPath, ['--input-type=module', '-e', code]],
    // The published client makes its own libraries warn.
    python: async (code) => ['python3', ['-W', 'ignore', '-c', code]],
    ruby: async (code) => ['ruby', ['-e', code]],
    java: async (code) => {
      await writeFile(join(folder.path, 'Check.java'), code)
      return ['java', [join(folder.path, 'Check.java')]]
    },
    csharp: async (code) => {
      const place = join(folder.path, 'csharp')
      await mkdir(place, { recursive: true })
      await writeFile(join(place, 'Check.cs'), code)
      await writeFile(join(place, 'Check.csproj'), CSHARP_PROJECT)
      // .NET is in no registry that every machine reaches; Mono is one of Debian's packages (mono-mcs, libmono-system-net-http4.0-cil).
      if (spawnSync('dotnet', ['--version']).error === undefined) return ['dotnet', ['run', '--project', place]]
      if (spawnSync('mcs', ['--version']).error !== undefined) return ['mcs', []]
      const build = ['-r:System.Net.Http.dll', `-out:${join(place, 'Check.exe')}`, join(place, 'Check.cs')]
      expect(String(spawnSync('mcs', build).stderr)).toBe('')
      return ['mono', [join(place, 'Check.exe')]]
    },
  }

  /** The variables that the examples use. */
  async function signIn() {
    const [, CLIENT_ID = '', CLIENT_SECRET = ''] =
      /client_id +(\S+)\n +client_secret +(\S+)/.exec(server.output()) ?? []
    const asked = await fetch(`${server.url}/api/auth/v2/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET }),
    })
    const { access_token: TOKEN } = (await asked.json()) as { access_token: string }
    return { BASE: server.url, CLIENT_ID, CLIENT_SECRET, TOKEN }
  }

  test('the example of an import stores each patient once with a primary coverage, also when it runs twice', async () => {
    const [code = ''] = await blocksOf('first-clinic', 'js')
    const { BASE, TOKEN } = await signIn()
    for (const _ of [1, 2]) {
      const { stdout, stderr } = await paste(process.execPath, ['--input-type=module', '-e', code], { BASE, TOKEN })
      expect([stdout, stderr]).toEqual(['1 imported\n', ''])
    }
    const query = new URLSearchParams({ filters: 'patient.mrn|eq|H-1001', limit: '5' })
    const listed = await fetch(`${BASE}/lists/v1/patient?${query}`, { headers: { Authorization: `Bearer ${TOKEN}` } })
    const { items } = (await listed.json()) as { items: Record<string, { insurance_plan: { member_id: string } }>[] }
    expect(items.map(({ primary_coverage }) => primary_coverage?.insurance_plan.member_id)).toEqual(['AETNA12345'])
  })

  test('the commands and settings on the way from the trial to a clinic are taken as they are written', async () => {
    const [settings = '', commands = '', clearinghouse = '', check = '', verification = ''] = await blocksOf(
      'first-clinic',
      'sh',
    )
    const lines = [...settings.trimEnd().split('\n'), ...clearinghouse.trimEnd().split('\n')]
    const values = Object.fromEntries(lines.map((line) => line.split('=')))
    expect(readConfig(values)).toMatchObject(values)
    // Another page makes an organization of this name.
    const lake = `${commands}${check}${verification}`.replaceAll('Harbor Clinic', 'Lake Clinic')
    const { code, stdout, stderr } = await paste('bash', ['-euc', `cd "$DATA_DIR"\n${lake}`])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ACTIVE$/m)
  })

  /** The first line of an example that needs a client of another language; it runs where that is installed. */
  const publishedClients = ['from candid import CandidApiClient', "require 'candid'"]

  test.each(['eligibility', 'polling', 'filters', 'clients'])(
    'every example of docs/%s.md runs and answers',
    async (page) => {
      const credentials = await signIn()
      const examples = [...(await textOf(`docs/${page}.md`)).matchAll(/```(\w+)\n([\s\S]*?)```/g)]
      expect(examples.length).toBeGreaterThan(0)
      for (const [, language = '', code = ''] of examples) {
        const [command, args] = await interpreters[language]!(code)
        const isThere = spawnSync(command, [command === 'java' ? '-version' : '--version']).error === undefined
        const needed = publishedClients.find((line) => code.includes(line))
        const option = language === 'ruby' ? '-e' : '-c'
        if (!isThere || (needed !== undefined && spawnSync(command, [option, needed]).status !== 0)) {
          console.warn(
            `docs/${page}.md: the ${language} example is left out: ${isThere ? 'the client' : command} is not installed`,
          )
          continue
        }
        const { code: exit, stdout, stderr } = await paste(command, args, credentials)
        expect([exit, stderr], code).toEqual([0, ''])
        if (page === 'clients') expect(stdout.trim(), language).toBe('ACTIVE')
      }
    },
  )

  test('the commands and settings in the pages on users, verification and webhooks are taken as they are written', async () => {
    const [users, verification, events] = await Promise.all(
      ['users', 'verification', 'events'].map((page) => blocksOf(page, 'sh')),
    )
    const isSetting = (block: string) => /^[A-Z_]+=/.test(block)
    const commands = [...users!, ...verification!, ...events!].filter(
      (block) => !isSetting(block) && !/^curl/.test(block),
    )
    expect(commands.length).toBeGreaterThanOrEqual(5)
    const settings = await paste('bash', ['-euc', `${users!.find(isSetting)}\nset | grep ^OIDC_`])
    const lines = settings.stdout.trimEnd().split('\n')
    const values = Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
    expect(Object.keys(Config.properties)).toEqual(expect.arrayContaining(Object.keys(values)))
    const start = `anteroom() { npx anteroom "$@"; }\nanteroom organization create 'Harbor Clinic' >&2\n`
    const { code, stderr } = await paste('bash', ['-euo', 'pipefail', '-c', start + commands.join('')], {
      ...values,
      PUBLIC_URL: 'https://anteroom.clinic.example',
    })
    expect(code, stderr).toBe(0)
  })

  test('the example for a receiver of webhooks verifies a delivery, and refuses one that was changed', async () => {
    const [code = ''] = await blocksOf('events', 'ts')
    const delivery = (body: string) =>
      `${code}
      console.log(event.type)`.replace(
        /\n(?=\nconst event)/,
        `
      process.env.ANTEROOM_WEBHOOK_SECRET = 'whsec_' + Buffer.alloc(32).toString('base64')
      const at = new Date()
      const signature = new Webhook(process.env.ANTEROOM_WEBHOOK_SECRET).sign('msg_1', at, '{"type":"coverage.updated"}')
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at / 1000)), 'webhook-signature': signature }
      const body = '${body}'
      `,
      )
    const run = (body: string) => paste(process.execPath, ['--input-type=module', '-e', delivery(body)])
    expect(await run('{"type":"coverage.updated"}')).toMatchObject({ code: 0, stdout: 'coverage.updated\n' })
    expect(await run('{"type":"coverage.created"}')).toMatchObject({ code: 1, stdout: '' })
  })

  test('the example of the live stream opens it', async () => {
    const example = (await blocksOf('events', 'sh')).find((block) => block.startsWith('curl')) ?? ''
    // It listens for ever: the headers are enough.
    const opened = `grep -m 1 '^content-type' <(${example.trimEnd()} -s -D - 2>/dev/null)`
    const { stdout } = await paste('bash', ['-c', opened], await signIn())
    expect(stdout).toContain('text/event-stream')
  })

  test('the settings of a real clearinghouse are taken', async () => {
    const lines = (await codeBlock('docs/clearinghouses.md', 'One clearinghouse for all organizations'))
      .trimEnd()
      .split('\n')
    const settings = Object.fromEntries(lines.map((line) => line.split('=')))
    expect(readConfig(settings)).toMatchObject(settings)
    expect(Object.keys(Config.properties)).toEqual(expect.arrayContaining(Object.keys(settings)))
  })
})
