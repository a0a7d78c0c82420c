// A note of a patient, which can be corrected and removed. A removed one is no longer shown; its versions stay in the database.
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { MutableNote, Note } from '../../api/generated.ts'
import { keyOf, queryClient, useWrite } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import type { Field } from '../../rules/fields.ts'
import { announce } from '../../ui/announce.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Opened } from '../../ui/opened.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './notes.module.css'
import patientStyles from './patient.module.css'

export function NoteCard({ note }: { note: Note }) {
  const { organization } = useSession()
  const [isEditing, edit] = useState(false)
  const mayCorrect = useMay('notes.update')
  const mayRemove = useMay('notes.deactivate')
  const remove = useWrite('notes.deactivate', ['notes.get'])
  const at = (instant: string) => formatInstant(instant, organization.time_zone)
  const written = at(note.created_at)
  return (
    <article className={patientStyles.card}>
      <p className={patientStyles.soft}>
        {note.author_name ?? 'Unknown user'} · {written}
        {note.version > 1 && ` · corrected ${at(note.updated_at)}`}
      </p>
      {isEditing ? (
        <Correction note={note} onDone={() => edit(false)} />
      ) : (
        <p className={styles.written} dir="auto">
          {note.value}
        </p>
      )}
      {remove.error && <Problem error={remove.error} />}
      {!isEditing && (
        <div className={styles.actions}>
          {mayCorrect && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Correct the note of ${written}`}
              onClick={() => edit(true)}
            >
              Correct
            </Button>
          )}
          {mayRemove && (
            <ConfirmButton
              label="Remove"
              name={`Remove the note of ${written}`}
              question={`Remove the note of ${written}? It is then shown to nobody.`}
              loading={remove.isPending}
              onYes={() =>
                remove.mutate(
                  { path: { id: note.id, version: note.version } },
                  { onSuccess: () => announce('The note was removed.') },
                )
              }
            />
          )}
        </div>
      )}
    </article>
  )
}

const fields: readonly Field<Note>[] = [
  {
    name: 'value',
    label: 'Note',
    group: 'Note',
    read: ({ value }) => value,
    write: (note, value) => ({ ...note, value }),
    isRequired: true,
    hasLines: true,
  },
]

const bodyOf = ({ value, type, author_name, author_email }: Note): MutableNote => ({
  value,
  ...(type && { type }),
  ...(author_name && { author_name }),
  ...(author_email && { author_email }),
})

function Correction({ note, onDone }: { note: Note; onDone: () => void }) {
  const path = { id: note.id }
  const save = async (edited: Note) => {
    const saved = await call('notes.update', { path: { ...path, version: edited.version }, body: bodyOf(edited) })
    queryClient.setQueryData(keyOf('notes.get', { path }), saved)
    announce('The note was corrected.')
    onDone()
  }
  return (
    <>
      <Opened>Correct the note</Opened>
      <RecordForm<Note>
        draftKey={`note:${note.id}`}
        fields={fields}
        record={note}
        submit="Save"
        save={save}
        reload={() => call('notes.get', { path })}
        onCancel={onDone}
        replace={{
          value: (type, value, error) => (
            <Textarea
              aria-label="Text"
              rows={3}
              value={value('value')}
              error={error}
              onChange={(event) => type('value', event.currentTarget.value)}
            />
          ),
        }}
      />
    </>
  )
}
