import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { shownTelephone } from '../../../../src/contract/shown-telephones.ts'
import type { BoardCoverage, BoardItem } from '../../api/generated.ts'
import { useSession } from '../../api/session.ts'
import { copayOf, DO_NOT_BILL } from '../../rules/copay.ts'
import { ageOn, clock, dayOf, duration, shortDay } from '../../rules/days.ts'
import { lightOf } from '../../rules/light.ts'
import { missingOf } from '../../rules/missing.ts'
import { listName } from '../../rules/names.ts'
import { mayCall } from '../../rules/scopes.ts'
import {
  type Action,
  actionFor,
  doctorOf,
  isMarked,
  isToCall,
  serviceWords,
  statusWords,
  timingOf,
  wordOf,
} from '../../rules/visits.ts'
import { useTime } from '../../ui/clock.ts'
import { StatusLight } from '../../ui/status-light.tsx'
import board from './board.module.css'
import visit from './visit.module.css'
import styles from './visit-row.module.css'

interface Props {
  item: BoardItem
  isToday: boolean
  isSelected: boolean
  /** The row that Tab reaches. */
  isEntry: boolean
  isBusy: boolean
  isChecking: boolean
  onSelect: (id: string) => void
  onOpen: (id: string) => void
  onAction: (item: BoardItem, action: Action) => void
}

/** Rendered again only when its own visit or its selection changes. */
export const VisitRow = memo(function VisitRow(props: Props) {
  const { item, isToday, isSelected, isEntry, isBusy, isChecking, onSelect, onOpen, onAction } = props
  const { appointment, patient, primary_coverage: primary, secondary_coverage: secondary } = item
  const { organization, scopes } = useSession()
  const { id, start_timestamp: start } = appointment
  const copay = copayOf(item)
  const isBillingProhibited = copay.amount === DO_NOT_BILL
  const amount = isBillingProhibited ? <strong className={visit.prohibited}>{copay.amount}</strong> : copay.amount
  const missing = missingOf(appointment, item)
  const action = actionFor(item, isToday, (name) => mayCall(scopes, name))
  const service = serviceWords[item.primary_service_type ?? ''] ?? ''
  const provider = [doctorOf(item), service].filter(Boolean).join(' · ')
  return (
    <tr
      data-id={id}
      tabIndex={isEntry ? 0 : -1}
      aria-current={isSelected || undefined}
      onFocus={(event) => event.target === event.currentTarget && onSelect(id)}
      onClick={() => {
        onSelect(id)
        onOpen(id)
      }}
    >
      <td className={styles.time}>
        {clock(start, organization.time_zone)}
        <Lateness appointment={appointment} />
      </td>
      <td className={styles.who}>
        <Link
          to="/patients/$patientId"
          params={{ patientId: appointment.patient_id }}
          className={styles.patient}
          onClick={(event) => event.stopPropagation()}
        >
          <bdi>{listName(patient.name)}</bdi>
        </Link>
        <span className={styles.soft}>
          {shortDay(patient.birth_date)} · {ageOn(patient.birth_date, dayOf(start, organization.time_zone))}
          <span className={styles.mrn}> · {patient.mrn}</span>
        </span>
        <span className={styles.narrow}>{provider}</span>
        <Telephone item={item} />
      </td>
      <td className={board.wide}>
        <bdi className={styles.provider}>{doctorOf(item) || 'No provider'}</bdi>
        <span className={styles.soft}>{service || 'No service'}</span>
      </td>
      <td className={styles.eligibility}>
        <CoverageLine coverage={primary} isSelfPay={patient.self_pay} />
        {secondary && <CoverageLine coverage={secondary} />}
        <span className={styles.phone}>
          Copay: {amount}
          {copay.note && ` (${copay.note})`}
        </span>
      </td>
      <td className={`${board.number} ${styles.costs}`}>
        {isBillingProhibited || /\d/.test(copay.amount) ? amount : <span className={styles.soft}>{amount}</span>}
        {copay.note && <span className={styles.soft}>{copay.note}</span>}
      </td>
      <td className={styles.what}>
        <span className={visit.status} data-status={appointment.status ?? 'PENDING'}>
          {statusWords[appointment.status ?? 'PENDING']}
        </span>
        {isMarked(appointment) && <span className={styles.soft}>by a user</span>}
        {missing && (
          <span className={styles.missing}>
            {missing.what} <span className={styles.owner}>{missing.owner}</span>
          </span>
        )}
      </td>
      <td className={board.next}>
        {action && (
          <Button
            size="compact-sm"
            variant={action === 'check-in' || action === 'mark-ready' ? 'filled' : 'default'}
            loading={isBusy || (isChecking && action === 'check-again')}
            tabIndex={isEntry ? 0 : -1}
            aria-label={`${wordOf(action, item)}: ${listName(patient.name)}`}
            onClick={(event) => {
              event.stopPropagation()
              onSelect(id)
              onAction(item, action)
            }}
          >
            {wordOf(action, item)}
          </Button>
        )}
      </td>
    </tr>
  )
})

/** Where somebody is to be called: elsewhere it is in the panel, so that a board has short rows. */
function Telephone({ item: { appointment, patient } }: Pick<Props, 'item'>) {
  const isShown = useTime((now) => isToCall(appointment, now))
  const telephone = shownTelephone(patient.primary_telecom?.value ?? '')
  return isShown && telephone !== '' && <span className={styles.soft}>{telephone}</span>
}

function Lateness({ appointment }: Pick<BoardItem, 'appointment'>) {
  const words = useTime((now) => {
    const timing = timingOf(appointment, now)
    return timing ? `${timing.kind} ${duration(timing.minutes)}` : ''
  })
  const isLong = useTime((now) => timingOf(appointment, now)?.isLong ?? false)
  return (
    words && (
      <span className={styles.timing} data-long={isLong}>
        {words}
      </span>
    )
  )
}

interface LineProps {
  coverage: BoardCoverage | undefined
  isSelfPay?: boolean | undefined
}

function CoverageLine({ coverage, isSelfPay = false }: LineProps) {
  const light = lightOf(coverage, isSelfPay)
  return (
    <span className={styles.coverage}>
      <StatusLight light={light} withReason={light.state !== 'unchecked'}>
        {coverage && <bdi className={styles.payer}>{coverage.insurance_plan.payer_name}</bdi>}
      </StatusLight>
    </span>
  )
}
