import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import type { Patient } from '../../api/generated.ts'
import { useSession } from '../../api/session.ts'
import { SYSTEM_USER } from '../../api/user-names.ts'
import { formatInstant } from '../../rules/days.ts'
import { describeEvent } from '../../rules/timeline.ts'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import patientStyles from './patient.module.css'
import styles from './versions.module.css'

export function Timeline({ patient }: { patient: Patient }) {
  const { organization } = useSession()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['patients.getEligibilityTimeline', patient.id],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(pageParam && { page_token: pageParam }) }
      return call('patients.getEligibilityTimeline', { path: { id: patient.id }, query }, signal)
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token,
  })
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the timeline" />
  const events = data.pages.flatMap(({ items }) => items)
  if (events.length === 0) return <Empty title="No events yet" />
  return (
    <>
      <ol className={styles.timeline}>
        {events.map((event) => {
          const { check_id } = event.payload
          return (
            <li key={event.id}>
              <span className={patientStyles.soft}>
                {formatInstant(event.timestamp, organization.time_zone)} ·{' '}
                {event.user_id === SYSTEM_USER ? 'the service' : <bdi>{event.user_name}</bdi>}
              </span>
              <span>
                {describeEvent(event)}{' '}
                {typeof check_id === 'string' && (
                  <Link to="/checks/$checkId" params={{ checkId: check_id }}>
                    View response
                  </Link>
                )}
              </span>
            </li>
          )
        })}
      </ol>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Earlier
        </Button>
      )}
    </>
  )
}
