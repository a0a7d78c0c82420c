import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { StartupError } from '../../startup-error.ts'

/** The operating system account that owns the cluster and runs PostgreSQL. */
export interface Account {
  name: string
  uid: number
  gid: number
}

interface Finished {
  succeeded: boolean
  /** The end of the program's output, both streams, or why it could not be run. */
  output: string
}

const maxOutputLength = 4_000
const accountName = 'anteroom'
const nowhere = '/nonexistent'

/**
 * The commands that create a system account: Debian, Fedora and most others; then BusyBox. They are tried in turn until
 * the account exists.
 */
const makers: readonly (readonly [string, ...string[]][])[] = [
  [['useradd', '--system', '--user-group', '--no-create-home', '-d', nowhere, '-s', '/usr/sbin/nologin', accountName]],
  [
    ['addgroup', '-S', accountName],
    ['adduser', '-S', '-D', '-H', '-h', nowhere, '-s', '/sbin/nologin', '-G', accountName, accountName],
  ],
]

/**
 * The account that PostgreSQL runs as when the caller is root, because PostgreSQL refuses to run as root; undefined for
 * any other caller, whose own account is used. It is a dedicated account, created at the first start: every process of
 * a database's account can read all of its data.
 * @throws StartupError when the account does not exist and cannot be created.
 */
export async function chooseAccount(passwd = '/etc/passwd', make = makers): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  let reason = ''
  for (const commands of [[], ...make]) {
    for (const [program, ...args] of commands) reason = (await runAs(undefined, program, args)).output.trim() || reason
    const account = await findAccount(passwd)
    if (account) return account
  }
  throw new StartupError(
    `PostgreSQL does not run as root, and no account ${accountName} could be created for it (${reason.split('\n').at(-1)}): create one (useradd --system ${accountName}), start Anteroom as an ordinary user, or set DATABASE_URL`,
  )
}

/** @throws StartupError when the account's user id is root's or also another account's. */
async function findAccount(passwd: string): Promise<Account | undefined> {
  const lines = (await readFile(passwd, 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = lines.find(([name]) => name === accountName) ?? []
  if (uid === undefined || gid === undefined) return undefined
  const others = lines.filter(([name, , number]) => name !== accountName && number === uid).map(([name]) => name)
  if (Number(uid) === 0 || others.length > 0) {
    throw new StartupError(
      `the account ${accountName} has the user id of ${others.join(', ') || 'root'}: PostgreSQL needs one of its own; change it, or set DATABASE_URL`,
    )
  }
  return { name: accountName, uid: Number(uid), gid: Number(gid) }
}

/**
 * How and as which account PostgreSQL's programs run: no environment variable of the caller (PGDATA, TZ, LC_ALL …)
 * reaches them.
 */
export function childOptions(account: Account | undefined) {
  return { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, uid: account?.uid, gid: account?.gid }
}

/** Runs a program until it ends as `account` (the caller when undefined). Never rejects. */
export function runAs(account: Account | undefined, program: string, args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    let output = ''
    const keep = (chunk: string) => {
      output = (output + chunk).slice(-maxOutputLength)
    }
    const child = spawn(program, args, { ...childOptions(account), stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('error', (error) => resolve({ succeeded: false, output: error.message }))
    child.on('close', (code) => resolve({ succeeded: code === 0, output }))
  })
}

/**
 * Whether `account` can access `folder`: tried out, because permission bits alone do not tell (ACLs, mounts, security
 * modules).
 */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return (await runAs(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder])).succeeded
}

/**
 * Sends a signal with the rights of `account`, so that a process id read from its file cannot hit a process of root.
 */
export async function signalAs(account: Account | undefined, signal: 'INT', pid: number): Promise<void> {
  await runAs(account, '/bin/sh', ['-c', 'kill -"$1" "$2"', 'sh', signal, String(pid)])
}
