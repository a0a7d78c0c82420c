// Which statements bypass row-level security (decisions/0011-row-level-security.md): a short list, with the reason for
// each.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'

/** By file: why its statements on the whole database belong to no organization, or to all. */
const reasons: Record<string, string> = {
  'deps.ts': 'it is passed on here',
  'eligibility/checks/check-queue.ts': 'a worker takes the checks of all organizations, each in its turn',
  'eligibility/checks/message-retention.ts': 'old messages of all organizations are deleted',
  'eligibility/verification/claim-visits.ts': 'a worker takes the visits of all organizations',
  'eligibility/verification/decided-visits.ts': 'a run reads the decided visits of all organizations',
  'eligibility/verification/due-visits.ts': 'a worker finds the visits of all organizations, in turn',
  'events/event-source.ts': 'one statement finds news for all organizations with a listener',
  'events/prune.ts': 'old events of all organizations are removed',
  'main/app.ts': 'calls are counted by client; the readiness check concerns all',
  'main/assemble-deps.ts': 'it is handed out here',
  'main/cli/audit.ts': 'an operator names an organization, or verifies for all',
  'main/cli/check.ts': 'an operator names an organization',
  'main/cli/client.ts': 'an operator creates, lists and revokes clients of any organization',
  'main/cli/distribute.ts': 'it distributes the tables of all organizations',
  'main/cli/doctor.ts': 'it examines the whole installation',
  'main/cli/keys-data.ts': 'every encrypted value is re-encrypted',
  'main/cli/keys.ts': 'one set of keys signs for all',
  'main/cli/organization.ts': 'an operator makes, lists and changes organizations',
  'main/cli/payers.ts': 'all organizations share the directory; a sync names an organization',
  'main/cli/program/change-database.ts': 'an operator changes data of no single organization',
  'main/cli/program/choose-organization.ts': 'an operator names an organization',
  'main/cli/program/with-connectors.ts': 'an operator names an organization',
  'main/cli/program/with-vault.ts': 'the encryption key is one for all',
  'main/cli/restore.ts': 'statistics are those of a table',
  'main/cli/seed.ts': 'an operator names an organization',
  'main/cli/user.ts': 'an operator names an organization, or a username, which is one of all organizations',
  'main/cli/verify.ts': 'an operator names an organization, or verifies for all',
  'main/cli/webhook.ts': 'an operator names an organization',
  'main/measure-backlog.ts': 'how far behind the service is concerns all organizations together',
  'main/measure.ts': 'whether the database answers concerns all organizations together',
  'main/open-database.ts': 'it is handed out here; the encryption key is one for all',
  'main/server.ts': 'the first organization is made where there is none',
  'main/worker.ts': 'waiting work of all organizations continues after the clock was set back',
  'payers/directory.ts': 'an import writes the one directory',
  'platform/audit/administration.ts':
    'an operator creates data of no organization or of all; the event is in the same transaction',
  'platform/audit/key.ts': 'one key chains the trails of all organizations',
  'platform/audit/prune.ts': 'only the owner of the tables removes a part of the trail',
  'platform/audit/trail.ts': 'it reads that key, and looks for whose events a process that died has left',
  'platform/audit/verify-trail.ts': 'the owner reads the trail of one organization as of one instant',
  'platform/auth/begin-session.ts': 'a session begins, and is described, on the connections for authentication',
  'platform/auth/clients.ts': 'a token request knows a client id only; operators list organizations and clients',
  'platform/auth/openid.routes.ts': 'a provider signs in a user of the organization that the settings name',
  'platform/auth/passkey.routes.ts': 'a sign-in with a passkey names no organization',
  'platform/auth/session.routes.ts': 'a sign-in names no organization',
  'platform/auth/token.routes.ts': 'it verifies such credentials',
  'platform/auth/tokens.ts': 'one set of keys signs for all; a revoked client is looked up by its id',
  'platform/backup/restore-backup.ts': 'the role is created before any table',
  'platform/database/all-organizations.ts': 'it asks for the rows of each where one statement for all fails',
  'platform/database/clock.ts': 'the clock of the database is one for all organizations',
  'platform/database/connections/authentication.ts': 'what admits calls must find their organization first',
  'platform/database/connections/database-over.ts': 'it is defined here',
  'platform/database/database-pool.ts': 'it is opened here',
  'platform/database/database.ts': 'its type is declared here',
  'platform/database/distribute.ts': 'it distributes the tables of all organizations',
  'platform/database/leases/late-work.ts': 'after the clock was set back the waiting work of all organizations is due',
  'platform/database/leases/leases.ts': 'a worker renews and releases its leases of all organizations',
  'platform/database/leases/set-back-clock.ts': 'the clock of the database is one for all organizations',
  'platform/database/merge-index-entries.ts': 'an index has the entries of all organizations',
  'platform/database/migrate.ts': 'the schema belongs to no organization',
  'platform/http/cors.ts': 'a preflight has no token: the origins of all organizations are searched',
  'tools/seed/seed.ts': 'statistics are those of a table',
  'webhooks/delivery-store.ts': 'a worker finds the webhooks of all organizations that are due',
  'webhooks/dispatcher.ts': 'a worker sends for all organizations, each in its turn',
  'webhooks/logs-to-collect.ts': 'one statement looks for all organizations with a webhook',
}

it('only these files bypass row-level security', () => {
  // A type that names it (`Pick<Deps, 'systemDatabase'>`) only passes it on; the file that uses it is found.
  const found = filesOf(packageFile('src')).filter(({ text }) =>
    /\b(system|authentication|session|limit|probe)Database\b|\bSystemDatabase\b/.test(
      text.replaceAll(/Pick<[^>]*>/g, ''),
    ),
  )
  expect(found.map(({ name }) => name)).toEqual(Object.keys(reasons))
})

it('nothing connects to the database except its pools, and the code that creates or copies a database', () => {
  const connecting = filesOf(packageFile('src')).filter(
    ({ text }) => /from 'pg'/.test(text) && /new ([\w.]+\.)?(Pool|Client)\(/.test(text),
  )
  expect(connecting.map(({ name }) => name)).toEqual([
    'platform/backup/connect.ts',
    'platform/database/connections/connections.ts',
    'platform/database/connections/servers.ts',
    'platform/database/connections/shared-connections.ts',
    'platform/database/embedded/session.ts',
  ])
})

function filesOf(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}
