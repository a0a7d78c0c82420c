// Two records of one person: both sides are shown, one is kept, and nothing is lost. It can be undone on the patient's page.
import { Alert, Button, Table } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import type { Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { shortDay } from '../../rules/days.ts'
import { type Compared, compare, compared, doubtOf, obstacleTo, type Side } from '../../rules/merge.ts'
import { fullName, listName } from '../../rules/names.ts'
import { SEARCH_LABEL } from '../../rules/search.ts'
import { announce } from '../../ui/announce.tsx'
import { Picker } from '../../ui/picker.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import { FoundPatient } from '../search/found-patient.tsx'
import { usePatientSearch } from '../search/use-patient-search.ts'
import styles from './merge.module.css'
import { PatientProblem } from './patient-problem.tsx'

export function MergeScreen() {
  const { patientId } = useParams({ from: '/patients/$patientId/merge' })
  const { other } = useSearch({ from: '/patients/$patientId/merge' })
  const { data: patient, error, refetch } = useRead('patients.get', { path: { id: patientId } })
  useEffect(() => {
    document.title = 'Merge two records · Anteroom'
  }, [])
  if (error && !patient) return <PatientProblem error={error} retry={refetch} />
  if (!patient) return <Loading what="the patient" />
  return (
    <>
      <h1>Merge two records</h1>
      <p>
        Use this when one person was entered twice. Both records are kept; lists and searches show the one that you
        keep. You can undo a merge at any time.
      </p>
      {other ? <Sides key={other} left={patient} rightId={other} /> : <PickOther patient={patient} />}
      <p className={styles.back}>
        <Link to="/patients/$patientId" params={{ patientId }}>
          Back to <bdi>{fullName(patient.name)}</bdi>
        </Link>
      </p>
    </>
  )
}

/** Begins with the patients who have a similar name. */
function PickOther({ patient }: { patient: Patient }) {
  const navigate = useNavigate({ from: '/patients/$patientId/merge' })
  const [text, setText] = useState(listName(patient.name))
  const search = usePatientSearch(text, 9)
  const { error, isCurrent, isFetching, refetch } = search
  const place = useRef<HTMLDivElement>(null)
  // Selected, so that typing replaces the suggested name.
  useEffect(() => place.current?.querySelector('input')?.select(), [])
  const items = search.items.filter((item) => item.patient.id !== patient.id)
  return (
    <div ref={place}>
      <Picker
        label={`Which record is the same person as ${fullName(patient.name)}, ${shortDay(patient.birth_date)}, ${patient.mrn}?`}
        placeholder={SEARCH_LABEL}
        text={text}
        onText={setText}
        items={items}
        isCurrent={isCurrent}
        keyOf={(item) => item.patient.id}
        onTake={(item) => navigate({ search: { other: item.patient.id } })}
        message={items.length === 0 ? (isFetching ? 'Searching…' : 'No other patients found.') : ''}
        render={FoundPatient}
      />
      {error && <Problem error={error} retry={refetch} />}
    </div>
  )
}

function Sides({ left, rightId }: { left: Patient; rightId: string }) {
  const { data: right, error, refetch } = useRead('patients.get', { path: { id: rightId } })
  const ofLeft = useBelongings(left)
  const ofRight = useBelongings(right)
  const failed = [{ data: right, error, refetch }, ofLeft, ofRight].filter((each) => each.error && !each.data)
  if (failed[0]) return <Problem error={failed[0].error} retry={() => failed.forEach((each) => void each.refetch())} />
  if (!right || !ofLeft.data || !ofRight.data) return <Loading what="both records" />
  return <Choice sides={{ left: { patient: left, ...ofLeft.data }, right: { patient: right, ...ofRight.data } }} />
}

interface Belongings {
  coverages: string
  visits: string
  primaryMrn?: string | undefined
  alternativeMrns: string[]
}

interface Reading<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => void
}

function useBelongings(patient: Patient | undefined): Reading<Belongings> {
  const id = patient?.id ?? ''
  const enabled = { enabled: patient !== undefined }
  const coverages = useRead('coverages.getMulti', { query: { patient_id: id } }, enabled)
  const filters = `appointment.patientId|eq|${id}`
  const visits = useRead('board.getVisits', { query: { filters, limit: 1 } }, enabled)
  const status = useRead('patientMerges.getStatus', { path: { mrn_or_id: id } }, enabled)
  const error = coverages.error ?? visits.error ?? status.error
  const refetch = () => void Promise.all([coverages, visits, status].map((each) => each.refetch()))
  if (!coverages.data || !visits.data || !status.data) return { data: undefined, error, refetch }
  const merge = status.data
  const data = {
    coverages: coverages.data.map(({ insurance_plan: plan }) => `${plan.payer_name} ${plan.member_id}`).join('; '),
    visits: String(visits.data.total),
    ...(merge.merge_status === 'alternative' && { primaryMrn: merge.primary_mrn }),
    alternativeMrns: merge.merge_status === 'primary' ? merge.alternative_mrns : [],
  }
  return { data, error, refetch }
}

/** The service refuses the second merge of two records, which is done if the answer to the first was lost, or another user was faster. */
async function mergeOnce(kept: Patient, away: Patient): Promise<void> {
  const body = { primary_patient_mrn: kept.mrn, alternative_patient_mrn: away.mrn }
  try {
    await call('patientMerges.create', { body })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const merge = await call('patientMerges.getStatus', { path: { mrn_or_id: away.id } }).catch(() => {
      throw error
    })
    if (merge.merge_status !== 'alternative' || merge.primary_mrn !== kept.mrn) throw error
  }
}

type Whole = Belongings & { patient: Patient }

function Choice({ sides }: { sides: Record<Side, Whole> }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayMerge = useMay('patientMerges.create')
  const [keep, setKeep] = useState<Side>('left')
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const { left, right } = sides
  const kept = sides[keep]
  const away = sides[keep === 'left' ? 'right' : 'left']
  const obstacle = obstacleTo(
    { mrn: kept.patient.mrn, primaryMrn: kept.primaryMrn },
    { ...away, mrn: away.patient.mrn },
  )
  const doubt = doubtOf(left.patient, right.patient)
  const rows: Compared[] = [
    ...compare(left.patient, right.patient),
    compared('Coverages', left.coverages, right.coverages),
    compared('Visits', left.visits, right.visits),
  ]

  async function merge() {
    setSaving(true)
    setFailure(undefined)
    try {
      await mergeOnce(kept.patient, away.patient)
      await client.invalidateQueries()
      announce(`${away.patient.mrn} is now part of ${kept.patient.mrn}.`)
      await navigate({ to: '/patients/$patientId', params: { patientId: kept.patient.id } })
    } catch (caught) {
      setFailure(caught)
      setSaving(false)
    }
  }
  return (
    <>
      <Table layout="fixed" className={styles.sides}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {(['left', 'right'] as const).map((side) => (
              <Table.Th key={side} scope="col">
                <label className={styles.keep}>
                  <input type="radio" name="keep" checked={keep === side} onChange={() => setKeep(side)} />
                  {keep === side ? 'This record is kept' : 'Keep this one instead'}
                </label>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, left: one, right: two, isSame }) => (
            <Table.Tr key={label} data-same={isSame}>
              <Table.Th scope="row">
                {label}
                {!isSame && <span className={styles.differs}> differs</span>}
              </Table.Th>
              <Table.Td>
                <bdi>{one || '—'}</bdi>
              </Table.Td>
              <Table.Td>
                <bdi>{two || '—'}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {doubt && (
        <Alert color="yellow" title={doubt} mb="sm">
          Make sure that this is one person before you merge.
        </Alert>
      )}
      {obstacle && (
        <Alert role="alert" color="yellow" title="These records cannot be merged this way" mb="sm">
          {obstacle}
        </Alert>
      )}
      {failure !== undefined && <Problem error={failure} />}
      {mayMerge ? (
        <Button className={styles.merge} onClick={merge} loading={isSaving} disabled={obstacle !== undefined}>
          Keep {kept.patient.mrn}, and merge {away.patient.mrn} into it
        </Button>
      ) : (
        <p>You can view both records, but you cannot merge them.</p>
      )}
    </>
  )
}
