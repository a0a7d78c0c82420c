import { Button, Textarea } from '@mantine/core'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Patient } from '../../api/generated.ts'
import { keyOf, read } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import { toMutablePatient } from '../../rules/patients.ts'
import { announce } from '../../ui/announce.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Empty, Problem } from '../../ui/states.tsx'
import styles from './patient.module.css'

export function Notes({ patient }: { patient: Patient }) {
  const client = useQueryClient()
  const { user, organization } = useSession()
  const mayWrite = useMay('notes.create')
  const draft = useDraft(`note-of:${patient.id}`, () => '')
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const ids = patient.note_ids ?? []
  const notes = useQueries({ queries: ids.map((id) => read('notes.get', { path: { id } })) })
    .flatMap(({ data }) => (data && !data.deactivated ? [data] : []))
    .sort((a, b) => b.created_at.localeCompare(a.created_at))

  /**
   * A note belongs to the patient whose record lists it, so two writes are needed; the second is applied to the record as currently stored.
   */
  async function add() {
    setFailure(undefined)
    setSaving(true)
    try {
      const note = await call('notes.create', {
        body: { value: draft.value.trim(), type: 'GENERAL', author_name: user.name },
      })
      const path = { id: patient.id }
      const stored = await call('patients.get', { path })
      const body = { ...toMutablePatient(stored), note_ids: [...(stored.note_ids ?? []), note.id] }
      const next = await call('patients.update', { path: { ...path, version: stored.version + 1 }, body })
      client.setQueryData(keyOf('patients.get', { path }), next)
      draft.set('')
      draft.clear()
      announce('The note was added.')
    } catch (caught) {
      setFailure(caught)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className={styles.stack}>
      {failure !== undefined && <Problem error={failure} />}
      {mayWrite && (
        <div>
          <Textarea
            label="New note"
            rows={3}
            value={draft.value}
            onChange={(event) => draft.set(event.currentTarget.value)}
          />
          <Button mt="xs" disabled={draft.value.trim() === ''} loading={isSaving} onClick={add}>
            Add note
          </Button>
        </div>
      )}
      {notes.length === 0 && <Empty title="No notes" />}
      {notes.map((note) => (
        <article key={note.id} className={styles.card}>
          <p className={styles.soft}>
            {note.author_name ?? 'Unknown user'} · {formatInstant(note.created_at, organization.time_zone)}
          </p>
          <p className={styles.written} dir="auto">
            {note.value}
          </p>
        </article>
      ))}
    </div>
  )
}
