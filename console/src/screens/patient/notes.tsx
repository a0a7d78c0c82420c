import { Button, Textarea } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { changePatient } from '../../api/change-patient.ts'
import { call, isGone } from '../../api/client.ts'
import { type Attempt, createOnce } from '../../api/create-once.ts'
import type { MutableNote, Note, Patient } from '../../api/generated.ts'
import { read } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { announce } from '../../ui/announce.tsx'
import { forgetAttempt, useDraft } from '../../ui/draft.ts'
import { type Decision, MaybeStored, useAttempts } from '../../ui/lost-attempt.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { NoteCard } from './note-card.tsx'
import patientStyles from './patient.module.css'

const SHOWN = 30

export function Notes({ patient }: { patient: Patient }) {
  const { user } = useSession()
  const mayWrite = useMay('notes.create')
  const draftKey = `note-of:${patient.id}`
  const draft = useDraft(draftKey, () => '')
  const attempts = useAttempts<string>(draftKey)
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [shown, show] = useState(SHOWN)
  const ids = patient.note_ids ?? []
  // Each note is a call of its own. The latest are at the end.
  const reads = useQueries({ queries: ids.slice(-shown).map((id) => read('notes.get', { path: { id } })) })
  const notes = reads
    .flatMap(({ data }) => (data && !data.deactivated ? [data] : []))
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
  const unread = reads.find(({ error, data }) => error && !data && !isGone(error))

  /** A note belongs to the patient whose record names it, so it takes two writes. Each has its effect once, also when it is sent again. */
  async function add(decision?: Decision) {
    setFailure(undefined)
    setSaving(true)
    const bodyOf = (value: string): MutableNote => ({ value, type: 'GENERAL', author_name: user.name })
    try {
      const text = draft.value.trim()
      const store = async (attempt: Attempt<string>) => {
        const { id } = await createOnce<string, Note>(text, attempt, {
          create: (value, query) => call('notes.create', { body: bodyOf(value), query }),
          change: (note, value) =>
            call('notes.update', { path: { id: note.id, version: note.version }, body: bodyOf(value) }),
        })
        await changePatient(patient.id, ({ note_ids = [] }) => ({ note_ids: [...new Set([...note_ids, id])] }))
      }
      if ((await attempts.send(text, decision, store)) === 'asked') return
      // What was typed since then is the next note.
      if (draft.latest() === draft.value) draft.set('')
      if (draft.latest() === '') draft.clear()
      else forgetAttempt(draftKey)
      announce('The note was added.')
    } catch (caught) {
      setFailure(caught)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className={patientStyles.stack}>
      {failure !== undefined && <Problem error={failure} />}
      {attempts.isAsked && <MaybeStored onDecide={add} />}
      {mayWrite && (
        <div>
          <Textarea
            label="New note"
            rows={3}
            value={draft.value}
            onChange={(event) => draft.set(event.currentTarget.value)}
          />
          <Button mt="xs" disabled={draft.value.trim() === ''} loading={isSaving} onClick={() => add()}>
            Add note
          </Button>
        </div>
      )}
      {unread?.error && <Problem error={unread.error} retry={unread.refetch} />}
      {notes.length === 0 &&
        !unread &&
        (reads.some(({ isPending }) => isPending) ? <Loading what="the notes" /> : <Empty title="No notes" />)}
      {notes.map((note) => (
        <NoteCard key={note.id} note={note} />
      ))}
      {ids.length > shown && (
        <div>
          <Button variant="default" onClick={() => show(shown + SHOWN)}>
            Show earlier notes
          </Button>
        </div>
      )}
    </div>
  )
}
