// The names of the authors of records, by the user ids in them.
import { NIL_UUID } from '../../../src/contract/formats.ts'
import { USER_NAMES_MAX } from '../../../src/contract/limits.ts'
import { useRead } from './query.ts'
import { useMay } from './session.ts'

/** The service writes as the system user, whose name the interface defines differently. */
export const SYSTEM_USER = NIL_UUID

export function useUserNames(userIds: readonly string[]): (id: string) => string {
  const ids = [...new Set(userIds)].sort().slice(0, USER_NAMES_MAX)
  const enabled = useMay('userNames.getMulti') && ids.length > 0
  const { data } = useRead('userNames.getMulti', { query: { ids } }, { enabled, staleTime: 600_000 })
  return (id) =>
    id === SYSTEM_USER ? 'the service' : (data?.find((user) => user.id === id)?.name ?? 'an unknown user')
}
