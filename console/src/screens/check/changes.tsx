import { Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { StoredCheck } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { gistOf } from '../../rules/benefits.ts'
import { formatInstant } from '../../rules/days.ts'
import { differences } from '../../rules/differences.ts'
import styles from './check.module.css'

/** What differs from the previous answer. */
export function Changes({ stored, coverageId }: { stored: StoredCheck; coverageId: string }) {
  const { organization } = useSession()
  const { data: coverage } = useRead('coverages.get', { path: { id: coverageId } })
  const earlier = (coverage?.eligibility_checks ?? [])
    .filter(({ status, initiated_at }) => status === 'COMPLETED' && initiated_at < stored.initiated_at)
    .sort((a, b) => b.initiated_at.localeCompare(a.initiated_at))[0]
  const id = earlier?.check_id ?? ''
  const { data: before } = useRead('storedChecks.get', { path: { id } }, { enabled: id !== '' })
  const old = before?.check.parsed_response
  const now = stored.check.parsed_response
  if (!before || !old || !now) return null
  const changes = differences(gistOf(old), gistOf(now))
  return (
    <section className={styles.section}>
      <h2>Changes since the previous response</h2>
      <p className={styles.soft}>
        <Link to="/checks/$checkId" params={{ checkId: id }}>
          {formatInstant(before.initiated_at, organization.time_zone)}
        </Link>
        {changes.length === 0 && ': no changes to the plan or its copays.'}
      </p>
      {changes.length > 0 && (
        <Table>
          <Table.Tbody>
            {changes.map(({ path, before: was, after }) => (
              <Table.Tr key={path}>
                <Table.Th scope="row">{path}</Table.Th>
                <Table.Td>{was ?? 'not stated'}</Table.Td>
                <Table.Td>
                  <strong>{after ?? 'not stated'}</strong>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  )
}
