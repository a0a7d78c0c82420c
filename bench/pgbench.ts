import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedConnection } from '../src/platform/database/embedded/embedded.ts'

const CLIENTS = 8
const SECONDS = 6

/**
 * Transactions a second of one statement with PostgreSQL's own load generator; undefined if pgbench is not installed
 * (Debian: postgresql-client and postgresql-contrib). `sql` may use pgbench's own \set lines.
 */
export function runPgbench(connection: EmbeddedConnection, sql: string): number | undefined {
  if (spawnSync('pgbench', ['--version']).status !== 0) return undefined
  const script = join(mkdtempSync(join(tmpdir(), 'anteroom-bench-')), 'script.sql')
  writeFileSync(script, sql)
  const args = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-T', String(SECONDS), '-f', script]
  const target = ['-h', connection.host, '-p', String(connection.port), '-U', connection.user, connection.database]
  const output = execFileSync('pgbench', [...args, ...target], {
    env: { ...process.env, PGPASSWORD: connection.password },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Math.round(Number(/tps = ([\d.]+)/.exec(output)?.[1]))
}
