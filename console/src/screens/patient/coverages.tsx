import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { changePatient } from '../../api/change-patient.ts'
import type { Coverage, Patient } from '../../api/generated.ts'
import { limitsOfCoverages } from '../../api/limits.ts'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { newCoverage } from '../../rules/coverages.ts'
import { type FoundCoverage, toTyped } from '../../rules/discovery.ts'
import { places } from '../../rules/patients.ts'
import { announce } from '../../ui/announce.tsx'
import { startDraft } from '../../ui/draft.ts'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { CoverageCard } from './coverage-card.tsx'
import { CoverageForm } from './coverage-form.tsx'
import { FindCoverage } from './find-coverage.tsx'
import styles from './patient.module.css'
import { FIRST, NEW } from './patient-search.ts'
import { useDragOrder } from './use-drag-order.ts'
import { useFilingOrder } from './use-filing-order.ts'

export function Coverages({ patient }: { patient: Patient }) {
  const mayWrite = useMay('coverages.update')
  const { form, first } = useSearch({ from: '/patients/$patientId' })
  const navigate = useNavigate({ from: '/patients/$patientId' })
  const open = (next: string) => navigate({ search: { form: next }, resetScroll: false })
  const close = () => navigate({ search: {}, replace: true, resetScroll: false })
  const { data, error, refetch } = useRead('coverages.getMulti', { query: { patient_id: patient.id } })
  const filing = useFilingOrder(patient)
  const [isFinding, setFinding] = useState(false)

  // Once: a coverage that a colleague adds meanwhile does not take away the form.
  const hasNone = data && data.length === 0
  useEffect(() => {
    if (form === FIRST && hasNone !== undefined) {
      navigate({ search: hasNone ? { form: NEW } : {}, replace: true, resetScroll: false })
    }
  }, [form, hasNone, navigate])

  async function onSaved({ id }: Coverage) {
    const isNew = form === NEW
    await refetch()
    if (isNew) await filing.place(id, first === true)
    close()
    announce(isNew ? 'The coverage was added.' : 'The coverage was saved.')
  }

  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data || form === FIRST) return <Loading what="the coverages" />
  const edited = data.find(({ id }) => id === form)
  if (mayWrite && (edited || form === NEW)) {
    return <CoverageForm key={form} patient={patient} coverage={edited} onSaved={onSaved} onCancel={close} />
  }
  const additions = { isFinding, onFind: setFinding, onNew: () => open(NEW) }
  return (
    <Filed patient={patient} coverages={data} filing={filing} onEdit={open}>
      <Additions patient={patient} coverages={data} {...additions} />
    </Filed>
  )
}

interface Props {
  patient: Patient
  coverages: readonly Coverage[]
  filing: ReturnType<typeof useFilingOrder>
  onEdit: (id: string) => void
  children: ReactNode
}

/** The coverages in the order in which they are billed, and those outside it. */
function Filed({ patient, coverages, filing, onEdit, children }: Props) {
  const { data: limits, error: limitsError } = useQuery(limitsOfCoverages(coverages, patient))
  const drag = useDragOrder((id, before) =>
    filing.moveBefore(id, before, coverages.find((coverage) => coverage.id === id)?.insurance_plan.payer_name),
  )
  const order = patient.filing_order.coverages
  const filed = order.flatMap((id) => coverages.find((coverage) => coverage.id === id) ?? [])
  const others = coverages.filter(({ id }) => !order.includes(id))
  const shown = (coverage: Coverage) => ({
    coverage,
    patient,
    limits: limits && (limits.get(coverage.latest_eligibility_check?.check_id ?? '') ?? []),
    onEdit: () => onEdit(coverage.id),
  })
  return (
    <div className={styles.stack} ref={drag.list}>
      {filing.failure !== undefined && <Problem error={filing.failure} />}
      {limitsError && <Problem error={limitsError} />}
      {patient.self_pay && filed.length > 0 && <SelfPay patient={patient} />}
      {coverages.length === 0 && (
        <Empty title={patient.self_pay ? 'Self-pay: no coverage is billed' : 'No coverage yet'} />
      )}
      {/* One list: a card that enters or leaves the filing order keeps what is open in it. */}
      {[
        ...filed.map((coverage, index) => (
          <CoverageCard
            key={coverage.id}
            {...shown(coverage)}
            place={places[index] ?? `Place ${index + 1}`}
            drag={filed.length > 1 ? { card: drag.card(coverage.id), handle: drag.handle(coverage.id) } : undefined}
            onUp={index > 0 ? () => filing.move(coverage, -1) : undefined}
            onDown={index < filed.length - 1 ? () => filing.move(coverage, 1) : undefined}
            onUnfile={() => filing.remove(coverage.id)}
          />
        )),
        others.length > 0 && <h2 key="others">Not in the filing order</h2>,
        ...others.map((coverage) => (
          <CoverageCard
            key={coverage.id}
            {...shown(coverage)}
            place="Not filed"
            onFile={() => filing.add(coverage.id)}
          />
        )),
      ]}
      {children}
    </div>
  )
}

/** A coverage was added for a patient who was going to pay: until the mark is removed, the board suggests to mark the visit ready. */
function SelfPay({ patient }: { patient: Patient }) {
  const mayWrite = useMay('patients.update')
  const [failure, setFailure] = useState<unknown>()
  const [isWriting, setWriting] = useState(false)
  async function bill() {
    setFailure(undefined)
    setWriting(true)
    try {
      await changePatient(patient.id, () => ({ self_pay: false }))
      announce('The patient is no longer marked as self-pay.')
    } catch (caught) {
      setFailure(caught)
      setWriting(false)
    }
  }
  return (
    <section className={styles.card} aria-label="Self-pay">
      <p>The patient is marked as self-pay: no coverage is billed.</p>
      {failure !== undefined && <Problem error={failure} />}
      {mayWrite && (
        <Button variant="default" loading={isWriting} onClick={bill}>
          Bill the coverage instead
        </Button>
      )}
    </section>
  )
}

interface AdditionsProps {
  patient: Patient
  coverages: readonly Coverage[]
  isFinding: boolean
  onFind: (isFinding: boolean) => void
  onNew: () => void
}

/** A coverage is entered, or found with the payers. */
function Additions({ patient, coverages, isFinding, onFind, onNew }: AdditionsProps) {
  const mayWrite = useMay('coverages.update')
  const mayFind = useMay('eligibilityChecks.insuranceDiscovery')
  function take(found: FoundCoverage) {
    startDraft(`coverage-of:${patient.id}`, { base: newCoverage(patient), typed: toTyped(found) })
    onFind(false)
    onNew()
  }
  return (
    <>
      {isFinding && <FindCoverage patient={patient} recorded={coverages} onTake={take} onClose={() => onFind(false)} />}
      {mayWrite && (
        <div className={styles.actions}>
          <Button variant={coverages.length === 0 ? 'filled' : 'default'} onClick={onNew}>
            Add coverage
          </Button>
          {mayFind && !isFinding && (
            <Button variant="default" onClick={() => onFind(true)}>
              Find coverage…
            </Button>
          )}
        </div>
      )}
    </>
  )
}
