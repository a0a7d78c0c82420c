#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { type CommandLine, UsageError } from './cli/command-line.ts'
import { StartupError } from './startup-error.ts'

interface Command {
  usage: string
  summary: string
  run(line: CommandLine): Promise<void>
}

const flags = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  organization: { type: 'string' },
  'time-zone': { type: 'string' },
  'auto-update': { type: 'string' },
  npi: { type: 'string' },
  verify: { type: 'string' },
  'verify-days': { type: 'string' },
  'visit-services': { type: 'string' },
  days: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'date-of-service': { type: 'string' },
  port: { type: 'string' },
  roster: { type: 'string' },
  patients: { type: 'string' },
  appointments: { type: 'string' },
  connector: { type: 'string' },
  kind: { type: 'string' },
  settings: { type: 'string' },
  default: { type: 'boolean' },
  payer: { type: 'string' },
  as: { type: 'string' },
  'member-id': { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  'date-of-birth': { type: 'string' },
  'dependent-first-name': { type: 'string' },
  'dependent-last-name': { type: 'string' },
  'dependent-date-of-birth': { type: 'string' },
  'service-types': { type: 'string' },
  replace: { type: 'boolean' },
  scopes: { type: 'string' },
  'read-only': { type: 'boolean' },
  'passphrase-file': { type: 'string' },
  recipient: { type: 'string' },
  'identity-file': { type: 'string' },
  'without-keys': { type: 'boolean' },
  data: { type: 'boolean' },
  patient: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  limit: { type: 'string' },
  expect: { type: 'string' },
  before: { type: 'string' },
} as const

// Each command's code is loaded when it runs: `x12 decode` needs no database driver.
const commands: Record<string, Command> = {
  serve: {
    usage: 'serve',
    summary: 'start the service: API on PORT and CORE_PORT, embedded PostgreSQL, sandbox clearinghouse',
    run: async () => (await import('./cli/serve.ts')).serve(),
  },
  worker: {
    usage: 'worker',
    summary: 'work on the queue of checks beside a server on the same database, WORKER_CONCURRENCY at a time',
    run: async () => (await import('./cli/worker.ts')).worker(),
  },
  migrate: {
    usage: 'migrate',
    summary: 'bring the database to the level of this program',
    run: async () => (await import('./cli/migrate.ts')).runMigrations(),
  },
  organization: {
    usage:
      'organization create <name> [--time-zone <IANA name>] | update <id or name> [--auto-update on|off] [--npi <NPI>] [--verify on|off] [--verify-days <number>] [--visit-services <service>=<codes>;…] | list   [--json]',
    summary:
      'make or list organizations; --auto-update: whether eligibility checks write benefits into coverages; --verify: whether visits are verified --verify-days ahead; --visit-services: the service type codes of what appointments name, such as "Treatment=PT,98"',
    run: async (line) => (await import('./cli/organization.ts')).organization(line),
  },
  client: {
    usage:
      'client create <name> --organization <id or name> [--read-only] [--scopes <scopes>|all] | list | update <id> [--read-only] [--scopes <scopes>|all] | rotate <id> | revoke <id>   [--json]',
    summary:
      'make, list, limit, rotate or revoke API clients; a scope is patients, patients:read, patients:write, *:read … or admin, several with commas',
    run: async (line) => (await import('./cli/client.ts')).client(line),
  },
  keys: {
    usage: 'keys rotate [--data] | list | retire <kid>   [--json]',
    summary:
      'change the key that signs access tokens, without a restart; end one that got into wrong hands; --data: change the key that seals what is encrypted at rest',
    run: async (line) => (await import('./cli/keys.ts')).keys(line),
  },
  backup: {
    usage: 'backup <file or folder> [--passphrase-file <file|->] [--recipient <age1…>] [--without-keys]   [--json]',
    summary: 'write database, images and encryption keys as of now into one encrypted file, beside a running server',
    run: async (line) => (await import('./cli/backup.ts')).backup(line),
  },
  restore: {
    usage: 'restore <file> [--passphrase-file <file|->] [--identity-file <file|->]   [--json]',
    summary: 'bring a backup back into an empty database or DATA_DIR, all of it or nothing',
    run: async (line) => (await import('./cli/restore.ts')).restore(line),
  },
  connector: {
    usage:
      'connector create <organization> <name> --kind core|stedi|availity --settings <file.json|-> [--default] | update <organization> <name> --settings <file.json|-> | list <organization> | show <organization> <name> | remove <organization> <name> | test <organization> <name> [--payer <id>] [--npi <NPI>]   [--json]',
    summary: "keep an organization's own connectors to clearinghouses, and try them",
    run: async (line) => (await import('./cli/connector.ts')).connector(line),
  },
  route: {
    usage:
      'route set <organization> <payer id>|--default <connector> [--as <payer id there>] | list <organization> | remove <organization> <payer id>|--default   [--json]',
    summary: 'choose which connector asks which payer',
    run: async (line) => (await import('./cli/route.ts')).route(line),
  },
  payers: {
    usage:
      'payers import <csv|-> [--replace] | list | search <text> | sync --organization <id or name> [--connector <name>] [--replace]   [--json]',
    summary: 'fill the payer directory from a list or from a clearinghouse; look into it',
    run: async (line) => (await import('./cli/payers.ts')).payers(line),
  },
  verify: {
    usage: 'verify [--days <number>] [--organization <id or name>] [--dry-run]   [--json]',
    summary: 'verify the coverages of the coming visits now, and print what that came to',
    run: async (line) => (await import('./cli/verify.ts')).verify(line),
  },
  check: {
    usage:
      'check <request.json|-> | check --payer <id> --npi <NPI> --first-name <name> --last-name <name> [--member-id <id>] [--date-of-birth <YYYY-MM-DD>] [--dependent-first-name …, --dependent-last-name …, --dependent-date-of-birth …] [--date-of-service <YYYY-MM-DD>] [--service-types <codes>] [--organization <id or name>]   [--json]',
    summary: 'ask a payer about a patient and print status, copays, deductibles and what to do about a rejection',
    run: async (line) => (await import('./cli/check.ts')).check(line),
  },
  x12: {
    usage: 'x12 decode <file|-> [--json] [--date-of-service <YYYY-MM-DD>] | x12 encode <file|->',
    summary: 'read any 270/271 file; write a 270 from an eligibility request in JSON',
    run: async (line) => (await import('./cli/x12.ts')).x12(line),
  },
  seed: {
    usage: 'seed [--organization <id or name>] [--patients <number>] [--appointments <number>]   [--json]',
    summary: 'add made-up patients, coverages and appointments to an organization, to try things on',
    run: async (line) => (await import('./cli/seed.ts')).seed(line),
  },
  audit: {
    usage:
      'audit list [--organization <id or name>] [--patient <id>] [--from <instant>] [--to <instant>] [--limit <number>] | verify [--organization <id or name>] [--expect <hash>] | forget --before <day> [--organization <id or name>]   [--json]',
    summary:
      'show who did what to which record; verify that nothing of it was changed or removed; forget what is older than it must be kept',
    run: async (line) => (await import('./cli/audit.ts')).audit(line),
  },
  sandbox: {
    usage: 'sandbox [--port <port>] [--roster <file>]',
    summary: 'run the sandbox clearinghouse alone',
    run: async (line) => (await import('./cli/sandbox.ts')).sandbox(line),
  },
  openapi: {
    usage: 'openapi',
    summary: 'print the OpenAPI description of the interface',
    run: async () => (await import('./cli/openapi.ts')).openapi(),
  },
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parse(args)
  const [name, ...words] = positionals
  if (values.help || name === undefined || name === 'help') return print(help())
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`there is no command ${name}: anteroom help lists them`)
  await command.run({ words, flags: values })
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function help(): string {
  const lines = Object.values(commands).map(({ usage, summary }) => `  anteroom ${usage}\n      ${summary}`)
  return ['Usage:', ...lines, '', 'Settings come from the environment and .env; README.md lists them.'].join('\n')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

main(process.argv.slice(2)).catch((error: Error) => {
  const isExpected = error instanceof StartupError || error instanceof UsageError
  process.stderr.write(`anteroom: ${isExpected ? error.message : (error.stack ?? error.message)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
