// Anything that a command does not declare is wrong usage, for every command: exit code 2, one line, and no change.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { declarations } from '../../src/main/cli/commands/index.ts'
import { UsageError } from '../../src/main/cli/program/command-line.ts'
import { type CommandDeclaration, flatten } from '../../src/main/cli/program/declaration.ts'
import { runProgram } from '../../src/main/cli/program/program.ts'
import { newClonePlace, runCommand } from '../support/started-server.ts'

const commands = flatten(declarations)
const allFlags = new Set(commands.flatMap(({ command }) => Object.keys(command.flags ?? {})))

let place: Awaited<ReturnType<typeof newClonePlace>>
let client: pg.Client
let digests = ''
/** Before any command of these tests. */
let before = ''
let clientId = ''
let file = ''
const environment = { ...process.env }
beforeAll(async () => {
  place = await newClonePlace()
  file = join(place.settings.DATA_DIR ?? '', 'request.json')
  await writeFile(file, '{}')
  await runCommand(['organization', 'create', 'Harbor'], place.settings)
  const made = await runCommand(['client', 'create', 'desk', '--organization', 'Harbor', '--json'], place.settings)
  clientId = JSON.parse(made.stdout).client_id
  Object.assign(process.env, place.settings)
  client = new pg.Client(place.settings.DATABASE_URL)
  await client.connect()
  digests = await digestsOfTables()
  before = await contents()
})
afterAll(async () => {
  process.env = environment
  await client?.end()
  await place?.remove()
})

/** A digest of every row of every table. */
async function contents(): Promise<string> {
  const { rows } = await client.query(`${digests} order by 1`)
  return rows.map(({ name, digest }) => `${name} ${digest}`).join('\n')
}

/** Of each table, in one statement. */
async function digestsOfTables(): Promise<string> {
  const tables = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
  const each = tables.rows.map(
    ({ tablename: name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest from "${name}" t`,
  )
  return each.join(' union all ')
}

const rightValue = (name: string, value: string, choices?: readonly string[]) => {
  if (choices?.[0]) return choices[0]
  if (/file/.test(value)) return file
  const known: Record<string, string> = {
    before: '2020-01-01',
    since: '2020-01-01',
    until: '2020-01-01',
    from: '2020-01-01',
    to: '2020-01-01',
    patient: '0198c0de-0000-7000-8000-000000000001',
    expect: 'a'.repeat(64),
    npi: '1999999984',
    'service-types': '30',
  }
  return known[name] ?? (/number|port/.test(value) ? '7' : /YYYY/.test(value) ? '2020-01-01' : 'Harbor')
}

/** A valid command line, with its required words and flags. */
function rightLine(path: string, { words = [], flags = {} }: CommandDeclaration): string[] {
  const given = words.filter(({ kind }) => kind !== 'optional').map((word) => (word.isFile ? file : wordOf(word.name)))
  const needed = Object.entries(flags).flatMap(([name, { isRequired, value = '', choices }]) =>
    isRequired ? [`--${name}`, rightValue(name, value, choices)] : [],
  )
  return [...path.split(' '), ...given, ...needed]
}
const wordOf = (name: string) => (name === 'id' ? clientId : 'Harbor')

/** Every kind of wrong flag, to append to a valid command line. */
function wrongEndings({ words = [], flags = {} }: CommandDeclaration): string[][] {
  const own = Object.entries(flags)
  const foreign = [...allFlags, 'dry-run', 'force', 'yes', 'verbose', 'version', 'no-json', 'constructor', '__proto__']
  return [
    ...foreign.filter((name) => !Object.hasOwn(flags, name)).flatMap((name) => [[`--${name}`], [`--${name}=x`]]),
    ...own.flatMap(([name]) => [[`--${name}s`], [`--${name.slice(0, -1)}`], [`-${name}`], [`--${name.toUpperCase()}`]]),
    ...own.flatMap(([name, { value, choices, mayBeEmpty }]) => {
      if (value === undefined) return [[`--${name}=true`], [`--${name}=false`], [`--${name}=`]]
      const right = rightValue(name, value, choices)
      return [
        [`--${name}`],
        ...(mayBeEmpty ? [] : [[`--${name}=`], [`--${name}`, '']]),
        [`--${name}`, '--json'],
        [`--${name}`, right, `--${name}`, right],
        [`--${name}=${right}`, `--${name}=${right}`],
      ]
    }),
    ['-x'],
    ['-dry-run'],
    ['—dry-run'].filter(() => !words.some(({ kind }) => kind !== undefined)),
    ['surplus'].filter(() => !words.some(({ kind }) => kind !== undefined)),
  ].filter((ending) => ending.length > 0)
}

async function printed(args: string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await runProgram(args, declarations)
    return write.mock.calls.join('')
  } finally {
    write.mockRestore()
  }
}

/** The message with which a command line is refused as wrong usage, or undefined. */
const refusal = (line: string[]): Promise<string | undefined> =>
  runProgram(line, declarations).then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof UsageError ? thrown.message : undefined),
  )

describe.each(commands)('anteroom $path', ({ path, command }) => {
  it('refuses every unknown flag, names it in one line and does nothing', async () => {
    const accepted: string[] = []
    for (const ending of wrongEndings(command)) {
      const line = [...rightLine(path, command), ...ending]
      const message = await refusal(line)
      if (!message || message.includes('\n')) accepted.push(line.join(' '))
    }
    expect(accepted).toEqual([])
    expect(await contents()).toBe(before)
  })

  it('refuses values that a flag does not accept exactly', async () => {
    const garbage = ['2026-13-45', '2026-02-30', '-1', '1e3', '0x10', '+5', ' 5', '1.5', 'NaN', '٣', '99999999999']
    const checked = Object.entries(command.flags ?? {}).filter(([, { check, choices }]) => check ?? choices)
    const accepted: string[] = []
    for (const [name] of checked) {
      for (const value of garbage) {
        const line = [...path.split(' '), ...rightLine('', command).slice(1), `--${name}=${value}`]
        if (!(await refusal(line))?.includes(`--${name}`)) accepted.push(line.join(' '))
      }
    }
    expect(accepted).toEqual([])
  })

  it('shows its help for both spellings, and does nothing', async () => {
    const shown = await printed([...path.split(' '), '--help'])
    expect(shown).toContain(`Usage: anteroom ${path}`)
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(command.summary)
    for (const flag of Object.keys(command.flags ?? {})) expect(shown).toContain(`  --${flag} `)
    expect(await printed(['help', ...path.split(' ')])).toBe(shown)
    expect(await contents()).toBe(before)
  })

  it('refuses a missing word', async () => {
    const accepted: string[] = []
    for (const [position, { kind }] of (command.words ?? []).entries()) {
      if (kind === 'optional') continue
      const line = [...path.split(' '), ...(command.words ?? []).slice(0, position).map(({ name }) => wordOf(name))]
      for (const short of [line, [...line, '']]) if (!(await refusal(short))) accepted.push(short.join(' '))
    }
    expect(accepted).toEqual([])
  })
})

describe('the program', () => {
  it.concurrent.each([
    [['audit', 'forget', '--before', '2020-01-01', '--dry-run']],
    [['audit', 'prune', '--before', '2020-01-01', '--dry-run']],
    [['audit', 'prune', '--before', '2999-01-01']],
    [['client', 'revoke', 'ID', '--dry-run']],
    [['--dry-run', 'client', 'revoke', 'ID']],
    [['client', '--dry-run', 'revoke', 'ID']],
    [['client', 'revoke', 'ID', 'ID']],
    [['keys', 'rotate', '--dry-run']],
    [['route', 'remove', 'Harbor', '60054', '--default']],
    [['check', '-', '--payer', '60054']],
  ])('ends with exit code 2 and one line for %j, and changes nothing', async (args) => {
    const { code, stdout, stderr } = await runCommand(
      args.map((arg) => (arg === 'ID' ? clientId : arg)),
      place.settings,
    )
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^anteroom: [^\n]+\n$/)])
    expect(await contents()).toBe(before)
  })

  it('runs the same lines without the wrong flag, which shows that this test can fail', async () => {
    const { code } = await runCommand(['client', 'revoke', clientId], place.settings)
    expect(code).toBe(0)
    expect(await contents()).not.toBe(before)
  })
})
