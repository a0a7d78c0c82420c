// Every statement of the service has the form that also runs where the rows of an organization are on one of several servers.
// decisions/0076-statements-that-citus-runs.md
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { records } from '../../src/main/resources.ts'
import { changeSettings } from '../../src/platform/auth/clients.ts'
import { listSigningKeys, rotateSigningKey } from '../../src/platform/auth/signing-keys.ts'
import { createVault } from '../../src/platform/crypto/encryption.ts'
import { fixedRing } from '../../src/platform/crypto/key-ring.ts'
import { encryptedColumns } from '../../src/platform/key-rotation/encrypted-columns.ts'
import { reencryptColumn } from '../../src/platform/key-rotation/re-encrypt.ts'
import { registerKeys } from '../../src/platform/key-rotation/register-keys.ts'
import {
  createManyStatement,
  createMissingStatement,
  deactivateManyStatement,
} from '../../src/records/bulk-statements.ts'
import { planGroupBody } from '../support/bodies.ts'
import { type FullOrganization, fillOrganization } from '../support/full-organization.ts'
import { loadedStatements } from '../support/loaded-statements.ts'
import { type Catalog, offensesOf, readCatalog } from '../support/portable-form.ts'
import { queryTreesOf } from '../support/query-tree.ts'
import { recordStatements } from '../support/recorded-statements.ts'
import { scriptedPayer } from '../support/scripted-payer.ts'
import { dataKey, testService } from '../support/service.ts'
import {
  constantStatements,
  filesOf,
  isStatement,
  type SourceText,
  sourceTexts,
  textsIn,
} from '../support/source-statements.ts'
import { useAll } from '../support/use-all.ts'

/** By file: why its statements reach the rows of all organizations, or keep a form that Citus refuses. */
const reasons: Record<string, string> = {
  'eligibility/checks/check-queue.ts': 'a worker takes the checks of all organizations, in turn, in one statement',
  'eligibility/verification/decided-visits.ts': 'a run reads the decided visits of all organizations in one statement',
  'eligibility/verification/due-visits.ts': 'one statement finds the visits of all organizations that are due, in turn',
  'events/event-source.ts': 'one statement finds news for all organizations with a listener',
  'events/prune.ts': 'one statement finds the organizations that have events',
  'main/cli/audit.ts': 'an operator verifies the trails of all organizations',
  'main/cli/doctor.ts': 'it examines the whole installation',
  'main/measure-backlog.ts': 'how far behind the service is concerns all organizations together',
  'platform/audit/trail.ts': 'it looks for whose events a process that died has left',
  'platform/auth/sign-in.ts': 'a sign-in names no organization: a username is one of all organizations',
  'platform/database/leases/late-work.ts': 'after the clock was set back the waiting work of all organizations is due',
  'platform/key-rotation/re-encrypt.ts': 'every encrypted value is encrypted again',
  'platform/storage/storage.ts': 'the folder of images is one for all organizations',
  'webhooks/delivery-store.ts': 'a worker finds the webhooks of all organizations that are due',
  'webhooks/logs-to-collect.ts': 'one statement looks for all organizations with a webhook',
}

/** By file: why this law does not examine its statements. */
const unexamined: Record<string, string> = {
  'platform/backup/tables.ts': 'a backup reads whole tables and sequences of one server',
  'platform/backup/write-backup.ts': 'a backup reads whole tables of one server',
}

const sent = recordStatements()
const service = testService(() => ({ clearinghouses: scriptedPayer().clearinghouses }))
afterAll(() => sent.stop())

let texts: SourceText[]
let catalog: Catalog
/** The offenses by statement. */
const offenses = new Map<string, string[]>()
/** The statements that PostgreSQL has parsed. */
const parsed: string[] = []

beforeAll(async () => {
  const names = await service.database.rows(`select tablename from pg_tables where schemaname = 'public'`)
  const tables = new Set(names.map(([name = '']) => name))
  texts = sourceTexts(tables)
  catalog = await readCatalog(service.database)
  const loaded = await loadedStatements(texts)
  await useEverything(await fillOrganization(service, await service.newCaller()))
  sent.stop()
  const built = records.flatMap((record) => [
    createManyStatement(record),
    createMissingStatement(record),
    deactivateManyStatement(record),
  ])
  const ofTests = new Set(constantStatements(sourceTexts(tables, 'test/support')))
  const own = [...sent.texts, ...built].filter((text) => !ofTests.has(text) && textsIn(text, texts).length > 0)
  for (const text of new Set([...own, ...constantStatements(texts), ...[...loaded].filter(isStatement)]))
    await examine(text)
})

/** A part of a statement may look like one; then it is in a statement that is sent. */
const NOT_A_STATEMENT = ['42P01', '42P18', '42703', '42601']

async function examine(text: string): Promise<void> {
  const trees = await service.database
    .transaction((transaction) => queryTreesOf(transaction, text))
    .catch((error: { code?: string }) => {
      if (!NOT_A_STATEMENT.includes(error.code ?? '')) throw new Error(`${String(error)}\n${text}`)
    })
  if (!trees) return
  parsed.push(text)
  const found = offensesOf(trees, catalog).map(({ rule, detail }) => `${rule}: ${detail}`)
  if (found.length > 0) offenses.set(text, [...new Set(found)])
}

/** What no other path sends, beside all operations. */
async function useEverything(full: FullOrganization): Promise<void> {
  const { owner, ids, canary } = full
  const found = async (url: string) => expect((await owner.call('GET', url)).status, url).toBe(200)
  const filtered = (filters: string, more: string) => `?filters=${encodeURIComponent(filters)}&${more}`
  await found(
    `/lists/v1/patient${filtered(`patient.mrn|eq|${ids.mrn}`, 'redirect_to_primary=true&hide_alternatives=true')}`,
  )
  await found(
    `/lists/v1/patient${filtered('appointment.startTimestamp|gt|2020-01-01', 'sort_field=appointment.startTimestamp')}`,
  )
  await found(`/lists/v1/patient${filtered('primaryMrn|eq|x', 'sort_field=nextAppointment.startTimestamp')}`)
  await found(`/lists/v1/appointment${filtered(`patient.id|eq|${ids.patient}`, 'include_merged_patient_data=true')}`)
  await found(`/lists/v1/appointment${filtered('patient.name.family|eq|x', 'limit=1')}`)
  await found(`/lists/v1/appointment${filtered('primaryCoverage.insurancePlan.memberId|eq|x', 'limit=1')}`)
  await found('/lists/v1/patient?sort_field=primaryCoverage.status')
  await found('/lists/v1/appointment?sort_field=primaryCoverage.status')
  await found(`/patients/v1/get_multi?mrn=${ids.mrn}&redirect_to_primary=true`)
  await found('/lists/v1/patient?sort_field=similar_name:Ana%20Rivera&sort_direction=asc')
  await found(`/anteroom/v1/lists/patients?member_id=${canary}`)
  await owner.call(
    'POST',
    `/coverages/v1/batch-update-ppg/${ids.planGroup}`,
    planGroupBody({ payer_plan_group_id: ids.planGroup }),
  )
  await useAll(full)
  await changeSettings(service.database, owner.organizationId, { npi: '1234567893' })
  await registerKeys(service.database, service.deps.vault)
  await rotateSigningKey(service.database, service.deps.vault)
  await listSigningKeys(service.database)
  const rotated = createVault(fixedRing([randomBytes(32), dataKey]))
  for (const column of encryptedColumns(records)) await reencryptColumn(service.database, rotated, column)
}

it('every text of SQL in the source is part of a statement that this law has examined', () => {
  const examined = new Set(parsed.flatMap((text) => textsIn(text, texts)))
  const missed = texts.filter((text) => !examined.has(text) && !(text.file in unexamined))
  expect(
    missed.map(({ file, line, parts }) => `${file}:${line} ${parts.join('…').replaceAll(/\s+/g, ' ').slice(0, 80)}`),
  ).toEqual([])
})

it('every statement of one organization runs on the server of that organization', () => {
  const found = [...offenses].flatMap(([text, rules]) =>
    filesOf(text, texts).some((file) => file in reasons)
      ? []
      : [`${filesOf(text, texts)}: ${rules.join(', ')} | ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}`],
  )
  expect(found).toEqual([])
})

it('a query over the rows of all organizations has a column, without which Citus does not run it', () => {
  const bare = [...offenses].filter(([, rules]) => rules.some((rule) => rule.startsWith('columns')))
  expect(bare.map(([text]) => `${filesOf(text, texts)}: ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}`)).toEqual([])
})

it('names no file that has no such statement', () => {
  const files = new Set([...offenses.keys()].flatMap((text) => filesOf(text, texts)))
  expect(Object.keys(reasons).filter((file) => !files.has(file))).toEqual([])
})
