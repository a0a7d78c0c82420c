// One visit: what is known, why it is not ready, and all actions on it.
import { ActionIcon, Button, Loader, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { money } from '../../../../src/contract/money.ts'
import { shownTelephone } from '../../../../src/contract/shown-telephones.ts'
import type { BoardCoverage, BoardItem } from '../../api/generated.ts'
import { useMay, useSession } from '../../api/session.ts'
import { stopWaiting } from '../../api/visit-checks.ts'
import { notesOf } from '../../rules/benefits.ts'
import { copayOf, DO_NOT_BILL } from '../../rules/copay.ts'
import { clock, dayOf, formatInstant, inShownForms, instantOf, isWholeDay, shortDay, timeOf } from '../../rules/days.ts'
import { FILED_COVERAGES } from '../../rules/filed-coverages.ts'
import { lightOf, statusNotesIn } from '../../rules/light.ts'
import { missingOf } from '../../rules/missing.ts'
import { capital, fullName } from '../../rules/names.ts'
import { mayCall } from '../../rules/scopes.ts'
import {
  type Action,
  actionFor,
  doctorOf,
  isExpected,
  isMarked,
  serviceWords,
  statusWords,
  toMutable,
  wordOf,
  workQueueWords,
} from '../../rules/visits.ts'
import { announce } from '../../ui/announce.tsx'
import { BillingProhibited } from '../../ui/billing-prohibited.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { TAKES_BACK } from '../../ui/keep-focus.ts'
import { OPEN_DIALOG } from '../../ui/open-dialog.ts'
import { StatusLight } from '../../ui/status-light.tsx'
import visit from './visit.module.css'
import { cancelVisit, save, takeStep, undoStep } from './visit-actions.ts'
import { VisitCosts } from './visit-costs.tsx'
import { VisitNotes } from './visit-notes.tsx'
import styles from './visit-panel.module.css'

interface Props {
  item: BoardItem
  /** The visits that are checked together with this one. */
  others: readonly BoardItem[]
  day: string
  isToday: boolean
  isBusy: boolean
  isChecking: boolean
  onAct: (work: () => Promise<void>) => void
  onAction: (action: Action) => void
  onClose: () => void
}

export function VisitPanel(props: Props) {
  const { item, others, onClose } = props
  const { appointment, patient, primary_coverage: primary, secondary_coverage: secondary } = item
  const { organization } = useSession()
  const mayWrite = useMay('appointments.update')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const missing = missingOf(appointment, item)
  const copay = copayOf(item)
  const owes = copay.amount !== DO_NOT_BILL
  return (
    <aside
      className={styles.panel}
      aria-label="Visit"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      onBlur={({ currentTarget, relatedTarget }) => isBehind(currentTarget, relatedTarget) && onClose()}
    >
      <header>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{fullName(patient.name)}</bdi>
        </h2>
        <ActionIcon variant="subtle" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </ActionIcon>
      </header>
      {!owes && <BillingProhibited />}
      <p className={styles.facts}>
        {shortDay(patient.birth_date)} · {patient.mrn}
        {patient.primary_telecom && ` · ${shownTelephone(patient.primary_telecom.value)}`}
        <br />
        {clock(appointment.start_timestamp, organization.time_zone)}, {appointment.service_duration} min ·{' '}
        {doctorOf(item) || 'no provider'} · {serviceWords[item.primary_service_type ?? ''] ?? 'no service'}
      </p>
      <Link to="/patients/$patientId" params={{ patientId: appointment.patient_id }}>
        Open patient
      </Link>
      <p>
        <span className={visit.status} data-status={appointment.status ?? 'PENDING'}>
          {statusWords[appointment.status ?? 'PENDING']}
        </span>
        {isMarked(appointment) && ' · marked ready by a user'}
        {appointment.work_queue && ` · ${workQueueWords[appointment.work_queue]}`}
      </p>
      {missing && (
        <div className={styles.todo}>
          <strong>{missing.what}</strong>
          <p>
            {missing.owner}: {missing.todo}
          </p>
        </div>
      )}
      {others.length > 0 && (
        <p className={styles.facts}>
          Also not ready on this day:{' '}
          {others.map(({ appointment: other }) => clock(other.start_timestamp, organization.time_zone)).join(', ')}. A
          check is made for these visits, too.
        </p>
      )}
      <CoverageFacts
        place={FILED_COVERAGES.primary_coverage}
        coverage={primary}
        isSelfPay={patient.self_pay}
        withCosts={owes}
      />
      {secondary && <CoverageFacts place={FILED_COVERAGES.secondary_coverage} coverage={secondary} withCosts={owes} />}
      <p>
        Copay to collect: <strong className={owes ? undefined : visit.prohibited}>{copay.amount}</strong>
        {copay.note && ` (${copay.note})`}
        {appointment.patient_deposit_cents !== undefined &&
          ` · deposit ${money(appointment.patient_deposit_cents / 100)}`}
      </p>
      {mayWrite ? <Steps {...props} /> : <p>Your role allows you to view visits, but not to change them.</p>}
      {mayWrite && isExpected(appointment) && (
        <Reschedule key={`time-${appointment.id}-${appointment.start_timestamp}`} {...props} />
      )}
      {mayWrite ? (
        <VisitNotes key={`notes-${appointment.id}`} {...props} appointment={appointment} />
      ) : (
        appointment.notes && <StoredNotes text={appointment.notes} />
      )}
      {mayWrite && isExpected(appointment) && <Cancel {...props} />}
    </aside>
  )
}

/** On a narrow screen the panel lies over the board: what has the focus there is not hidden by it (WCAG 2.2, 2.4.11). */
function isBehind(panel: Element, focused: Element | null): boolean {
  if (!focused || panel.contains(focused) || focused.closest(OPEN_DIALOG)) return false
  return getComputedStyle(panel).position === 'fixed'
}

interface FactsProps {
  place: string
  coverage: BoardCoverage | undefined
  isSelfPay?: boolean | undefined
  /** Whether the patient may be billed for what the plan leaves to pay. */
  withCosts: boolean
}

function CoverageFacts({ place, coverage, isSelfPay = false, withCosts }: FactsProps) {
  const light = lightOf(coverage, isSelfPay)
  const stated = new Set(light.limits?.slice(0, 1).map(({ note }) => inShownForms(note)))
  const attention = notesOf(coverage?.benefits?.notes).alerts.filter((alert) => !stated.has(alert))
  const isActive = light.state === 'active' || light.state === 'limited'
  const statusNotes = isActive ? statusNotesIn(coverage?.benefits?.notes) : []
  const others = statusNotes.filter((line) => !light.reason?.startsWith(line))
  return (
    <section className={styles.facts}>
      <h3>{place}</h3>
      <StatusLight light={light} withReason />
      {coverage && (
        <div>
          <bdi>{coverage.insurance_plan.payer_name}</bdi> · {coverage.insurance_plan.member_id}
        </div>
      )}
      {withCosts && light.checkId && light.state === 'active' && <VisitCosts checkId={light.checkId} />}
      {attention.map((line) => (
        <p key={line} className={styles.attention}>
          {capital(line)}
        </p>
      ))}
      {others.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {light.checkId && light.state !== 'checking' && (
        <Link to="/checks/$checkId" params={{ checkId: light.checkId }}>
          View response
        </Link>
      )}
    </section>
  )
}

/** Every action that the visit's status allows. The main one is that of the board, which does not suggest to check in a visit that is not ready. */
function Steps({ item, isToday, isBusy, isChecking, onAct, onAction }: Props) {
  const { scopes } = useSession()
  const next = actionFor(item, isToday, (name) => mayCall(scopes, name))
  const variant = (action: Action) => (action === next ? 'filled' : 'default')
  const status = item.appointment.status ?? 'PENDING'
  const isAwaited = isExpected(item.appointment)
  const hasCoverage = item.primary_coverage !== undefined
  return (
    <div className={styles.steps}>
      {isAwaited && isToday && (
        <Button variant={variant('check-in')} disabled={isBusy} onClick={() => onAction('check-in')}>
          Check in
        </Button>
      )}
      {status === 'CHECKED_IN' && (
        <Button disabled={isBusy} onClick={() => onAction('check-out')}>
          Check out
        </Button>
      )}
      {/* One button, which keeps the focus. */}
      {(isChecking || (hasCoverage && isAwaited)) && (
        <Button
          variant={variant('check-again')}
          disabled={isBusy && !isChecking}
          leftSection={isChecking && <Loader size={14} />}
          onClick={
            isChecking
              ? () => stopWaiting(item.appointment.id, fullName(item.patient.name))
              : () => onAction('check-again')
          }
        >
          {isChecking ? 'Checking… Stop waiting' : wordOf('check-again', item)}
        </Button>
      )}
      {(status === 'NOT_READY' || status === 'PENDING') && (
        <Button variant={variant('mark-ready')} disabled={isBusy} onClick={() => onAction('mark-ready')}>
          Mark ready
        </Button>
      )}
      {isAwaited && (
        <Button variant="default" disabled={isBusy} onClick={() => onAct(() => takeStep(item, 'NO_SHOW'))}>
          No-show
        </Button>
      )}
      {(!isAwaited || isMarked(item.appointment)) && (
        <Button variant="default" disabled={isBusy} {...TAKES_BACK} onClick={() => onAct(() => undoStep(item))}>
          Undo “{statusWords[status]}”
        </Button>
      )}
    </div>
  )
}

function Reschedule({ item, isBusy, onAct }: Props) {
  const { organization } = useSession()
  const { appointment } = item
  const zone = organization.time_zone
  const [day, setDay] = useState(dayOf(appointment.start_timestamp, zone))
  const [time, setTime] = useState(() => timeOf(appointment.start_timestamp, zone))
  const start = isWholeDay(day) ? instantOf(day, time, zone) : undefined
  const isChanged = start !== undefined && Date.parse(start) !== Date.parse(appointment.start_timestamp)
  const move = async () => {
    if (start === undefined) return
    const { services, ...rest } = toMutable(appointment)
    await save(appointment, {
      ...rest,
      services: services.map(({ start_timestamp, ...each }) => each),
      start_timestamp: start,
    })
    announce(`Moved to ${formatInstant(start, zone)}, from ${formatInstant(appointment.start_timestamp, zone)}.`)
  }
  return (
    <fieldset className={styles.reschedule}>
      <legend>Reschedule</legend>
      <TextInput type="date" label="Day" value={day} onChange={(event) => setDay(event.currentTarget.value)} />
      <TextInput type="time" label="Time" value={time} onChange={(event) => setTime(event.currentTarget.value)} />
      <Button variant="default" disabled={!isChanged || isBusy} onClick={() => onAct(move)}>
        Move
      </Button>
    </fieldset>
  )
}

/** For a user who may not write them: an empty field would look like one to fill in. */
function StoredNotes({ text }: { text: string }) {
  return (
    <section className={styles.facts}>
      <h3>Visit notes</h3>
      <p className={styles.stored}>
        <bdi>{text}</bdi>
      </p>
    </section>
  )
}

/** For a visit that will not take place, or that was added by mistake. What another system schedules, it may write again. */
function Cancel({ item, isBusy, onAct }: Props) {
  const { placer_system_name: system } = item.appointment
  const elsewhere = system ? ` Cancel it in ${system}, too.` : ''
  return (
    <div className={styles.steps}>
      <ConfirmButton
        size="sm"
        label="Cancel visit"
        question={`Cancel this visit? It leaves all lists.${elsewhere}`}
        loading={isBusy}
        onYes={() => onAct(() => cancelVisit(item))}
      />
    </div>
  )
}
