import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Coverage, CoverageLimits, Patient } from '../../api/generated.ts'
import { useMay, useSession } from '../../api/session.ts'
import { prohibitsBilling } from '../../rules/copay.ts'
import { dayOf, shortDay } from '../../rules/days.ts'
import { isToCorrect, lightOf } from '../../rules/light.ts'
import { codeLabel, fullName } from '../../rules/names.ts'
import { BillingProhibited } from '../../ui/billing-prohibited.tsx'
import { Fact } from '../../ui/fact.tsx'
import { DownIcon, DragIcon, UpIcon } from '../../ui/icons.tsx'
import { StatusLight } from '../../ui/status-light.tsx'
import { CardImages } from './card-images.tsx'
import { CheckRun } from './check-run.tsx'
import { Corrections } from './corrections.tsx'
import styles from './coverage-card.module.css'
import { OwnBirthDate } from './own-birth-date.tsx'
import patientStyles from './patient.module.css'

interface Props {
  coverage: Coverage
  /** Of its latest answer; undefined while they are read. */
  limits: CoverageLimits['limits'] | undefined
  patient: Patient
  place: string
  /** Where the card can be dragged to another place. */
  drag?: { card: object; handle: object } | undefined
  onEdit: () => void
  onUp?: (() => void) | undefined
  onDown?: (() => void) | undefined
  onFile?: (() => void) | undefined
  onUnfile?: (() => void) | undefined
}

export function CoverageCard({
  coverage,
  limits,
  patient,
  place,
  drag,
  onEdit,
  onUp,
  onDown,
  onFile,
  onUnfile,
}: Props) {
  const mayEdit = useMay('coverages.update')
  const mayFile = useMay('patients.update')
  const mayCheck = useMay('coverages.checkEligibility')
  const today = dayOf(Date.now(), useSession().organization.time_zone)
  const [isOpen, open] = useState(false)
  const { insurance_plan: plan, subscriber, relationship } = coverage
  const light = lightOf({ ...coverage, ...(limits && { limits }) })
  const isFaulty = mayEdit && isToCorrect(light)
  const hasEnded = (plan.period?.end ?? today) < today
  const who = `${plan.payer_name}, ${place.toLowerCase()}`
  return (
    <article className={`${patientStyles.card} ${styles.coverage}`} aria-label={who} {...drag?.card}>
      <header>
        {mayFile && drag && (
          <span className={styles.handle} aria-hidden="true" title="Drag to another place" {...drag.handle}>
            <DragIcon />
          </span>
        )}
        <span className={styles.place}>{place}</span>
        <h2>
          <bdi>{plan.payer_name}</bdi>
        </h2>
        <StatusLight light={light} />
        <span className={styles.moves}>
          {mayFile && (onUp || onDown) && (
            <>
              <ActionIcon variant="default" aria-label={`Move ${who} up`} disabled={!onUp} onClick={onUp}>
                <UpIcon />
              </ActionIcon>
              <ActionIcon variant="default" aria-label={`Move ${who} down`} disabled={!onDown} onClick={onDown}>
                <DownIcon />
              </ActionIcon>
            </>
          )}
        </span>
      </header>
      {light.reason && <p className={styles.reason}>{light.reason}</p>}
      {prohibitsBilling({ ...coverage, ...(limits && { limits }) }) && <BillingProhibited />}
      <dl className={patientStyles.facts}>
        <Fact label="Member ID" text={plan.member_id} />
        <Fact label="Group" text={plan.group_number} />
        <Fact label="Plan" text={plan.name} />
        <Fact label="Payer ID" text={plan.payer_id} />
        <Fact label="Begins" text={shortDay(plan.period?.start)} />
        <Fact label={hasEnded ? 'Ended' : 'Ends'} text={shortDay(plan.period?.end)} />
        <Fact label="Subscriber" text={`${fullName(subscriber.name)} (${codeLabel(relationship).toLowerCase()})`} />
        {coverage.status !== 'ACTIVE' && <Fact label="Record" text={codeLabel(coverage.status)} />}
      </dl>
      <Corrections coverage={coverage} />
      <OwnBirthDate coverage={coverage} patient={patient} who={who} />
      <div className={patientStyles.row}>
        {mayCheck && (
          <Button
            onClick={() => open(!isOpen)}
            aria-expanded={isOpen}
            aria-label={`Check eligibility of ${who}`}
            variant={isOpen || isFaulty ? 'default' : 'filled'}
          >
            Check eligibility
          </Button>
        )}
        {light.checkId && light.state !== 'checking' && (
          <Link to="/checks/$checkId" params={{ checkId: light.checkId }} aria-label={`View response of ${who}`}>
            View response
          </Link>
        )}
        {mayEdit && (
          <Button variant={isFaulty ? 'filled' : 'default'} onClick={onEdit} aria-label={`Edit ${who}`}>
            Edit
          </Button>
        )}
        {mayFile && onFile && (
          <Button variant="default" onClick={onFile} aria-label={`Add to filing order: ${who}`}>
            Add to filing order
          </Button>
        )}
        {mayFile && onUnfile && (
          <Button variant="subtle" onClick={onUnfile} aria-label={`Remove from filing order: ${who}`}>
            Remove from filing order
          </Button>
        )}
      </div>
      {isOpen && <CheckRun coverage={coverage} who={who} patient={patient} />}
      <CardImages coverage={coverage} />
    </article>
  )
}
