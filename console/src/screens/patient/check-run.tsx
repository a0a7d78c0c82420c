// Starts a check of one coverage, and shows its progress until the answer arrives.
import { Button, Loader, NativeSelect, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Coverage, EligibilityCheckMetadata, Patient, ServiceTypeCode } from '../../api/generated.ts'
import { readCoveragesAgain } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { dayOf } from '../../rules/days.ts'
import { serviceTypeOptions } from '../../rules/service-types.ts'
import { announce } from '../../ui/announce.tsx'
import { readPreference, writePreference } from '../../ui/preferences.ts'
import { Problem } from '../../ui/states.tsx'
import { InquiringProvider, useInquiringProvider } from './inquiring-provider.tsx'
import styles from './inquiry.module.css'

const POLL_MS = 1_500
const SERVICE = 'service-type'
const STOPPED = 'The inquiry has been sent. Its response will appear here automatically.'
/** A payer that does not find the subscriber has answered, too. */
const NO_STATUS = 'The check gave no status. The coverage shows why.'

interface Props {
  coverage: Coverage
  /** The coverage, in the names of links. */
  who: string
  patient: Patient
}

export function CheckRun({ coverage, who, patient }: Props) {
  const { organization } = useSession()
  const { remember, ...provider } = useInquiringProvider(patient)
  const [service, setService] = useState(() => readPreference(SERVICE) ?? '30')
  const [day, setDay] = useState(() => dayOf(Date.now(), organization.time_zone))
  const [check, setCheck] = useState<EligibilityCheckMetadata>()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const [isStopped, setStopped] = useState(false)
  const isOpen = check?.status === 'PENDING'
  const isRunning = isSending || isOpen
  /** The check that the user waits for: the latest, until they stop. */
  const awaited = useRef<symbol>(undefined)

  useEffect(() => {
    if (!isOpen || !check) return
    const timer = setInterval(() => {
      const path = { id: coverage.id, check_id: check.check_id }
      call('coverages.getEligibility', { path }).then(({ metadata }) => setCheck(metadata), setError)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [check, coverage.id, isOpen])

  useEffect(() => {
    if (!check || check.status === 'PENDING') return
    announce(check.status === 'COMPLETED' ? 'The payer has answered.' : NO_STATUS)
    readCoveragesAgain()
  }, [check])

  async function startCheck() {
    const mine = Symbol()
    awaited.current = mine
    setSending(true)
    setError(undefined)
    setStopped(false)
    remember()
    writePreference(SERVICE, service)
    try {
      const body = { service_code: service as ServiceTypeCode, date_of_service: day, npi: provider.npi }
      const begun = await call('coverages.checkEligibility', { path: { id: coverage.id }, body })
      if (awaited.current === mine) setCheck(begun)
    } catch (caught) {
      if (awaited.current === mine) setError(caught)
    } finally {
      if (awaited.current === mine) setSending(false)
    }
  }

  /** An inquiry that was sent cannot be recalled. */
  function stop() {
    awaited.current = undefined
    setSending(false)
    setCheck(undefined)
    setStopped(true)
  }

  return (
    <div className={styles.check}>
      <TextInput
        type="date"
        label="Date of service"
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <NativeSelect
        label="Service"
        value={service}
        data={serviceTypeOptions}
        onChange={(event) => setService(event.currentTarget.value)}
      />
      <InquiringProvider {...provider} />
      {/* One button, which keeps the focus. */}
      <Button
        variant={isRunning ? 'default' : 'filled'}
        leftSection={isRunning && <Loader size={14} />}
        onClick={isRunning ? stop : startCheck}
        disabled={!isRunning && (provider.npi === '' || day === '')}
      >
        {isRunning ? 'Checking… Stop waiting' : `Check with ${coverage.insurance_plan.payer_name}`}
      </Button>
      {error !== undefined && <Problem error={error} />}
      <p role="status" className={styles.full}>
        {isStopped && STOPPED}
        {isOpen && 'The payer has not answered yet. The check continues if you leave this page.'}
        {check && !isOpen && (check.status === 'COMPLETED' ? 'The payer has answered. ' : `${NO_STATUS} `)}
        {check && !isOpen && (
          <Link to="/checks/$checkId" params={{ checkId: check.check_id }} aria-label={`View response of ${who}`}>
            View response
          </Link>
        )}
      </p>
    </div>
  )
}
