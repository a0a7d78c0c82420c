import { useSession } from '../../api/session.ts'
import { dayOf, sayDay } from '../../rules/days.ts'

export function Today() {
  const { organization } = useSession()
  return <h1>{sayDay(dayOf(Date.now(), organization.time_zone))}</h1>
}
