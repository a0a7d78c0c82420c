// The links of the header.
import type { OperationName } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { mayCall } from '../rules/scopes.ts'

/** `needs`: the operation without which the screen would be empty. */
export const places = [
  { to: '/today', label: 'Today', needs: 'board.getVisits' },
  { to: '/patients/new', label: 'New patient', needs: 'patients.create' },
  { to: '/batch', label: 'Batch', needs: 'eligibilityChecks.batch' },
  { to: '/admin', label: 'Administration', needs: 'systemHealth.get' },
] as const satisfies readonly { to: string; label: string; needs: OperationName }[]

export function useMayGo(): (place: { needs: OperationName }) => boolean {
  const { scopes } = useSession()
  return ({ needs }) => mayCall(scopes, needs)
}
