// Every version of the patient and of each coverage: who changed what, and when.
import { NativeSelect, Table } from '@mantine/core'
import { useState } from 'react'
import type { Coverage, Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useUserNames } from '../../api/user-names.ts'
import { formatInstant } from '../../rules/days.ts'
import { differences } from '../../rules/differences.ts'
import { Loading, Problem } from '../../ui/states.tsx'
import patientStyles from './patient.module.css'
import styles from './versions.module.css'

export function History({ patient }: { patient: Patient }) {
  const [of, setOf] = useState('')
  const coverages = useRead('coverages.getMulti', { query: { patient_id: patient.id } })
  return (
    <div className={patientStyles.stack}>
      <NativeSelect
        label="History of"
        maw="24rem"
        value={of}
        data={[
          { value: '', label: 'The patient' },
          ...(coverages.data ?? []).map(({ id, insurance_plan }) => ({
            value: id,
            label: `Coverage: ${insurance_plan.payer_name}`,
          })),
        ]}
        onChange={(event) => setOf(event.currentTarget.value)}
      />
      {of === '' ? (
        <PatientHistory id={patient.id} coverages={coverages.data ?? []} />
      ) : (
        <CoverageHistory key={of} id={of} />
      )}
    </div>
  )
}

function PatientHistory({ id, coverages }: { id: string; coverages: readonly Coverage[] }) {
  const { data, error, refetch } = useRead('patients.getHistory', { path: { id } })
  if (error) return <Problem error={error} retry={refetch} />
  const named = (text: string) =>
    coverages.reduce((all, coverage) => all.replaceAll(coverage.id, coverage.insurance_plan.payer_name), text)
  return data ? <Versions versions={data} named={named} /> : <Loading what="the history" />
}

function CoverageHistory({ id }: { id: string }) {
  const { data, error, refetch } = useRead('coverages.getHistory', { path: { id } })
  if (error) return <Problem error={error} retry={refetch} />
  return data ? <Versions versions={data} /> : <Loading what="the history" />
}

interface VersionsProps {
  versions: readonly (Patient | Coverage)[]
  /** A value with names in place of the ids of records. */
  named?: (text: string) => string
}

function Versions({ versions, named = (text) => text }: VersionsProps) {
  const { user, organization } = useSession()
  const nameOf = useUserNames(versions.map(({ updating_user_id }) => updating_user_id))
  const ascending = [...versions].sort((a, b) => a.version - b.version)
  return (
    <ol className={styles.timeline} reversed>
      {ascending
        .map((version, index) => ({ version, before: ascending[index - 1] }))
        .reverse()
        .map(({ version, before }) => (
          <li key={version.version}>
            <span className={patientStyles.soft}>
              Version {version.version} · {formatInstant(version.updated_at, organization.time_zone)} ·{' '}
              {version.updating_user_id === user.id ? 'you' : <bdi>{nameOf(version.updating_user_id)}</bdi>}
            </span>
            {before ? <Changes before={before} after={version} named={named} /> : <span>Created</span>}
          </li>
        ))}
    </ol>
  )
}

function Changes({ before, after, named }: { before: object; after: object; named: (text: string) => string }) {
  const changes = differences(before, after)
  if (changes.length === 0) return <span>Saved without changes</span>
  return (
    <Table layout="fixed">
      <Table.Tbody>
        {changes.map(({ path, before: old, after: now }) => (
          <Table.Tr key={path}>
            <Table.Th scope="row">{path}</Table.Th>
            <Table.Td>
              {old !== undefined && (
                <del>
                  <bdi>{named(old)}</bdi>
                </del>
              )}
            </Table.Td>
            <Table.Td>
              {now !== undefined && (
                <ins>
                  <bdi>{named(now)}</bdi>
                </ins>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
