import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { changePatient } from '../../api/change-patient.ts'
import type { Coverage, Patient } from '../../api/generated.ts'
import { limitsOfCoverages } from '../../api/limits.ts'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { newCoverage } from '../../rules/coverages.ts'
import { type FoundCoverage, toTyped } from '../../rules/discovery.ts'
import { moved, movedBefore, places } from '../../rules/patients.ts'
import { announce } from '../../ui/announce.tsx'
import { startDraft } from '../../ui/draft.ts'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { CoverageCard } from './coverage-card.tsx'
import { CoverageForm } from './coverage-form.tsx'
import { FindCoverage } from './find-coverage.tsx'
import styles from './patient.module.css'
import { NEW } from './patient-search.ts'
import { useDragOrder } from './use-drag-order.ts'

export function Coverages({ patient }: { patient: Patient }) {
  const mayWrite = useMay('coverages.update')
  const { form, first } = useSearch({ from: '/patients/$patientId' })
  const navigate = useNavigate({ from: '/patients/$patientId' })
  const mayFind = useMay('eligibilityChecks.insuranceDiscovery')
  const [isFinding, setFinding] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const open = (next: string) => navigate({ search: { form: next }, resetScroll: false })
  const close = () => navigate({ search: {}, replace: true, resetScroll: false })
  const order = patient.filing_order.coverages
  const query = { query: { patient_id: patient.id } }
  const { data, error, refetch } = useRead('coverages.getMulti', query)
  const { data: limits, error: limitsError } = useQuery({
    ...limitsOfCoverages(data ?? [], patient),
    enabled: data !== undefined,
  })

  /** Changes the order of the patient as currently stored, because another user may just have changed it. */
  async function fileAs(change: (order: readonly string[]) => string[]) {
    setFailure(undefined)
    try {
      await changePatient(patient.id, ({ filing_order }) => ({
        filing_order: { coverages: change(filing_order.coverages) },
      }))
    } catch (caught) {
      setFailure(caught)
    }
  }
  async function move(coverage: Coverage, by: -1 | 1) {
    await fileAs((stored) => moved(stored, coverage.id, by))
    announce(`${coverage.insurance_plan.payer_name} was moved ${by === -1 ? 'up' : 'down'}.`)
  }
  const drag = useDragOrder(async (id, before) => {
    await fileAs((stored) => movedBefore(stored, id, before))
    const name = data?.find((coverage) => coverage.id === id)?.insurance_plan.payer_name ?? 'The coverage'
    announce(`${name} was moved.`)
  })
  async function onSaved(coverage: Coverage) {
    const isNew = form === NEW
    await refetch()
    if (isNew) {
      await fileAs((stored) => {
        const others = stored.filter((id) => id !== coverage.id)
        return first ? [coverage.id, ...others] : [...others, coverage.id]
      })
    }
    close()
    announce(isNew ? 'The coverage was added.' : 'The coverage was saved.')
  }

  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the coverages" />
  const edited = data.find(({ id }) => id === form)
  if (mayWrite && (edited || form === NEW)) {
    return <CoverageForm key={form} patient={patient} coverage={edited} onSaved={onSaved} onCancel={close} />
  }
  function take(found: FoundCoverage) {
    startDraft(`coverage-of:${patient.id}`, { base: newCoverage(patient), typed: toTyped(found) })
    setFinding(false)
    open(NEW)
  }
  const filed = order.flatMap((id) => data.find((coverage) => coverage.id === id) ?? [])
  const others = data.filter(({ id }) => !order.includes(id))
  const card = (coverage: Coverage, place: string, index?: number) => (
    <CoverageCard
      key={coverage.id}
      coverage={coverage}
      limits={limits && (limits.get(coverage.latest_eligibility_check?.check_id ?? '') ?? [])}
      patient={patient}
      place={place}
      drag={
        index !== undefined && filed.length > 1
          ? { card: drag.card(coverage.id), handle: drag.handle(coverage.id) }
          : undefined
      }
      onEdit={() => open(coverage.id)}
      onUp={index !== undefined && index > 0 ? () => move(coverage, -1) : undefined}
      onDown={index !== undefined && index < filed.length - 1 ? () => move(coverage, 1) : undefined}
      onFile={index === undefined ? () => fileAs((stored) => [...stored, coverage.id]) : undefined}
      onUnfile={index === undefined ? undefined : () => fileAs((stored) => stored.filter((id) => id !== coverage.id))}
    />
  )
  return (
    <div className={styles.stack} ref={drag.list}>
      {failure !== undefined && <Problem error={failure} />}
      {limitsError && <Problem error={limitsError} />}
      {data.length === 0 && <Empty title={patient.self_pay ? 'Self-pay: no coverage is billed' : 'No coverage yet'} />}
      {/* One list: a card that enters or leaves the filing order keeps what is open in it. */}
      {[
        ...filed.map((coverage, index) => card(coverage, places[index] ?? `Place ${index + 1}`, index)),
        others.length > 0 && <h2 key="others">Not in the filing order</h2>,
        ...others.map((coverage) => card(coverage, 'Not filed')),
      ]}
      {isFinding && <FindCoverage patient={patient} recorded={data} onTake={take} onClose={() => setFinding(false)} />}
      {mayWrite && (
        <div className={styles.actions}>
          <Button variant={data.length === 0 ? 'filled' : 'default'} onClick={() => open(NEW)}>
            Add coverage
          </Button>
          {mayFind && !isFinding && (
            <Button variant="default" onClick={() => setFinding(true)}>
              Find coverage…
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
