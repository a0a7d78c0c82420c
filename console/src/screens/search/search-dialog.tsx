import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/session.ts'
import { foundWords, noneWords, SEARCH_LABEL } from '../../rules/search.ts'
import { takeTyped } from '../../shell/typed-ahead.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Picker } from '../../ui/picker.tsx'
import { Problem } from '../../ui/states.tsx'
import { FoundPatient } from './found-patient.tsx'
import { type Found, usePatientSearch } from './use-patient-search.ts'

const SHOWN = 8

export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const mayCreate = useMay('patients.create')
  const search = usePatientSearch(text, SHOWN)
  const { items, others, shared, isAsked, isAnswered, isCurrent, isFetching, error, refetch } = search
  const exact = items.slice(0, items.length - others)
  const found = items.length === 0 ? noneWords(text) : foundWords(items.length, others, shared, SHOWN)

  const open = ({ patient }: Found) => {
    onClose()
    navigate({ to: '/patients/$patientId', params: { patientId: patient.id } })
  }
  const create = () => {
    onClose()
    navigate({ to: '/patients/new' })
  }

  const flush = () => {
    const early = takeTyped()
    if (early) setText((later) => later + early)
  }

  return (
    <Dialog onClose={onClose} title="Find a patient" size="lg">
      <Picker
        label={SEARCH_LABEL}
        placeholder="doe jane · 02/29/1984 · S0000123 · 207 555 0142"
        text={text}
        onText={setText}
        items={items}
        isCurrent={isCurrent}
        keyOf={({ patient }) => patient.id}
        onTake={open}
        isFirst
        onFocus={flush}
        isDoubtful={exact.length === 0}
        message={messageOf(isAsked, isFetching, isAnswered ? found : undefined)}
        render={(item) => <FoundPatient {...item} note={exact.includes(item) ? undefined : shared} />}
      />
      {error && <Problem error={error} retry={refetch} />}
      {mayCreate && (
        <Button variant="default" onClick={create}>
          New patient
        </Button>
      )}
    </Dialog>
  )
}

function messageOf(isAsked: boolean, isFetching: boolean, found: string | undefined): string {
  if (!isAsked) return 'Type at least two characters.'
  return found ?? (isFetching ? 'Searching…' : '')
}
