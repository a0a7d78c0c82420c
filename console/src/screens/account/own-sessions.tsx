import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { browserOf } from '../../rules/browsers.ts'
import { formatInstant } from '../../rules/days.ts'
import { EndSession, useEndSession } from '../../ui/end-session.tsx'
import { Rows } from '../../ui/rows.tsx'
import { Loading, Problem } from '../../ui/states.tsx'

export function OwnSessions() {
  const { user, organization } = useSession()
  const { data, error, refetch } = useRead('sessions.getMulti', {})
  const end = useEndSession()
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="sessions" rows={2} />
  const format = (instant: string) => formatInstant(instant, organization.time_zone)
  return (
    <>
      <Rows label="Your sessions" heads={['Browser', 'Address', 'Since', 'Last used', 'Actions']}>
        {data
          // Administrators get the sessions of all users.
          .filter(({ user_id }) => user_id === user.id)
          .map((session) => (
            <tr key={session.id}>
              <td title={session.user_agent}>{browserOf(session.user_agent)}</td>
              <td>{session.address}</td>
              <td>{format(session.created_at)}</td>
              <td>{format(session.last_used_at)}</td>
              <td>
                <EndSession end={end} session={session} name={`since ${format(session.created_at)}`} />
              </td>
            </tr>
          ))}
      </Rows>
      {end.error && <Problem error={end.error} />}
    </>
  )
}
