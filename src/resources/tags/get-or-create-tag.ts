import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { violatedConstraint } from '../../platform/database/errors.ts'
import { wireColumns } from '../../records/statements.ts'
import { createRecord } from '../../records/store.ts'
import { toWire } from '../../records/wire.ts'
import type { MutableTag } from './tag.schema.ts'
import { tag } from './tag.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

/** More attempts would only be needed if a client renamed tags as fast as this code looks for them. */
const ATTEMPTS = 10

const findByValue = {
  name: 'tag_find_by_value',
  text: `select ${wireColumns('tag')} from tag where organization_id = $1 and body ->> 'value' = $2
    order by deactivated, updated_at desc limit 1`,
}

/**
 * The organization's tag with this value as it is, or a new one. A deactivated tag is returned as such; of several, which
 * earlier releases made, the active one. The unique index decides between concurrent callers, and all of them get the same
 * tag. Source: rules.md 7.
 */
export async function getOrCreateTag(deps: Needs, actor: Actor, body: MutableTag): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const row = await deps.database.row(findByValue, [actor.organizationId, body.value])
    if (row) return toWire(tag, row, deps.vault)
    try {
      return await createRecord(deps, tag, actor, body)
    } catch (error) {
      const isTaken = violatedConstraint((error as Error).cause) === 'tag_value_unique'
      if (!isTaken || attempt === ATTEMPTS) throw error
    }
  }
}
