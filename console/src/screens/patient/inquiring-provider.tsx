// The provider in whose name a payer is asked.
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { enteredNpi } from '../../rules/entered.ts'
import { fullName } from '../../rules/names.ts'
import { oddNpi } from '../../rules/oddities.ts'
import { readPreference, writePreference } from '../../ui/preferences.ts'

const NPI = 'npi'
const NPI_LENGTH = 10

interface Chosen {
  npi: string
  providers: readonly { npi: string; name: string }[]
  onChange: (npi: string) => void
  /** Keeps the choice for the next inquiry. */
  remember: () => void
}

export function useInquiringProvider(patient: Patient): Chosen {
  const providers = useProviders(patient)
  const [npi, setNpi] = useState(() => readPreference(NPI) ?? '')
  // One that was chosen for another patient may not be a provider of this one.
  const chosen = providers.length === 0 || providers.some((each) => each.npi === npi) ? npi : (providers[0]?.npi ?? '')
  return { npi: chosen, providers, onChange: setNpi, remember: () => writePreference(NPI, chosen) }
}

export function InquiringProvider({ npi, providers, onChange }: Omit<Chosen, 'remember'>) {
  const mayStore = useMay('verificationRules.update')
  if (providers.length > 0) {
    return (
      <NativeSelect
        label="Inquiring provider"
        value={npi}
        data={providers.map((provider) => ({ value: provider.npi, label: `${provider.name} (${provider.npi})` }))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      label="NPI of the inquiring provider"
      description={`Ten digits. ${mayStore ? 'Store' : 'An administrator can store'} the clinic's NPI under Administration, Verification.`}
      error={npi.length >= NPI_LENGTH && oddNpi(npi)}
      inputMode="numeric"
      value={npi}
      onChange={(event) => onChange(enteredNpi(event.currentTarget.value))}
    />
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
