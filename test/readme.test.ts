// What README.md promises a newcomer, held against the program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Config, readConfig } from '../src/config.ts'
import {
  newDataFolder,
  packageRoot,
  program,
  runCommand,
  type StartedServer,
  startServer,
} from './support/started-server.ts'

const readme = await readFile(join(packageRoot, 'README.md'), 'utf8')

/** The part under a heading of the second level. */
function section(title: string): string {
  const [, part] = readme.split(`\n## ${title}\n`)
  if (part === undefined) throw new Error(`README.md has no part "${title}"`)
  return part.split('\n## ')[0] ?? ''
}

function codeBlock(title: string): string {
  const [, code] = /```\w*\n([\s\S]*?)```/.exec(section(title)) ?? []
  if (code === undefined) throw new Error(`README.md has no code under "${title}"`)
  return code
}

test('the table of settings names every setting with its default', () => {
  const written = [...section('Settings').matchAll(/^\| `(\w+)` \| (?:`(.*)`)? ?\| \S.* \|$/gm)].map(
    ([, name, value]) => [name, value],
  )
  const real = Object.entries(Config.properties).map(([name, schema]) => {
    const { default: value } = schema as { default?: unknown }
    return [name, value === undefined ? undefined : String(value)]
  })
  expect(written).toEqual(real)
})

test('the list of commands is the one that anteroom help prints', async () => {
  const { stdout } = await runCommand(['help'])
  const commands = stdout.split('\n').filter((line) => line.startsWith('  anteroom '))
  expect(codeBlock('Command line').trimEnd().split('\n')).toEqual(commands.map((line) => line.trim()))
})

test('every name in the folder tree is there, and every folder of the source is in the tree', async () => {
  const open: string[] = []
  const paths = codeBlock('Where things are')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? []
      open.length = indent.length / 2
      open.push(name)
      return open.join('')
    })
  for (const path of paths) await access(join(packageRoot, path))
  const entries = await readdir(join(packageRoot, 'src'), { withFileTypes: true })
  const real = entries.filter((entry) => entry.isDirectory()).map((entry) => `src/${entry.name}/`)
  // The line of cli.ts names its folder.
  expect(paths.map((path) => path.replace('src/cli.ts', 'src/cli/'))).toEqual(expect.arrayContaining(real))
})

test('every link leads somewhere', async () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  expect(links).toEqual(expect.arrayContaining(['decisions/', 'CONTRIBUTING.md', 'SECURITY.md']))
  for (const link of links) await access(join(packageRoot, link))
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
    // Given a pipe as its input, bash would read the start-up files of whoever runs the tests.
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
      here(codeBlock('A first eligibility check')),
    ])
    expect([code, stderr]).toEqual([0, ''])
    const [made, status, plan, deductible, ...copays] = stdout.split('\n')
    expect(made).toMatch(/^patient [0-9a-f-]{36}, coverage [0-9a-f-]{36}$/)
    expect([status, plan, deductible]).toEqual(['ACTIVE', 'CHOICE PLUS PPO', '900'])
    expect(copays.join('\n')).toMatch(/type: 'COPAY'/)
    const promised = section('A first eligibility check')
    for (const result of [status, plan, deductible]) expect(promised).toContain(`\`${result}\``)
  })

  test('the snippet of the published client says that the member is active', async () => {
    const [, CLIENT_ID, CLIENT_SECRET] = /client_id +(\S+)\n +client_secret +(\S+)/.exec(server.output()) ?? []
    const code = here(codeBlock('The published client'))
    const { stdout, stderr } = await paste(process.execPath, ['--input-type=module', '-e', code], {
      CLIENT_ID,
      CLIENT_SECRET,
    })
    expect([stdout, stderr]).toEqual(['ACTIVE []\n', ''])
  })

  test('the settings of a real clearinghouse are taken', async () => {
    const lines = codeBlock('A real clearinghouse').trimEnd().split('\n')
    const settings = Object.fromEntries(lines.map((line) => line.split('=')))
    expect(readConfig(settings)).toMatchObject(settings)
    expect(Object.keys(Config.properties)).toEqual(expect.arrayContaining(Object.keys(settings)))
  })
})
