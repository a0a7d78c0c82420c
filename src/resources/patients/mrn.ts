import { badRequest } from '../../contract/errors.ts'
import { isBlank } from '../../contract/invisible-characters.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/database.ts'

type Needs = Pick<Deps, 'database' | 'now'>

/** Source: rules.md 6 and 18. */
const MRN_LENGTH_MAX = 20
/**
 * The most numbers reserved at once during rapid creates, and the pause after which creates no longer count as rapid.
 */
const BLOCK_MAX = 64
const PAUSE_MS = 1_000

/** @throws BadRequestError for an MRN that is blank or over 20 characters. */
export function checkMrn(mrn: string): void {
  if (isBlank(mrn)) throw badRequest('mrn must not be blank')
  // Counted in characters as people see them, not in UTF-16 units.
  if ([...mrn].length > MRN_LENGTH_MAX) throw badRequest(`mrn must not be longer than ${MRN_LENGTH_MAX} characters`)
}

/** The numbers of an organization's calendar day that this process has reserved and not used yet. */
interface Block {
  day: string
  next: number
  last: number
  /** The start and end of the day. */
  from: number
  until: number
  size: number
  takenAt: number
  waiting: number
  /** Numbers of the day whose creates were refused. */
  returned: string[]
  taking?: Promise<void> | undefined
}

const blocksByDatabase = new WeakMap<Database, Map<string, Block>>()

/**
 * The next MRN of the organization's calendar day: `YYMMDD` and a counter from 0001 that grows past four digits.
 * Numbers that a process has reserved when it stops are lost, and so are those of creates whose result is unknown; none is issued twice.
 * A single create takes one number; rapid creates reserve blocks, because reserving a single number costs a commit.
 */
export async function nextMrn(deps: Needs, organizationId: string): Promise<string> {
  const block = blockOf(deps.database, organizationId)
  block.waiting++
  try {
    for (;;) {
      const now = deps.now().getTime()
      const isToday = block.from <= now && now < block.until
      const returned = isToday ? block.returned.shift() : undefined
      if (returned !== undefined) return returned
      if (isToday && block.next <= block.last) return block.day + String(block.next++).padStart(4, '0')
      block.taking ??= takeBlock(deps, organizationId, block).finally(() => {
        block.taking = undefined
      })
      await block.taking
    }
  } finally {
    block.waiting--
  }
}

/** Takes back the number of a create that was refused: nothing was stored with it. */
export function returnMrn({ database }: Pick<Needs, 'database'>, organizationId: string, mrn: string): void {
  const block = blockOf(database, organizationId)
  if (mrn.startsWith(block.day)) block.returned.push(mrn)
}

function blockOf(database: Database, organizationId: string): Block {
  const blocks = blocksByDatabase.get(database) ?? new Map<string, Block>()
  blocksByDatabase.set(database, blocks)
  const nothing = {
    day: '',
    next: 1,
    last: 0,
    from: 0,
    until: 0,
    size: 0,
    takenAt: -PAUSE_MS,
    waiting: 0,
    returned: [],
  }
  const block: Block = blocks.get(organizationId) ?? nothing
  blocks.set(organizationId, block)
  return block
}

const takeStatement = {
  name: 'mrn_take',
  text: `with today as (
      select id, time_zone, ($2::timestamptz at time zone time_zone)::date as day from organization where id = $1
    ),
    taken as (
      insert into mrn_counter as c (organization_id, day, last) select id, day, $3::integer from today
      on conflict (organization_id, day) do update set last = c.last + excluded.last
      returning last
    )
    select to_char(day, 'YYMMDD'), last, extract(epoch from day::timestamp at time zone time_zone) * 1000,
      extract(epoch from (day + 1)::timestamp at time zone time_zone) * 1000
    from taken, today`,
}

async function takeBlock({ database, now }: Needs, organizationId: string, block: Block): Promise<void> {
  const follows = performance.now() - block.takenAt < PAUSE_MS
  const size = Math.min(Math.max(block.waiting, follows ? 2 * block.size : 1), BLOCK_MAX)
  const row = await database.row(takeStatement, [organizationId, now().toISOString(), size])
  const [day = '', last, from, until] = row ?? []
  const end = Number(last)
  const within = { day, from: Number(from), until: Number(until) }
  if (day !== block.day) block.returned = []
  Object.assign(block, { ...within, next: end - size + 1, last: end, size, takenAt: performance.now() })
}
