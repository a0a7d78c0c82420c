// Diagnoses are updated in place: they have no versions and no history, and a DELETE removes the row. Source: rules.md
// 4.

import type { Actor } from '../../contract/actor.ts'
import { diagnosisNotFound, secondPrimaryDiagnosis } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { auditContextText, markAudited } from '../../platform/audit/audit-context.ts'
import { eventOf } from '../../platform/audit/pending.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { violatedConstraint } from '../../platform/database/errors.ts'
import { instant } from '../../platform/database/instant.ts'
import type { DiagnosisUpdate, StandaloneDiagnosisCreate } from './diagnosis.schema.ts'
import { checkCode } from './diagnosis-codes.ts'

type Needs = Pick<Deps, 'database' | 'newId'>

/**
 * More attempts would only be needed if a client created and deleted primary diagnoses of one encounter as fast as this
 * code reads them.
 */
const ATTEMPTS = 10

const now = `date_trunc('milliseconds', clock_timestamp())`
const wire = `(jsonb_build_object('diagnosis_id', id, 'encounter_id', encounter_id,
  'created_at', ${instant('created_at')}, 'updated_at', ${instant('updated_at')}) || body)::text`

const TYPE = 'diagnosis'

const insert = {
  name: 'diagnosis_create',
  text: `with ${eventOf({ type: TYPE, auditContext: '$5', ids: 'array[$2::uuid::text]' })},
    written as (insert into diagnosis (organization_id, id, encounter_id, created_at, updated_at, body)
    select $1::uuid, $2::uuid, $3::uuid, ${now}, ${now}, $4::jsonb returning *)
    select ${wire} from written`,
}

/**
 * Stores a new diagnosis and returns its wire form.
 * @throws HttpRequestValidationsError for a code that does not match its type;
 * DisallowMultiplePrimaryDiagnosisHTTPError for a second primary, with the id that the new one would have had.
 */
export async function createDiagnosis(deps: Needs, actor: Actor, sent: StandaloneDiagnosisCreate): Promise<string> {
  checkCode(sent)
  const { encounter_id, ...body } = sent
  const id = deps.newId()
  return withOnePrimary(deps, actor, { id, encounterId: encounter_id }, async () => {
    const values = [
      actor.organizationId,
      id,
      encounter_id,
      JSON.stringify(body),
      auditContextText(actor, 'diagnosis.create'),
    ]
    const [text] = (await deps.database.row(insert, values)) as TextRow
    markAudited(actor)
    return text as string
  })
}

const hold = {
  name: 'diagnosis_hold',
  text: 'select body::text, encounter_id from diagnosis where organization_id = $1 and id = $2 for update',
}
const change = {
  name: 'diagnosis_update',
  text: `with ${eventOf({ type: TYPE, auditContext: '$4', ids: 'array[$2::uuid::text]' })},
    written as (update diagnosis set body = $3::jsonb,
      updated_at = case when body = $3::jsonb then updated_at else greatest(updated_at, moment.at) end
    from (select ${now} as at) moment where organization_id = $1 and id = $2 returning diagnosis.*)
    select ${wire} from written`,
}

/**
 * Changes the fields that were sent and returns the wire form. A new type must match the stored code, and a new code
 * the stored type.
 * @throws DiagnosisNotFoundHTTPError, HttpRequestValidationsError, DisallowMultiplePrimaryDiagnosisHTTPError.
 */
export async function updateDiagnosis(deps: Needs, actor: Actor, id: string, sent: DiagnosisUpdate): Promise<string> {
  if (!isUuid(id)) throw diagnosisNotFound()
  const target: PrimaryCandidate = { id }
  return withOnePrimary(deps, actor, target, () =>
    deps.database.transaction(async (transaction) => {
      const held = await transaction.row(hold, [actor.organizationId, id])
      if (!held) throw diagnosisNotFound(id)
      const [stored = '{}', encounterId] = held
      target.encounterId = encounterId
      const body = { ...JSON.parse(stored), ...sent }
      checkCode(body)
      const values = [actor.organizationId, id, JSON.stringify(body), auditContextText(actor, 'diagnosis.update')]
      const [text] = (await transaction.row(change, values)) as TextRow
      markAudited(actor)
      return text as string
    }),
  )
}

const remove = {
  name: 'diagnosis_delete',
  text: `with gone as (delete from diagnosis where organization_id = $1 and id = $2 returning id),
    ${eventOf({ type: TYPE, auditContext: '$3', ids: 'array[id::text]', from: 'gone' })}
    select id from gone`,
}

/** @throws DiagnosisNotFoundHTTPError. Service lines are not stored here, so no service line can lose its diagnosis. */
export async function deleteDiagnosis(deps: Needs, actor: Actor, id: string): Promise<void> {
  if (!isUuid(id)) throw diagnosisNotFound()
  const row = await deps.database.row(remove, [actor.organizationId, id, auditContextText(actor, 'diagnosis.delete')])
  if (!row) throw diagnosisNotFound(id)
  markAudited(actor)
}

interface PrimaryCandidate {
  id: string
  /** Known once the diagnosis has been read. */
  encounterId?: string | undefined
}

const findPrimary = {
  name: 'diagnosis_find_primary',
  text: `select id from diagnosis
    where organization_id = $1 and encounter_id = $2 and body ->> 'code_type' in ('ABK', 'BK') and id <> $3`,
}

/**
 * The unique index refuses a second primary, also of two concurrent writes; this function then reads which one exists.
 */
async function withOnePrimary(
  deps: Needs,
  actor: Actor,
  candidate: PrimaryCandidate,
  write: () => Promise<string>,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (violatedConstraint(error) !== 'diagnosis_primary_unique') throw error
      const { id, encounterId } = candidate
      const existing = await deps.database.row(findPrimary, [actor.organizationId, encounterId, id])
      if (existing) throw Object.assign(secondPrimaryDiagnosis(existing[0] ?? '', id.toLowerCase()), { cause: error })
      // It has been removed since: the write may succeed now.
      if (attempt === ATTEMPTS) throw error
    }
  }
}
