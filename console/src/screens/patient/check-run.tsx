// Starts a check of one coverage, and shows its progress until the answer arrives.
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Coverage, EligibilityCheckMetadata, Patient, ServiceTypeCode } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { dayOf } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { serviceTypeOptions } from '../../rules/service-types.ts'
import { announce } from '../../ui/announce.tsx'
import { readPreference, writePreference } from '../../ui/preferences.ts'
import { Problem } from '../../ui/states.tsx'
import styles from './patient.module.css'

const POLL_MS = 1_500
const NPI = 'npi'
const SERVICE = 'service-type'

export function CheckRun({ coverage, patient }: { coverage: Coverage; patient: Patient }) {
  const client = useQueryClient()
  const { organization } = useSession()
  const mayCheck = useMay('coverages.checkEligibility')
  const providers = useProviders(patient)
  const [npi, setNpi] = useState(() => readPreference(NPI) ?? '')
  const [service, setService] = useState(() => readPreference(SERVICE) ?? '30')
  const [day, setDay] = useState(() => dayOf(Date.now(), organization.time_zone))
  const [check, setCheck] = useState<EligibilityCheckMetadata>()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  // One that was chosen for another patient may not be a provider of this one.
  const chosen = providers.length === 0 || providers.some((each) => each.npi === npi) ? npi : (providers[0]?.npi ?? '')
  const isOpen = check?.status === 'PENDING'

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
    announce(check.status === 'COMPLETED' ? 'The payer has answered.' : 'The check could not be completed.')
    client.invalidateQueries({ queryKey: ['coverages.getMulti'] })
  }, [check, client])

  async function startCheck() {
    setSending(true)
    setError(undefined)
    writePreference(NPI, chosen)
    writePreference(SERVICE, service)
    try {
      const body = { service_code: service as ServiceTypeCode, date_of_service: day, npi: chosen }
      setCheck(await call('coverages.checkEligibility', { path: { id: coverage.id }, body }))
    } catch (caught) {
      setError(caught)
    } finally {
      setSending(false)
    }
  }

  if (!mayCheck) return <p>You can view responses, but you cannot start checks.</p>
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
      {providers.length > 0 ? (
        <NativeSelect
          label="Inquiring provider"
          value={chosen}
          data={providers.map((provider) => ({ value: provider.npi, label: `${provider.name} (${provider.npi})` }))}
          onChange={(event) => setNpi(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          label="NPI of the inquiring provider"
          description="Ten digits. Administration, Verification has a place for the clinic's NPI."
          inputMode="numeric"
          maxLength={10}
          value={npi}
          onChange={(event) => setNpi(event.currentTarget.value)}
        />
      )}
      <Button onClick={startCheck} loading={isSending} disabled={chosen === '' || day === '' || isOpen}>
        Check with {coverage.insurance_plan.payer_name}
      </Button>
      {error !== undefined && <Problem error={error} />}
      <p role="status" className={styles.full}>
        {isOpen && 'The payer has not answered yet. The check continues if you leave this page.'}
        {check &&
          !isOpen &&
          (check.status === 'COMPLETED' ? 'The payer has answered. ' : 'The check could not be completed. ')}
        {check && !isOpen && (
          <Link to="/checks/$checkId" params={{ checkId: check.check_id }}>
            View response
          </Link>
        )}
      </p>
    </div>
  )
}

/** Providers who see or treat this patient and have an NPI, those of the next visit first, and then the clinic itself. */
function useProviders(patient: Patient): { npi: string; name: string }[] {
  const { organization } = useSession()
  const filters = `appointment.patientId|eq|${patient.id}`
  const query = { filters, limit: 20, sort_field: 'appointment.startTimestamp', sort_direction: 'desc' } as const
  const { data } = useRead('board.getVisits', { query })
  const { data: external } = useRead('organizationExternalProviders.getMulti', { query: { limit: 50 } })
  const doctors = (data?.items ?? []).flatMap(({ appointment }) => appointment.attending_doctor ?? [])
  const found = [...doctors, ...patient.general_practitioners, ...(external?.items ?? [])].flatMap(({ npi, name }) =>
    npi ? { npi, name: fullName(name) } : [],
  )
  if (organization.npi) found.push({ npi: organization.npi, name: organization.name })
  return [...new Map(found.map((provider) => [provider.npi, provider])).values()]
}
