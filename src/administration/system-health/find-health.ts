// The state of the service for one organization, in words. It reveals nothing about other organizations. `anteroom
// doctor` examines the whole installation.
import { usesSandbox } from '../../clearinghouses/uses-sandbox.ts'
import type { Deps } from '../../deps.ts'
import { withTimeLimit } from '../../platform/with-time-limit.ts'
import type { HealthFinding } from './system-health.schema.ts'

export type HealthNeeds = Pick<Deps, 'config' | 'database' | 'breaker' | 'storage' | 'newId'>

/** A check that is due for longer, and an audit event that is not chained for longer, show a fault. */
export const LATE_SECONDS = 900
export const UNCHAINED_SECONDS = 60
/** A webhook that has failed for this long is reported. */
const FAILING_SECONDS = 3_600
const STORAGE_ANSWERS_WITHIN_MS = 3_000
/** The most payers that are named. */
const NAMED_MAX = 5

type What = HealthFinding['what']
const ok = (what: What, says: string): HealthFinding => ({ what, state: 'ok', says })
const warning = (what: What, says: string): HealthFinding => ({ what, state: 'warning', says })
const fault = (what: What, says: string): HealthFinding => ({ what, state: 'fault', says })

const statement = {
  name: 'system_health',
  text: `select current_setting('server_version'),
    (select count(*) from eligibility_check where organization_id = $1 and status = 'PENDING' and due_at <= now()),
    (select coalesce(extract(epoch from now() - min(due_at)), 0)::bigint from eligibility_check
      where organization_id = $1 and status = 'PENDING' and due_at <= now()),
    (select coalesce(extract(epoch from now() - min(at)), 0)::bigint from audit_pending where organization_id = $1),
    (select count(*) from webhook where organization_id = $1 and disabled_at is not null),
    (select count(*) from webhook where organization_id = $1 and enabled and failing_since is not null),
    (select coalesce(extract(epoch from now() - min(failing_since)), 0)::bigint from webhook where organization_id = $1 and enabled),
    (select count(*) from connector where organization_id = $1),
    exists (select from payer_route where organization_id = $1 and payer_id = '')`,
}

const directoryStatement = { name: 'system_health_directory', text: 'select count(*) from payer' }

/** The findings, and the version of the database when it answers. */
export async function findHealth(
  deps: HealthNeeds,
  organizationId: string,
): Promise<{ findings: HealthFinding[]; postgresql?: string }> {
  const beside = [findPayers(deps, organizationId), await findStorage(deps)]
  const rows = await Promise.all([
    deps.database.row(statement, [organizationId]),
    deps.database.row(directoryStatement, []),
  ]).catch(() => undefined)
  if (!rows) return { findings: [fault('database', 'The database does not answer.'), ...beside] }
  const [[postgresql = '', ...figures] = [], directory = []] = rows
  const [waiting = 0, waitedSeconds = 0, unchained = 0, disabled = 0, failing = 0, failingSeconds = 0, connectors = 0] =
    figures.map(Number)
  return {
    postgresql,
    findings: [
      ok('database', 'The database answers.'),
      findChecks(waiting, waitedSeconds),
      ...beside,
      findConnectors(connectors, figures[7] === 't'),
      unchained > UNCHAINED_SECONDS
        ? fault(
            'audit trail',
            `Events have been waiting ${duration(unchained)} to be chained: notify the operator of the service.`,
          )
        : ok('audit trail', 'Up to date.'),
      findWebhooks(disabled, failing, failingSeconds),
      findDirectory(Number(directory[0]), usesSandbox(deps.config)),
    ],
  }
}

function findChecks(waiting: number, seconds: number): HealthFinding {
  if (waiting === 0) return ok('checks', 'No check is waiting.')
  const says = `${waiting} ${waiting === 1 ? 'check is' : 'checks are'} waiting, the oldest for ${duration(seconds)}`
  return seconds > LATE_SECONDS ? fault('checks', `${says}: is a worker running?`) : ok('checks', `${says}.`)
}

function findPayers({ breaker }: HealthNeeds, organizationId: string): HealthFinding {
  const suspended = breaker.resting(organizationId)
  if (suspended.length === 0) return ok('payers', 'No payer is suspended.')
  const named = suspended
    .slice(0, NAMED_MAX)
    .map(({ payerId, waitMs }) => `${payerId} (retry in ${duration(waitMs / 1000)})`)
  const more = suspended.length > NAMED_MAX ? ` and ${suspended.length - NAMED_MAX} more` : ''
  return warning('payers', `These payers do not answer and are suspended for a while: ${named.join(', ')}${more}.`)
}

function findConnectors(connectors: number, hasDefault: boolean): HealthFinding {
  if (connectors === 0)
    return ok('connectors', "There are none: payers are asked through the service's own connection.")
  if (!hasDefault)
    return warning(
      'connectors',
      "No default route: payers without a route are asked through the service's own connection.",
    )
  return ok('connectors', `${connectors}, with a default route.`)
}

function findWebhooks(disabled: number, failing: number, seconds: number): HealthFinding {
  const { isLong, says } = describeWebhooks(disabled, failing, seconds)
  if (says === undefined) return ok('webhooks', 'None is failing.')
  return isLong ? warning('webhooks', `${says}; the list of webhooks says why.`) : ok('webhooks', `${says}: retried.`)
}

/**
 * Webhooks that get nothing, in words; undefined if there are none. `seconds`: for how long the first of them has failed. A failure is reported
 * once it lasts, and said before: a receiver is restarted in between.
 */
export function describeWebhooks(
  disabled: number,
  failing: number,
  seconds: number,
): { isLong: boolean; says?: string | undefined } {
  const since = failing === 1 ? ` for ${duration(seconds)}` : `, the first for ${duration(seconds)}`
  const parts = [
    ...(disabled > 0 ? [`${disabled} disabled by the service`] : []),
    ...(failing > 0 ? [`${failing} failing${since}`] : []),
  ]
  const isLong = disabled > 0 || seconds >= FAILING_SECONDS
  return parts.length > 0 ? { isLong, says: parts.join(', ') } : { isLong }
}

/** Where the sandbox answers, its payers can be found in addition to those in the table. */
function findDirectory(count: number, hasSandbox: boolean): HealthFinding {
  if (count === 0 && hasSandbox) return ok('payer directory', 'The payers of the sandbox.')
  if (count === 0) return warning('payer directory', 'Empty: payers cannot be searched by name.')
  return ok('payer directory', `${count} payers.`)
}

/** Looks up a key that does not exist: either storage answers, or it cannot be reached. */
async function findStorage({ storage, newId }: HealthNeeds): Promise<HealthFinding> {
  const look = storage.open(`${newId()}/${newId()}`).then(
    (file) => {
      file?.destroy()
      return true
    },
    () => false,
  )
  return (await withTimeLimit(STORAGE_ANSWERS_WITHIN_MS, look))
    ? ok('storage', 'Images can be read.')
    : fault('storage', 'The storage of images does not answer.')
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** In the largest unit that fits. */
function duration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  const [size, unit] = UNITS.find(([each]) => whole >= each) ?? UNITS[3]
  const count = Math.floor(whole / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
