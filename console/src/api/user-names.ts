// The names of the authors of records, by the user ids in them.
import { useRead } from './query.ts'
import { useMay } from './session.ts'

/** The service writes as the system user, whose name the interface defines differently. */
export const SYSTEM_USER = '00000000-0000-0000-0000-000000000000'
const NAMES_MAX = 100

export function useUserNames(userIds: readonly string[]): (id: string) => string {
  const ids = [...new Set(userIds)].sort().slice(0, NAMES_MAX)
  const enabled = useMay('userNames.getMulti') && ids.length > 0
  const { data } = useRead('userNames.getMulti', { query: { ids } }, { enabled, staleTime: 600_000 })
  return (id) =>
    id === SYSTEM_USER ? 'the service' : (data?.find((user) => user.id === id)?.name ?? 'an unknown user')
}
