import { Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { dayOf, formatInstant } from '../../rules/days.ts'
import { missingOf } from '../../rules/missing.ts'
import { doctorOf, serviceWords, statusWords } from '../../rules/visits.ts'
import { Empty, Loading, Problem } from '../../ui/states.tsx'

export function Visits({ patient }: { patient: Patient }) {
  const { organization } = useSession()
  const { data, error, refetch } = useRead('board.getVisits', {
    query: {
      filters: `appointment.patientId|eq|${patient.id}`,
      sort_field: 'appointment.startTimestamp',
      sort_direction: 'desc',
      limit: 100,
    },
  })
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the visits" />
  if (data.items.length === 0) return <Empty title="No visits" />
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>Provider</Table.Th>
          <Table.Th>Service</Table.Th>
          <Table.Th>Status</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.items.map((item) => {
          const { appointment } = item
          const status = appointment.status ?? 'PENDING'
          return (
            <Table.Tr key={appointment.id}>
              <Table.Td>
                <Link
                  to="/today"
                  search={{ day: dayOf(appointment.start_timestamp, organization.time_zone), text: patient.mrn }}
                >
                  {formatInstant(appointment.start_timestamp, organization.time_zone)}
                </Link>
              </Table.Td>
              <Table.Td>{doctorOf(item) || '—'}</Table.Td>
              <Table.Td>{serviceWords[item.primary_service_type ?? ''] ?? '—'}</Table.Td>
              <Table.Td>
                {statusWords[status]}
                {status === 'NOT_READY' && `: ${missingOf(appointment)?.what ?? ''}`}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
