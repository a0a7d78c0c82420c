import { Button } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import { Lead } from './lead.tsx'

const AGAIN_MS = 30_000

export default function Health() {
  const { organization } = useSession()
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRead(
    'systemHealth.get',
    {},
    { refetchInterval: AGAIN_MS },
  )
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="system health" />
  const { anteroom, node, postgresql } = data.versions
  return (
    <>
      <Lead>Status of the service for your organization. Updated every 30 seconds while this page is open.</Lead>
      <p>As of {formatInstant(new Date(dataUpdatedAt).toISOString(), organization.time_zone)}</p>
      <Rows label="System health" heads={['Part', 'State', 'Details']}>
        {data.findings.map(({ what, state, says }) => (
          <tr key={what}>
            <td>{what.charAt(0).toUpperCase() + what.slice(1)}</td>
            <td>
              <StateMark state={state} />
            </td>
            <td>{says}</td>
          </tr>
        ))}
      </Rows>
      <p>
        Anteroom {anteroom} on Node {node}
        {postgresql && ` and PostgreSQL ${postgresql}`}
      </p>
      <Button variant="default" loading={isFetching} onClick={() => refetch()}>
        Refresh
      </Button>
    </>
  )
}
