import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** The operating system account that owns the cluster and runs PostgreSQL. */
export interface Account {
  name: string
  uid: number
  gid: number
}

export interface Finished {
  succeeded: boolean
  /** The last of what the program printed, both streams, or why it could not be run. */
  output: string
}

const maxOutputLength = 4_000
/** The number Linux gives `nobody` where /etc/passwd does not say. */
const nobodyId = 65_534

/**
 * The unprivileged account PostgreSQL runs as when the caller is root (it refuses to run as root); undefined for every
 * other caller, whose own account serves.
 */
export async function chooseAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid, gid] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(passwd) ?? []
  return { name: 'nobody', uid: Number(uid ?? nobodyId), gid: Number(gid ?? nobodyId) }
}

/** Where and as whom PostgreSQL's programs run: no variable of the caller (PGDATA, TZ, LC_ALL …) reaches them. */
export function childOptions(account: Account | undefined) {
  return { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, uid: account?.uid, gid: account?.gid }
}

/** Runs a program to its end as `account` (the caller when undefined). Never rejects. */
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

/** Whether `account` can walk to `folder`: tried, because modes alone do not tell (ACLs, mounts, security modules). */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return (await runAs(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder])).succeeded
}

/** Sends a signal with the rights of `account`, so that a number read from its file cannot reach a process of root. */
export async function signalAs(account: Account | undefined, signal: 'INT', pid: number): Promise<void> {
  await runAs(account, '/bin/sh', ['-c', 'kill -"$1" "$2"', 'sh', signal, String(pid)])
}
