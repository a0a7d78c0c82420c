// The records that a patient names: coverages, notes and tags. Names that the stored patient has already may stay,
// regardless of later changes; newly named records must exist. Source: rules.md 6.

import { badRequest, notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Database } from '../../platform/database/database.ts'
import type { RuleContext } from '../../records/record.ts'
import type { MutablePatient } from './patient.schema.ts'

type Naming = Pick<MutablePatient, 'filing_order' | 'coverages_for_related_causes' | 'note_ids' | 'tag_ids'>

const COVERAGE_LISTS = ['filing_order', 'coverages_for_related_causes'] as const

/**
 * @throws BadRequestError for a coverage that is named twice, NotFoundError for a note or a tag that does not exist.
 */
export async function checkNamedRecords(body: Naming, context: RuleContext): Promise<void> {
  for (const list of COVERAGE_LISTS) await refuseTwice(list, body, context)
  await requireRecords('note', 'Note', await added('note_ids', body, context), context)
  await requireRecords('tag', 'Tag', await added('tag_ids', body, context), context)
  if (!context.replaced && coveragesOf(body).length > 0) throw notFound('Coverage')
}

async function refuseTwice(list: (typeof COVERAGE_LISTS)[number], body: Naming, context: RuleContext): Promise<void> {
  const ids = body[list]?.coverages ?? []
  if (new Set(ids).size === ids.length) return
  const before = (await readReplaced(context))[list]?.coverages
  if (before?.join() !== ids.join()) throw badRequest(`${list}.coverages lists a coverage twice`)
}

/** The coverages that an update names and the stored patient does not. A new patient can name none. */
export async function addedCoverages(body: Naming, context: RuleContext): Promise<string[]> {
  const ids = coveragesOf(body)
  if (ids.length === 0) return []
  const before = new Set(coveragesOf(await readReplaced(context)))
  return ids.filter((id) => !before.has(id))
}

const ownCoveragesStatement = {
  name: 'patient_own_coverages',
  text: `select id from coverage where organization_id = $1 and id = any($2::uuid[]) and patient = $3
    order by id for share`,
}

/**
 * Locks the coverages together with their patient until the transaction ends. The caller has locked the patient, as a
 * move of a coverage does (coverages/move-coverage.ts), so that one of the two sees the result of the other.
 * @throws NotFoundError for a coverage that does not exist or belongs to another patient.
 */
export async function holdOwnCoverages(
  database: Database,
  organizationId: string,
  patientId: string,
  ids: string[],
): Promise<void> {
  const rows = await database.rows(ownCoveragesStatement, [organizationId, ids, patientId.toLowerCase()])
  if (rows.length < new Set(ids).size) throw notFound('Coverage')
}

/** A stored patient without this coverage; undefined when it does not name the coverage. */
export function withoutCoverage(body: Record<string, unknown>, id: string): Record<string, unknown> | undefined {
  const naming = body as Partial<Naming>
  const lists = COVERAGE_LISTS.filter((list) => naming[list]?.coverages.includes(id))
  if (lists.length === 0) return undefined
  const changed = lists.map((list) => [list, { coverages: naming[list]?.coverages.filter((each) => each !== id) }])
  return { ...body, ...Object.fromEntries(changed) }
}

function coveragesOf(body: Partial<Naming>): string[] {
  return COVERAGE_LISTS.flatMap((list) => body[list]?.coverages ?? [])
}

async function added(list: 'note_ids' | 'tag_ids', body: Naming, context: RuleContext): Promise<string[]> {
  const ids = body[list] ?? []
  if (ids.length === 0) return []
  const before = new Set((await readReplaced(context))[list])
  return ids.filter((id) => !before.has(id))
}

/** Deactivated records count: a caller may restore a patient's previous references. */
async function requireRecords(
  table: 'note' | 'tag',
  label: string,
  ids: string[],
  context: RuleContext,
): Promise<void> {
  if (ids.length === 0) return
  const { actor, deps } = context
  const statement = {
    name: `patient_${table}s_known`,
    text: `select count(*) from ${table} where organization_id = $1 and id = any($2::uuid[])`,
  }
  const row = ids.every(isUuid) ? await deps.database.row(statement, [actor.organizationId, ids]) : undefined
  if (Number(row?.[0] ?? 0) < new Set(ids).size) throw notFound(label)
}

/** The names that the stored patient has; nothing for a new patient. */
async function readReplaced({ replaced }: RuleContext): Promise<Partial<Naming>> {
  return replaced ? await replaced.read() : {}
}
