import { Button } from '@mantine/core'
import { useRead, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { browserOf } from '../../rules/browsers.ts'
import { formatInstant } from '../../rules/days.ts'
import { announce } from '../../ui/announce.tsx'
import { Rows } from '../../ui/rows.tsx'
import { Loading, Problem } from '../../ui/states.tsx'

export function OwnSessions() {
  const { user, organization } = useSession()
  const { data, error, refetch } = useRead('sessions.getMulti', {})
  const end = useWrite('sessions.remove', ['sessions.getMulti'])
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
                {session.is_current ? (
                  'This session'
                ) : (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`End session since ${format(session.created_at)}`}
                    loading={end.isPending && end.variables?.path.session_id === session.id}
                    onClick={() =>
                      end.mutate(
                        { path: { session_id: session.id } },
                        { onSuccess: () => announce('The session has ended.') },
                      )
                    }
                  >
                    End session
                  </Button>
                )}
              </td>
            </tr>
          ))}
      </Rows>
      {end.error && <Problem error={end.error} />}
    </>
  )
}
