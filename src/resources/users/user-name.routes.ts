// The names behind user ids in records, for all callers that read records. Accounts and roles are for
// administrators (user.routes.ts). decisions/0056-names-and-the-trail.md

import { Type } from 'typebox'
import { recordId } from '../../contract/common.schema.ts'
import { isUuid } from '../../contract/formats.ts'
import { USER_NAMES_MAX } from '../../contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { systemUser, systemUserName } from '../../platform/auth/system-user.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'

const UserName = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() })

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '/names',
  summary:
    'Returns the names of users whose ids are in records, such as `updating_user_id`: staff, and API clients that act as a user.',
  query: Type.Object({ ids: Type.Array(recordId(), { minItems: 1, maxItems: USER_NAMES_MAX }) }),
  answer: Type.Array(UserName),
  errors: ['BadRequestError'],
  async handle({ database, config }: Pick<Deps, 'database' | 'config'>, { actor, query }) {
    const ids = query.ids.filter(isUuid)
    const rows = await database.rows(namesStatement, [actor.organizationId, ids])
    const known = rows.map(([id, name]) => ({ id, name }))
    return ids.includes(systemUser.id) ? [{ ...systemUser, name: systemUserName(config) }, ...known] : known
  },
})

const namesStatement = {
  name: 'user_names',
  text: 'select id, name from app_user where organization_id = $1 and id = any($2::uuid[]) order by id',
}

export const userNames = resource({
  path: '/anteroom/v1/users',
  group: 'userNames',
  permits: { read: 'See the names of users.' },
  schemas: { UserName },
  routes: [
    list, // GET    /names
  ],
})
